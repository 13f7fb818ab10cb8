#include "agent/meta/walker.h"

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "agent/meta/meta.h"
#include "agent/record/stack.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

using Frames = std::vector<jvmtiFrameInfo>;

// What stands for the physical frames of the thread; 0: they cannot be identified.
uint64_t physical;
uintptr_t read_thread, read_until;

uintptr_t FindAbove(const struct hotspot *, uintptr_t) { return 0x1003; }

bool ReadPhysical(const struct hotspot *, uintptr_t java_thread, uintptr_t until,
                  struct physical_key *key) {
  read_thread = java_thread;
  read_until = until;
  physical_add(key, physical);
  return physical != 0;
}

class WalkerTest : public testing::Test {
 protected:
  WalkerTest() { physical = 0; }
  void Start(bool checks_all = false) {
    static struct shapes *shapes = shapes_new(); /* never freed, like in the agent */
    static uint64_t number;
    GetWalker()->shapes = shapes;
    GetWalker()->to_jni = 64;
    GetWalker()->read = ReadPhysical;
    GetWalker()->above = FindAbove;
    GetWalker()->is_open = true;
    const char *why = nullptr;
    if (checks_all) setenv("ORCA_WALK", "checked", 1);
    ASSERT_TRUE(walker_start(GetWalker(), r_.ti, r_.jni, &why));
    unsetenv("ORCA_WALK");
    physical = first_ = ++number << 32; /* differs from those of other tests */
  }
  struct walker *GetWalker() {
    return &r_.meta->walker;
  }

  struct stack *TakeStack(enum stack_place place = STACK_HERE, bool is_virtual = false) {
    return stack_here(r_.meta, r_.ti, r_.jni, is_virtual, place, 1);
  }
  struct stack *InternFrames(Frames frames) {
    return stack_of(r_.meta, r_.ti, r_.jni, frames.data(), static_cast<int>(frames.size()), 1);
  }
  int CountWalks(const std::function<void()> &act) {
    int before = r_.jvm.Calls(CALL_GetStackTrace);
    act();
    return r_.jvm.Calls(CALL_GetStackTrace) - before;
  }
  uint64_t CountDiffered() { return r_.recorder->figures.stacks_differed; }

  Recording r_{"depth=3"};
  FakeClass *klass_ = r_.jvm.AddClass("LA;");
  jmethodID f_ = r_.jvm.AddMethod(klass_, "f", "()V")->Id();
  jmethodID g_ = r_.jvm.AddMethod(klass_, "g", "()V")->Id();
  FakeThread *thread_ = r_.jvm.AddThread("T");
  FakeJvm::Running running_{thread_};
  uint64_t first_ = 0;
};

TEST_F(WalkerTest, WalksEveryStackBeforeTheStartAndAfterTheStop) {
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(CountWalks([&] { TakeStack(), TakeStack(); }), 2);
  Start(/* checks_all */ true);
  walker_stop(GetWalker());
  EXPECT_EQ(CountWalks([&] { TakeStack(), TakeStack(); }), 2);
  EXPECT_EQ(r_.recorder->figures.stacks_checked, 0u);
}

// A comparison can happen at any time, so few of many are allowed.
TEST_F(WalkerTest, WalksAStackOnce) {
  Start();
  thread_->frames = {{f_, 5}, {g_, -1}};
  struct stack *first = nullptr;
  EXPECT_EQ(CountWalks([&] { first = TakeStack(); }), 1);
  EXPECT_EQ(first, InternFrames({{f_, 5}, {g_, -1}}));
  int walks = CountWalks([&] {
    for (int i = 0; i < 10000; i++) EXPECT_EQ(TakeStack(), first);
  });
  EXPECT_LT(walks, 200);
  EXPECT_EQ(r_.recorder->figures.stacks_checked, static_cast<uint64_t>(walks));
  EXPECT_GT(walks, 0);
  EXPECT_EQ(read_thread, reinterpret_cast<uintptr_t>(r_.jni) - 64);
}

TEST_F(WalkerTest, DistinguishesPlacesAndDepths) {
  Start();
  thread_->frames = {{g_, 9}, {f_, 5}, {f_, 6}, {f_, 7}, {f_, 8}};
  for (int known = 0; known < 2; known++) {
    EXPECT_EQ(TakeStack(STACK_AT_START), InternFrames({{f_, 0}, {f_, 6}, {f_, 7}, {f_, 8}}));
    EXPECT_EQ(TakeStack(STACK_AT_CALL), InternFrames({{f_, 5}, {f_, 6}, {f_, 7}, {f_, 8}}));
    EXPECT_EQ(TakeStack(), InternFrames({{g_, 9}, {f_, 5}, {f_, 6}, {f_, 7}}));
  }
  r_.Again("depth=2");
  EXPECT_EQ(TakeStack(), InternFrames({{g_, 9}, {f_, 5}, {f_, 6}}));
  EXPECT_EQ(CountDiffered(), 0u);
}

