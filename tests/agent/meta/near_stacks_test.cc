#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agent/event/line.h"
#include "agent/meta/meta.h"
#include "agent/record/stack.h"
#include "gtest/gtest.h"
#include "tests/support/fake_frames.h"
#include "tests/support/recording.h"

namespace {

bool is_known = true;

// A trail is the frames that were read. It is never shorter than the part that was asked for.
std::map<uintptr_t, std::vector<std::pair<jmethodID, jlocation>>> trails;
bool has_trails = false;

bool Follows(const struct hotspot *, uintptr_t, const struct physical_trail *trail) {
  if (trail->num == 0) return false;
  std::vector<std::pair<jmethodID, jlocation>> frames;
  for (const jvmtiFrameInfo &f : FakeFrames::thread->frames)
    frames.push_back({f.method, f.location});
  const auto &known = trails[trail->frames[0].pc];
  return frames.size() > known.size() && std::equal(known.begin(), known.end(), frames.begin());
}

void SetTrail(unsigned num, struct physical_trail *trail) {
  static uintptr_t number;
  trail->num = 0;
  if (!has_trails || FakeFrames::thread->frames.size() <= num) return;
  auto &known = trails[++number];
  for (unsigned i = 0; i < num; i++)
    known.push_back({FakeFrames::thread->frames[i].method, FakeFrames::thread->frames[i].location});
  trail->num = 1;
  trail->frames[0].pc = number;
}

bool ReadNear(const struct hotspot *h, uintptr_t java_thread, unsigned *num,
              struct physical_key *key, struct physical_trail *trail) {
  if (!FakeFrames::ReadNear(h, java_thread, num, key, trail)) return false;
  SetTrail(*num, trail);
  if (!is_known) *num = 0;
  return is_known;
}

class NearStacks : public testing::Test {
 protected:
  NearStacks() {
    FakeFrames::Start(&r_.meta->walker, r_.ti, r_.jni, thread_);
    r_.meta->walker.read_near = ReadNear;
    r_.meta->walker.follows = Follows;
    is_known = true;
    has_trails = false;
  }
  void SetFrames(const std::vector<jmethodID> &methods) {
    thread_->frames.clear();
    for (jmethodID m : methods) thread_->frames.push_back({m, 5});
  }
  // The frames of the near part: j.5 p.5 and, if it is cut, "...".
  std::string TakeNear(enum stack_place place = STACK_AT_START) {
    struct stack *s = stack_near(r_.meta, &memory_, r_.ti, r_.jni, place);
    if (s == nullptr) return "none";
    EXPECT_EQ(s->uses, 0u);
    struct span frames = stack_frames({s->text, s->text_len});
    std::string text;
    for (struct frame f; stack_next(&frames, &f);) {
      if (f.method == 0) {
        text += " ...";
        continue;
      }
      text += text.empty() ? "" : " ";
      text += std::to_string(f.method) + "." + std::to_string(f.location);
    }
    return text;
  }
  int CountWalks(int times) {
    int before = r_.jvm.Calls(CALL_GetStackTrace);
    for (int i = 0; i < times; i++) TakeNear();
    return r_.jvm.Calls(CALL_GetStackTrace) - before;
  }

