#include "agent/record/stack.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "agent/meta/meta.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/recording.h"

namespace {

using Frames = std::vector<jvmtiFrameInfo>;

std::string Text(const struct stack *s) { return {s->text, s->text_len}; }

class StacksTest : public testing::Test {
 protected:
  struct stack *Of(Frames frames, int uses = 1) {
    return stack_of(r_.meta, r_.ti, r_.jni, frames.data(), static_cast<int>(frames.size()), uses);
  }
  struct stack *Here(const Frames &frames) {
    FakeThread *thread = r_.jvm.AddThread("T");
    thread->frames = frames;
    FakeJvm::Running running(thread);
    return stack_here(r_.meta, r_.ti, r_.jni, /* is_virtual */ false, STACK_HERE, 1);
  }

  // Fills the memory for shared stacks, with deep ones first and the rest with the smallest.
  void Fill() {
    for (size_t depth : {64, 1}) {
      Frames frames(depth, {f_, 0});
      for (uint64_t before = r_.meta->stacks_unshared; r_.meta->stacks_unshared == before;) {
        frames[0].location++;
        stack_release(Of(frames));
      }
    }
  }

  Recording r_{"depth=3"};
  FakeClass *klass_ = r_.jvm.AddClass("LA;", 0xA);
  jmethodID f_ = r_.jvm.AddMethod(klass_, "f", "()V")->Id();
  jmethodID g_ = r_.jvm.AddMethod(klass_, "g", "()V")->Id();
};

TEST_F(StacksTest, EqualFramesAreOneStack) {
  struct stack *s = Of({{f_, 5}, {g_, 7}});
  EXPECT_EQ(Of({{f_, 5}, {g_, 7}}), s);
  EXPECT_EQ(s->uses, 0u);  // shared
  EXPECT_EQ(Text(s), "2;00000001;00000005;00000002;00000007");
}

TEST_F(StacksTest, AnyOtherFrameIsAnotherStack) {
  std::set<struct stack *> stacks = {Of({{f_, 5}, {g_, 7}}), Of({{g_, 7}, {f_, 5}}),
                                     Of({{f_, 5}, {g_, 8}}), Of({{f_, 6}, {g_, 7}}),
                                     Of({{f_, 5}}),          Of({{f_, 5}, {g_, 7}, {g_, 7}})};
  EXPECT_EQ(stacks.size(), 6u);
}

TEST_F(StacksTest, ItsMethodsAreDefined) {
  Of({{g_, 1}, {f_, 2}});
  EXPECT_EQ(r_.Methods(), (Lines{"00000001,g,()V,0000000A,-1", "00000002,f,()V,0000000A,-1"}));
}

TEST_F(StacksTest, ANativeFrameHasNoLocation) {
  EXPECT_EQ(Text(Of({{f_, -1}})), "1;00000001;FFFFFFFF");
}

TEST_F(StacksTest, NoFramesAreAStackToo) { EXPECT_EQ(Text(Of({})), "0"); }

TEST_F(StacksTest, HereIsTheStackOfTheCurrentThread) {
  EXPECT_EQ(Here({{f_, 5}, {g_, 7}}), Of({{f_, 5}, {g_, 7}}));
}

TEST_F(StacksTest, HereKeepsAsManyFramesAsTheOptionSays) {
  EXPECT_EQ(Text(Here({{f_, 1}, {f_, 2}})), "2;00000001;00000001;00000001;00000002");
  EXPECT_EQ(r_.meta->stacks_cut, 0u);
  EXPECT_EQ(Text(Here({{f_, 1}, {f_, 2}, {f_, 3}})),
            "3;00000001;00000001;00000001;00000002;00000001;00000003");
  EXPECT_EQ(r_.meta->stacks_cut, 0u);
  EXPECT_EQ(Text(Here({{f_, 1}, {f_, 2}, {f_, 3}, {f_, 4}})),
            "4;00000001;00000001;00000001;00000002;00000001;00000003;00000000;00000000");
  EXPECT_EQ(r_.meta->stacks_cut, 1u);
  EXPECT_EQ(r_.Methods().size(), 1u) << "the mark is no method";
}

TEST_F(StacksTest, AStackThatIsCutIsAnotherThanTheWholeOne) {
  struct stack *whole = Here({{f_, 1}, {f_, 2}, {f_, 3}});
  struct stack *cut = Here({{f_, 1}, {f_, 2}, {f_, 3}, {f_, 4}});
  EXPECT_NE(cut, whole);
  EXPECT_EQ(Here({{f_, 1}, {f_, 2}, {f_, 3}, {g_, 5}, {g_, 6}}), cut);
  EXPECT_EQ(Of({{f_, 1}, {f_, 2}, {f_, 3}, {f_, 9}}), cut) << "of another thread, taken so";
  EXPECT_EQ(Of({{f_, 1}, {f_, 2}, {f_, 3}}), whole);
}

TEST_F(StacksTest, AStackThatIsCutIsDefinedAgainInTheNextRecording) {
  Here({{f_, 1}, {f_, 2}, {g_, 3}, {f_, 4}});
  EXPECT_EQ(r_.Methods().size(), 2u);
  r_.Again("depth=3");
  Here({{f_, 1}, {f_, 2}, {g_, 3}, {f_, 4}});
  EXPECT_EQ(r_.Methods().size(), 2u);
}

TEST_F(StacksTest, HereIsNullWhereTheJvmGivesNone) {
  EXPECT_EQ(Here({}), nullptr);
  r_.jvm.Fail(CALL_GetStackTrace);
  EXPECT_EQ(Here({{f_, 1}}), nullptr);
}

TEST_F(StacksTest, OfTheCallerIsWithoutTheFrameOnTopAndAtTheStartOfTheNext) {
  FakeThread *thread = r_.jvm.AddThread("T");
  FakeJvm::Running running(thread);
  thread->frames = {{g_, 3}, {f_, 5}, {f_, 6}, {f_, 7}, {f_, 8}};
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_START, 1),
            Of({{f_, 0}, {f_, 6}, {f_, 7}, {f_, 8}}));
  thread->frames = {{g_, 3}};
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_START, 1), nullptr);
}