TEST_F(WalkerTest, ComparesAllIfItShall) {
  Start(/* checks_all */ true);
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(CountWalks([&] {
              for (int i = 0; i < 10; i++) EXPECT_EQ(TakeStack(), InternFrames({{f_, 5}}));
            }),
            10);
  EXPECT_EQ(r_.recorder->figures.stacks_checked, 9u);
  EXPECT_EQ(CountDiffered(), 0u);
}

TEST_F(WalkerTest, IsOffAfterADifference) {
  Start(/* checks_all */ true);
  thread_->frames = {{f_, 5}};
  TakeStack();
  thread_->frames = {{f_, 6}};
  testing::internal::CaptureStderr();
  EXPECT_EQ(TakeStack(), InternFrames({{f_, 6}}));
  EXPECT_EQ(TakeStack(), InternFrames({{f_, 6}}));
  std::string messages = testing::internal::GetCapturedStderr();
  const char *said = "the JVM walks every stack";
  EXPECT_EQ(messages.find(said), messages.rfind(said));
  EXPECT_NE(messages.find(said), std::string::npos);
  EXPECT_EQ(CountDiffered(), 1u);
  EXPECT_EQ(r_.recorder->figures.stacks_checked, 1u);
}

TEST_F(WalkerTest, IsOffIfItShall) {
  Start();
  setenv("ORCA_WALK", "jvmti", 1);
  const char *why = nullptr;
  EXPECT_FALSE(walker_start(GetWalker(), r_.ti, r_.jni, &why));
  unsetenv("ORCA_WALK");
  EXPECT_STREQ(why, "the environment variable ORCA_WALK is jvmti");
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(CountWalks([&] { TakeStack(), TakeStack(); }), 2);
}

TEST_F(WalkerTest, WalksStacksThatCannotBeIdentified) {
  Start();
  physical = 0;
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(CountWalks([&] { TakeStack(), TakeStack(), TakeStack(); }), 3);
}

TEST_F(WalkerTest, WalksVirtualThreads) {
  Start();
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(CountWalks([&] {
              for (int i = 0; i < 3; i++) TakeStack(STACK_HERE, /* is_virtual */ true);
            }),
            3);
}

TEST_F(WalkerTest, GivesNoStackIfTheJvmGivesNone) {
  Start();
  EXPECT_EQ(TakeStack(), nullptr);
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(TakeStack(), InternFrames({{f_, 5}}));
}

// The stack is known, but its methods are not in the files of this recording yet.
TEST_F(WalkerTest, DefinesTheMethodsOfAKnownStackAgain) {
  Start();
  thread_->frames = {{f_, 5}};
  TakeStack();
  EXPECT_EQ(r_.Methods().size(), 1u);
  TakeStack();
  EXPECT_EQ(r_.Methods().size(), 0u);
  r_.Again("depth=3");
  TakeStack();
  EXPECT_EQ(r_.Methods().size(), 1u);
}

TEST_F(WalkerTest, DoesNotStartInAJvmThatIsNoHotspot) {
  const char *why = nullptr;
  EXPECT_FALSE(walker_start(GetWalker(), r_.ti, r_.jni, &why));
  EXPECT_NE(why, nullptr);
  EXPECT_EQ(walker_size(GetWalker()).bytes, 0u);
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(CountWalks([&] { TakeStack(), TakeStack(); }), 2);
}

TEST_F(WalkerTest, ReadsTheFramesBelowTheHookedMethod) {
  struct physical_key key = {0, 0};
  Start();
  TakeStack();
  EXPECT_EQ(read_until, PHYSICAL_ALL);
  EXPECT_EQ(walker_above(GetWalker(), r_.jni), 0x1003u);
  EXPECT_TRUE(walker_key(GetWalker(), r_.jni, 0x1003, &key));
  EXPECT_EQ(read_until, 0x1003u);
  walker_stop(GetWalker());
  EXPECT_EQ(walker_above(GetWalker(), r_.jni), PHYSICAL_ALL);
}

}  // namespace