  Recording r_{"depth=100"};
  FakeClass *jdk_class_ = r_.jvm.AddClass("Ljava/util/concurrent/Semaphore;");
  FakeClass *program_class_ = r_.jvm.AddClass("Lshop/Order;");
  jmethodID hook_ = r_.jvm.AddMethod(jdk_class_, "hook", "()V")->Id();
  jmethodID jdk_ = r_.jvm.AddMethod(jdk_class_, "acquire", "()V")->Id();
  jmethodID program_ = r_.jvm.AddMethod(program_class_, "sell", "()V")->Id();
  jmethodID other_ = r_.jvm.AddMethod(program_class_, "buy", "()V")->Id();
  FakeClass *own_class_ = r_.jvm.AddClass("Ljava/lang/OrcaHook;");
  jmethodID own_ = r_.jvm.AddMethod(own_class_, "enter", "()V")->Id();
  FakeThread *thread_ = r_.jvm.AddThread("T");
  FakeJvm::Running running_{thread_};
  struct near_memory memory_ = {};
};

TEST_F(NearStacks, EndWithTheInnermostMethodOfTheProgram) {
  SetFrames({hook_, jdk_, program_, program_, jdk_, other_});
  EXPECT_EQ(TakeNear(), "1.0 2.5 ...") << "the location of the tracked method is its begin";
  EXPECT_EQ(TakeNear(), "1.0 2.5 ...");
  SetFrames({hook_, jdk_, program_});
  EXPECT_EQ(TakeNear(), "1.0 2.5 ...") << "the frames above do not tell whether it has callers";
  SetFrames({hook_, jdk_});
  EXPECT_EQ(TakeNear(), "1.0");
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

// A comparison can happen at any time, so few of many are allowed.
TEST_F(NearStacks, AreWalkedOnce) {
  SetFrames({hook_, jdk_, program_, other_});
  EXPECT_GE(CountWalks(1), 1);
  EXPECT_LT(CountWalks(10000), 200);
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

// The first frames are the same, so they do not tell which stack it is.
TEST_F(NearStacks, NeedAsManyFramesAsTheMethodOfTheProgramIsDeep) {
  for (int i = 0; i < 3; i++) {
    SetFrames({hook_, jdk_, jdk_, jdk_, jdk_, jdk_, program_, jdk_, jdk_});
    EXPECT_EQ(TakeNear(), "1.0 1.5 1.5 1.5 1.5 2.5 ...");
    SetFrames({hook_, jdk_, jdk_, jdk_, jdk_, jdk_, other_, jdk_, jdk_});
    EXPECT_EQ(TakeNear(), "1.0 1.5 1.5 1.5 1.5 3.5 ...");
    SetFrames({hook_, jdk_, jdk_, jdk_, jdk_, jdk_, jdk_, jdk_, jdk_, jdk_, other_});
    EXPECT_EQ(TakeNear(), "1.0 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 3.5 ...");
  }
  EXPECT_LT(CountWalks(1000), 100);
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

// Compiled code has one physical frame for all methods that are inlined into it.
TEST_F(NearStacks, NeedNoPhysicalFramesBelowThatOfTheMethodOfTheProgram) {
  for (unsigned readable : {2u, 3u, 1000u}) {
    FakeFrames::Start(&r_.meta->walker, r_.ti, r_.jni, thread_);
    FakeFrames::readable = readable;
    FakeFrames::inlined = {1, 2, 3};
    SetFrames({hook_, jdk_, jdk_, program_, other_, jdk_, jdk_});
    EXPECT_EQ(TakeNear(), "1.0 1.5 2.5 ...");
    EXPECT_LT(CountWalks(1000), 20) << readable;
  }
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

// The frames above tell nothing about the method, which is in the heap.
TEST_F(NearStacks, AreWalkedIfTheMethodOfTheProgramIsNotOnTheStack) {
  FakeFrames::readable = 3;
  for (int i = 0; i < 3; i++) {
    SetFrames({hook_, jdk_, jdk_, program_, jdk_});
    EXPECT_EQ(TakeNear(), "1.0 1.5 2.5 ...");
    SetFrames({hook_, jdk_, jdk_, other_, jdk_});
    EXPECT_EQ(TakeNear(), "1.0 1.5 3.5 ...");
  }
  EXPECT_EQ(CountWalks(5), 5);
  FakeFrames::readable = 4;
  TakeNear();
  EXPECT_LT(CountWalks(1000), 20);
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

// Once more frames were needed than there are now.
TEST_F(NearStacks, AreFoundByAsManyFramesAsThereAre) {
  SetFrames({hook_, jdk_, jdk_, jdk_, other_, jdk_});
  EXPECT_EQ(TakeNear(), "1.0 1.5 1.5 2.5 ...");
  FakeFrames::readable = 3;
  SetFrames({hook_, jdk_, program_, jdk_, jdk_});
  for (int i = 0; i < 2; i++) EXPECT_EQ(TakeNear(), "1.0 3.5 ...");
  EXPECT_LT(CountWalks(1000), 20);
  SetFrames({hook_, jdk_, jdk_, jdk_, other_, jdk_});
  EXPECT_EQ(TakeNear(), "1.0 1.5 1.5 2.5 ...");
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

// Its first place is the least that the physical frame can reach to.
TEST_F(NearStacks, KnowTheLeastOfAMethodThatIsInlinedIntoItself) {
  FakeFrames::inlined = {1, 2};
  FakeFrames::readable = 2;
  SetFrames({hook_, jdk_, program_, jdk_, jdk_});
  EXPECT_EQ(TakeNear(), "1.0 2.5 ...");
  EXPECT_EQ(CountWalks(5), 5) << "as if it ended with the first frame of this method";
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

TEST_F(NearStacks, AreWalkedIfAPhysicalFrameIsNotAmongThoseOfTheJvm) {
  r_.meta->walker.methods = [](const struct hotspot *, uintptr_t, unsigned, jmethodID *methods) {
    methods[0] = FakeFrames::thread->frames[0].method;
    methods[1] = nullptr;
    methods[2] = FakeFrames::thread->frames[2].method;
    return 3u;
  };
  SetFrames({hook_, jdk_, program_, jdk_});
  TakeNear();
  EXPECT_EQ(CountWalks(5), 5);
}

// JVMTI leaves out some at the top while a virtual thread is being mounted.
TEST_F(NearStacks, AreWalkedIfTheJvmLeavesOutFrames) {
  r_.meta->walker.methods = [](const struct hotspot *, uintptr_t, unsigned, jmethodID *methods) {
    methods[0] = FakeFrames::thread->frames[2].method;
    return 1u;
  };
  SetFrames({hook_, jdk_, program_, jdk_});
  TakeNear();
  EXPECT_EQ(CountWalks(5), 5);
}

TEST_F(NearStacks, AskOnceWhetherAMethodIsOfTheProgram) {
  r_.jvm.Fail(CALL_GetClassSignature);
  SetFrames({hook_, jdk_, program_, other_});
  TakeNear();  // the answer for jdk_ is missing
  SetFrames({hook_, jdk_, jdk_, program_, other_});
  TakeNear();
  int asked = r_.jvm.Calls(CALL_GetMethodDeclaringClass);
  SetFrames({hook_, jdk_, jdk_, jdk_, program_, other_});
  EXPECT_EQ(TakeNear(), "1.0 1.5 1.5 2.5 ...");
  EXPECT_EQ(r_.jvm.Calls(CALL_GetMethodDeclaringClass), asked);
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

// A thread remembers the trails of its last stacks.
TEST_F(NearStacks, AreFoundByTheirTrails) {
  has_trails = true;
  for (int i = 0; i < 100; i++) {
    SetFrames({hook_, jdk_, program_, jdk_});
    EXPECT_EQ(TakeNear(), "1.0 2.5 ...");
    SetFrames({hook_, jdk_, jdk_, other_, jdk_});
    EXPECT_EQ(TakeNear(), "1.0 1.5 3.5 ...");
    EXPECT_EQ(TakeNear(STACK_AT_CALL), "1.5 1.5 3.5 ...") << "another sort";
  }
  is_known = false;
  EXPECT_EQ(TakeNear(), "1.0 1.5 3.5 ...") << "no frame is read";
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

TEST_F(NearStacks, AreNotUsedAfterADifference) {
  const char *why = nullptr;
  has_trails = true;
  setenv("ORCA_WALK", "checked", 1);
  ASSERT_TRUE(walker_start(&r_.meta->walker, r_.ti, r_.jni, &why));
  unsetenv("ORCA_WALK");
  SetFrames({hook_, jdk_, program_, jdk_});
  for (int i = 0; i < 2; i++) EXPECT_EQ(TakeNear(), "1.0 2.5 ...");
  for (auto &[number, known] : trails) known.pop_back();
  thread_->frames[2].location = 6;
  testing::internal::CaptureStderr();
  EXPECT_EQ(TakeNear(), "1.0 2.6 ...") << "the one that was walked";
  EXPECT_EQ(TakeNear(), "none");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("the JVM walks every stack"),
            std::string::npos);
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 1u);
}

TEST_F(NearStacks, AreAPartOfWholeStacksThatAreWalked) {
  SetFrames({jdk_, program_, other_});
  struct stack *without = stack_here(r_.meta, r_.ti, r_.jni, true, STACK_HERE, 1);
  EXPECT_EQ(without->near, nullptr) << "there is no threshold";
  r_.meta->wants_near = true;
  struct stack *whole = stack_here(r_.meta, r_.ti, r_.jni, /* is_virtual */ true, STACK_HERE, 1);
  EXPECT_EQ(whole, without);
  ASSERT_NE(whole->near, nullptr);
  EXPECT_EQ(whole->near, stack_near(r_.meta, &memory_, r_.ti, r_.jni, STACK_HERE));
  EXPECT_EQ(whole->num_frames, 3u);
  SetFrames({jdk_, jdk_});
  whole = stack_here(r_.meta, r_.ti, r_.jni, /* is_virtual */ true, STACK_HERE, 1);
  EXPECT_EQ(whole->near, whole) << "there is no method of the program";
  SetFrames({jdk_, program_});
  whole = stack_here(r_.meta, r_.ti, r_.jni, /* is_virtual */ true, STACK_HERE, 1);
  EXPECT_EQ(whole->near, stack_near(r_.meta, &memory_, r_.ti, r_.jni, STACK_HERE));
}

TEST_F(NearStacks, HaveALimit) {
  std::vector<jmethodID> many(200, jdk_);
  SetFrames(many);
  std::string text = TakeNear();
  EXPECT_EQ(text.substr(text.size() - 4), " ...");
  EXPECT_LT(text.size(), 64 * 4u + 8);
  EXPECT_EQ(TakeNear(), text);
}

TEST_F(NearStacks, RespectTheOptionDepth) {
  r_.Again("depth=1");
  SetFrames({hook_, jdk_, program_, other_});
  EXPECT_EQ(TakeNear(), "1.0 ...");
  EXPECT_EQ(r_.recorder->figures.stacks_cut, 0u) << "that is about whole stacks";
}

// A walk gives the ids to the methods that their frames lacked.
TEST_F(NearStacks, AreWalkedIfTheFramesCannotBeIdentified) {
  SetFrames({hook_, jdk_, program_});
  is_known = false;
  EXPECT_EQ(TakeNear(), "1.0 2.5 ...");
  EXPECT_EQ(CountWalks(3), 3);
}

TEST_F(NearStacks, LackTheFramesOfOrcasOwnMethods) {
  meta_hide_class(r_.meta, r_.ti, own_class_->Ref());
  SetFrames({own_, jdk_, program_, other_});
  EXPECT_EQ(TakeNear(STACK_HERE), "1.5 2.5 ...");
  EXPECT_EQ(TakeNear(STACK_HERE), "1.5 2.5 ...");
}

TEST_F(NearStacks, AreNotKnownWithAnotherWalk) {
  SetFrames({hook_, jdk_, program_});
  walker_stop(&r_.meta->walker);
  EXPECT_EQ(TakeNear(), "none");
}

TEST_F(NearStacks, DefineTheirMethodsInEachRecording) {
  SetFrames({hook_, jdk_, program_});
  TakeNear();
  EXPECT_EQ(r_.Methods().size(), 2u);
  TakeNear();
  EXPECT_EQ(r_.Methods().size(), 0u);
  r_.Again("depth=100");
  TakeNear();
  EXPECT_EQ(r_.Methods().size(), 2u);
}

}  // namespace