TEST_F(StacksTest, OfTheCallerMayBeWhereverItStands) {
  FakeThread *thread = r_.jvm.AddThread("T");
  FakeJvm::Running running(thread);
  thread->frames = {{g_, 3}, {f_, 5}, {f_, 6}};
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_CALL, 1), Of({{f_, 5}, {f_, 6}}));
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_START, 1), Of({{f_, 0}, {f_, 6}}));
  thread->frames = {{g_, 3}};
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_CALL, 1), nullptr);
}

TEST_F(StacksTest, TellsWhatStandsBelowItsTop) {
  auto may_have = [&](const Frames &frames, jmethodID method) {
    return stack_may_have(Of(frames), method);
  };
  r_.Again("depth=4");
  EXPECT_TRUE(may_have({{f_, 1}, {g_, 2}}, g_));
  EXPECT_TRUE(may_have({{f_, 1}, {f_, 2}, {g_, 3}}, g_));
  EXPECT_TRUE(may_have({{f_, 1}, {f_, 2}, {g_, 3}}, f_));
  EXPECT_FALSE(may_have({{f_, 1}, {f_, 2}, {f_, 3}}, g_));
  EXPECT_FALSE(may_have({{f_, 1}, {g_, 2}}, f_)) << "only on top";
  EXPECT_FALSE(may_have({{f_, 1}}, f_));
  EXPECT_FALSE(may_have({}, f_));
}

TEST_F(StacksTest, MayHaveAnythingWhereItIsCutOrNotKnown) {
  EXPECT_TRUE(stack_may_have(nullptr, f_));
  EXPECT_FALSE(stack_may_have(Of({{f_, 1}, {f_, 2}, {f_, 3}}), g_));
  struct stack *cut = Of({{f_, 1}, {f_, 2}, {f_, 3}, {f_, 4}});
  EXPECT_TRUE(stack_may_have(cut, g_));
  r_.Again("depth=4");
  EXPECT_TRUE(stack_may_have(cut, g_));
}

// A class of ours and the methods that it has.
class HiddenFramesTest : public StacksTest {
 protected:
  void Hide(FakeClass *klass) { meta_hide_class(r_.meta, r_.ti, klass->Ref()); }

  FakeClass *ours_ = r_.jvm.AddClass("LOurs;", 0xB);
  jmethodID h_ = r_.jvm.AddMethod(ours_, "h", "()V")->Id();
  jmethodID i_ = r_.jvm.AddMethod(ours_, "i", "()V")->Id();
};

TEST_F(HiddenFramesTest, AreInNoStackWhereverTheyStand) {
  Hide(ours_);
  struct stack *s = Of({{f_, 1}, {g_, 2}});
  EXPECT_EQ(Of({{h_, 9}, {f_, 1}, {i_, 8}, {h_, 7}, {g_, 2}, {i_, 6}}), s);
  EXPECT_EQ(Here({{h_, 9}, {f_, 1}, {g_, 2}}), s);
  EXPECT_EQ(Text(Of({{h_, 9}})), "0");
  EXPECT_EQ(r_.Methods().size(), 2u);  // f and g
}

TEST_F(HiddenFramesTest, AreHiddenOnceAndForAllRecordings) {
  for (int i = 0; i < 200; i++) Hide(ours_);
  r_.Again("depth=3");
  EXPECT_EQ(Of({{h_, 9}, {f_, 1}}), Of({{f_, 1}}));
}

TEST_F(HiddenFramesTest, OfAClassThatTheJvmDoesNotShowNothingIsHidden) {
  r_.jvm.Fail(CALL_GetClassMethods);
  Hide(ours_);
  EXPECT_EQ(Of({{h_, 9}, {f_, 1}})->num_frames, 2u);
}

// All of ours are far fewer.
TEST_F(HiddenFramesTest, ManyMayBeHidden) {
  Frames frames;
  for (int i = 0; i < 60; i++) {
    jmethodID method = r_.jvm.AddMethod(ours_, "m" + std::to_string(i), "()V")->Id();
    frames.push_back({method, i});
    frames.push_back({f_, i});
  }
  Hide(ours_);
  r_.Again("depth=1000");
  struct stack *s = Of(frames);
  EXPECT_EQ(s->num_frames, 60u);
  EXPECT_EQ(r_.Methods().size(), 1u);
}

TEST_F(StacksTest, ItsMethodIsTheOneOnTop) {
  EXPECT_EQ(stack_method(Of({{g_, 5}, {f_, 7}})), g_);
  EXPECT_EQ(stack_method(Of({})), nullptr);
  EXPECT_EQ(stack_method(nullptr), nullptr);
}

TEST_F(StacksTest, ReleasingASharedOneOrNoneDoesNothing) {
  struct stack *s = Of({{f_, 5}});
  for (int i = 0; i < 10; i++) stack_release(s);
  stack_release(nullptr);
  EXPECT_EQ(Of({{f_, 5}}), s);
  EXPECT_EQ(Text(s), "1;00000001;00000005");
}

TEST_F(StacksTest, AtTheBoundAStackIsOfItsOwnAndGoesWithItsLastUse) {
  struct stack *old = Of({{g_, 1}});
  Fill();
  uint64_t before = r_.meta->stacks_unshared;
  struct stack *a = Of({{g_, 2}}, /* uses */ 2), *b = Of({{g_, 2}}, 1);
  EXPECT_NE(a, b);
  EXPECT_EQ(a->uses, 2u);
  EXPECT_EQ(Text(a), Text(b));
  EXPECT_EQ(r_.meta->stacks_unshared, before + 2);
  EXPECT_EQ(Of({{g_, 1}}), old);  // what is shared stays shared
  stack_release(a);
  EXPECT_EQ(Text(a), Text(b));  // one use is left
  stack_release(a);
  stack_release(b);  // AddressSanitizer tells if that was one too few or too many
}

TEST_F(StacksTest, InTheNextRecordingItIsTheSameAndItsMethodsAreDefinedAgain) {
  struct stack *s = Of({{g_, 1}, {f_, 2}});
  Lines methods = r_.Methods(), classes = r_.Classes();
  r_.Again();
  EXPECT_EQ(Of({{g_, 1}, {f_, 2}}), s);
  EXPECT_EQ(Of({{g_, 1}, {f_, 2}}), s);
  EXPECT_EQ(r_.Methods(), methods);
  EXPECT_EQ(r_.Classes(), classes);
}

TEST_F(StacksTest, EachRecordingHasItsOwnDepth) {
  r_.Again("depth=1");
  EXPECT_EQ(Text(Here({{f_, 1}, {f_, 2}})), "2;00000001;00000001;00000000;00000000");
  r_.Again("depth=2");
  EXPECT_EQ(Here({{f_, 1}, {f_, 2}})->num_frames, 2u);
}

TEST_F(StacksTest, ManyThreadsGetOneStack) {
  const int kThreads = 8, kStacks = 300;
  std::vector<std::vector<struct stack *>> stacks(kThreads);
  AtOnce(kThreads, [&](int i) {
    for (int n = 0; n < kStacks; n++) stacks[i].push_back(Of({{f_, n}, {g_, n % 7}}));
  });
  for (const auto &of_thread : stacks) EXPECT_EQ(of_thread, stacks[0]);
  EXPECT_EQ(std::set<struct stack *>(stacks[0].begin(), stacks[0].end()).size(), size_t{kStacks});
}

// At the bound: what is shared stays one stack for all, what is new is each time of its own and
// goes with its last use (AddressSanitizer tells if not), and the memory for shared ones grows no
// more.
TEST_F(StacksTest, ManyThreadsAtTheBound) {
  const int kThreads = 4, kLooks = 2000, kShared = 50;
  std::vector<struct stack *> shared;
  for (int n = 0; n < kShared; n++) shared.push_back(Of({{g_, n}}));
  Fill();
  uint64_t before = r_.meta->stacks_unshared;
  std::atomic<uint64_t> others{0}, own{0};
  AtOnce(kThreads, [&](int i) {
    std::minstd_rand random(static_cast<unsigned>(i) + 1);
    for (int look = 0; look < kLooks; look++) {
      int n = static_cast<int>(random() % (2 * kShared));
      struct stack *s = Of({{g_, n}}, /* uses */ 2);
      if (n < kShared) {
        others += s != shared[n];
      } else {
        own += s->uses == 2;
      }
      stack_release(s);
      stack_release(s);
    }
  });
  EXPECT_EQ(others, 0u);
  EXPECT_GT(own, 0u);
  EXPECT_EQ(r_.meta->stacks_unshared, before + own);
}

// Random stacks from many threads against a map of them all: frames to the one stack that all saw.
TEST_F(StacksTest, ManyThreadsAgreeOnRandomStacks) {
  const int kThreads = 4, kLooks = 3000;
  using Seen = std::vector<std::pair<std::vector<int>, struct stack *>>;
  std::vector<Seen> seen(kThreads);
  AtOnce(kThreads, [&](int i) {
    std::minstd_rand random(static_cast<unsigned>(i) + 1);
    for (int look = 0; look < kLooks; look++) {
      std::vector<int> locations(random() % 4);
      for (int &at : locations) at = static_cast<int>(random() % 6);
      Frames frames;
      for (int at : locations) frames.push_back({at % 2 ? f_ : g_, at});
      seen[i].emplace_back(locations, Of(frames));
    }
  });
  std::map<std::vector<int>, struct stack *> model;
  std::set<struct stack *> stacks;
  for (const Seen &of_thread : seen) {
    for (const auto &[locations, s] : of_thread) {
      ASSERT_EQ(model.emplace(locations, s).first->second, s);
      stacks.insert(s);
    }
  }
  EXPECT_EQ(stacks.size(), model.size());
  EXPECT_EQ(r_.meta->stacks_unshared, 0u);
}

}  // namespace
