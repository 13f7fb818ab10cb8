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

std::string GetText(const struct stack *s) { return {s->text, s->text_len}; }

class StacksTest : public testing::Test {
 protected:
  struct stack *InternFrames(Frames frames, int uses = 1) {
    return stack_of(r_.meta, r_.ti, r_.jni, frames.data(), static_cast<int>(frames.size()), uses);
  }
  struct stack *TakeStack(const Frames &frames) {
    FakeThread *thread = r_.jvm.AddThread("T");
    thread->frames = frames;
    FakeJvm::Running running(thread);
    return stack_here(r_.meta, r_.ti, r_.jni, /* is_virtual */ false, STACK_HERE, 1);
  }

  // Fills the memory for shared stacks: first with deep stacks, then with the smallest ones.
  void FillSharedMemory() {
    for (size_t depth : {64, 1}) {
      Frames frames(depth, {f_, 0});
      for (uint64_t before = r_.recorder->figures.stacks_unshared;
           r_.recorder->figures.stacks_unshared == before;) {
        frames[0].location++;
        stack_release(InternFrames(frames));
      }
    }
  }

  Recording r_{"depth=3"};
  FakeClass *klass_ = r_.jvm.AddClass("LA;", 0xA);
  jmethodID f_ = r_.jvm.AddMethod(klass_, "f", "()V")->Id();
  jmethodID g_ = r_.jvm.AddMethod(klass_, "g", "()V")->Id();
};

TEST_F(StacksTest, SharesAStackOfEqualFrames) {
  struct stack *s = InternFrames({{f_, 5}, {g_, 7}});
  EXPECT_EQ(InternFrames({{f_, 5}, {g_, 7}}), s);
  EXPECT_EQ(s->uses, 0u);  // shared
  EXPECT_EQ(GetText(s), "2;00000001;00000005;00000002;00000007");
}

TEST_F(StacksTest, DistinguishesStacksByAnyFrame) {
  std::set<struct stack *> stacks = {
      InternFrames({{f_, 5}, {g_, 7}}), InternFrames({{g_, 7}, {f_, 5}}),
      InternFrames({{f_, 5}, {g_, 8}}), InternFrames({{f_, 6}, {g_, 7}}),
      InternFrames({{f_, 5}}),          InternFrames({{f_, 5}, {g_, 7}, {g_, 7}})};
  EXPECT_EQ(stacks.size(), 6u);
}

TEST_F(StacksTest, DefinesTheMethodsOfAStack) {
  InternFrames({{g_, 1}, {f_, 2}});
  EXPECT_EQ(r_.Methods(), (Lines{"00000001,g,()V,0000000A,-1", "00000002,f,()V,0000000A,-1"}));
}

TEST_F(StacksTest, WritesANativeFrameWithoutALocation) {
  EXPECT_EQ(GetText(InternFrames({{f_, -1}})), "1;00000001;FFFFFFFF");
}

TEST_F(StacksTest, InternsAStackWithoutFrames) { EXPECT_EQ(GetText(InternFrames({})), "0"); }

TEST_F(StacksTest, TakesTheStackOfTheCurrentThread) {
  EXPECT_EQ(TakeStack({{f_, 5}, {g_, 7}}), InternFrames({{f_, 5}, {g_, 7}}));
}

TEST_F(StacksTest, CutsAStackAtTheOptionDepth) {
  EXPECT_EQ(GetText(TakeStack({{f_, 1}, {f_, 2}})), "2;00000001;00000001;00000001;00000002");
  EXPECT_EQ(r_.recorder->figures.stacks_cut, 0u);
  EXPECT_EQ(GetText(TakeStack({{f_, 1}, {f_, 2}, {f_, 3}})),
            "3;00000001;00000001;00000001;00000002;00000001;00000003");
  EXPECT_EQ(r_.recorder->figures.stacks_cut, 0u);
  EXPECT_EQ(GetText(TakeStack({{f_, 1}, {f_, 2}, {f_, 3}, {f_, 4}})),
            "4;00000001;00000001;00000001;00000002;00000001;00000003;00000000;00000000");
  EXPECT_EQ(r_.recorder->figures.stacks_cut, 1u);
  EXPECT_EQ(r_.Methods().size(), 1u) << "the mark is not a method";
}

TEST_F(StacksTest, DistinguishesACutStackFromAWholeOne) {
  struct stack *whole = TakeStack({{f_, 1}, {f_, 2}, {f_, 3}});
  struct stack *cut = TakeStack({{f_, 1}, {f_, 2}, {f_, 3}, {f_, 4}});
  EXPECT_NE(cut, whole);
  EXPECT_EQ(TakeStack({{f_, 1}, {f_, 2}, {f_, 3}, {g_, 5}, {g_, 6}}), cut);
  EXPECT_EQ(InternFrames({{f_, 1}, {f_, 2}, {f_, 3}, {f_, 9}}), cut) << "taken in another way";
  EXPECT_EQ(InternFrames({{f_, 1}, {f_, 2}, {f_, 3}}), whole);
}

TEST_F(StacksTest, DefinesTheMethodsOfACutStackInTheNextRecording) {
  TakeStack({{f_, 1}, {f_, 2}, {g_, 3}, {f_, 4}});
  EXPECT_EQ(r_.Methods().size(), 2u);
  r_.Again("depth=3");
  TakeStack({{f_, 1}, {f_, 2}, {g_, 3}, {f_, 4}});
  EXPECT_EQ(r_.Methods().size(), 2u);
}

// A late sample may have frames of a class that was unloaded and forgotten.
TEST_F(StacksTest, DoesNotUseAStackWithAForgottenMethod) {
  FakeClass *klass = r_.jvm.AddClass("LGone;", 0xB);
  FakeMethod *gone = r_.jvm.AddMethod(klass, "h", "()V");
  struct stack *living = InternFrames({{f_, 5}}), *dead = InternFrames({{gone->Id(), 7}, {f_, 5}});
  klass->unloaded = gone->unloaded = true;
  struct living_classes *l = meta_find_living(r_.meta, r_.ti, r_.jni);
  meta_drop_unloaded(r_.meta, l);
  living_classes_free(l);
  r_.Methods();
  EXPECT_EQ(InternFrames({{f_, 5}}), living);
  EXPECT_EQ(r_.Methods(), Lines{});
  struct stack *late = InternFrames({{gone->Id(), 7}, {f_, 5}});
  EXPECT_NE(late, dead);
  EXPECT_EQ(GetText(late), "2;00000003;00000007;00000001;00000005");
  EXPECT_EQ(r_.Methods(), Lines{"00000003,$unloaded,()V,00000001,-1"});
  EXPECT_EQ(late->uses, 1u);
  stack_release(late);
  EXPECT_EQ(r_.recorder->figures.stacks_unshared, 0u) << "the table was not full";
}

TEST_F(StacksTest, ReturnsNullIfTheJvmGivesNoStack) {
  EXPECT_EQ(TakeStack({}), nullptr);
  r_.jvm.Fail(CALL_GetStackTrace);
  EXPECT_EQ(TakeStack({{f_, 1}}), nullptr);
}

TEST_F(StacksTest, AtStartRemovesTheTopFrameAndTheLocationOfTheNext) {
  FakeThread *thread = r_.jvm.AddThread("T");
  FakeJvm::Running running(thread);
  thread->frames = {{g_, 3}, {f_, 5}, {f_, 6}, {f_, 7}, {f_, 8}};
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_START, 1),
            InternFrames({{f_, 0}, {f_, 6}, {f_, 7}, {f_, 8}}));
  thread->frames = {{g_, 3}};
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_START, 1), nullptr);
}

TEST_F(StacksTest, AtCallKeepsTheLocationOfTheCaller) {
  FakeThread *thread = r_.jvm.AddThread("T");
  FakeJvm::Running running(thread);
  thread->frames = {{g_, 3}, {f_, 5}, {f_, 6}};
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_CALL, 1),
            InternFrames({{f_, 5}, {f_, 6}}));
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_START, 1),
            InternFrames({{f_, 0}, {f_, 6}}));
  thread->frames = {{g_, 3}};
  EXPECT_EQ(stack_here(r_.meta, r_.ti, r_.jni, false, STACK_AT_CALL, 1), nullptr);
}

TEST_F(StacksTest, FindsMethodsBelowTheTop) {
  auto has_below_top = [&](const Frames &frames, jmethodID method) {
    return stack_may_have(InternFrames(frames), method);
  };
  r_.Again("depth=4");
  EXPECT_TRUE(has_below_top({{f_, 1}, {g_, 2}}, g_));
  EXPECT_TRUE(has_below_top({{f_, 1}, {f_, 2}, {g_, 3}}, g_));
  EXPECT_TRUE(has_below_top({{f_, 1}, {f_, 2}, {g_, 3}}, f_));
  EXPECT_FALSE(has_below_top({{f_, 1}, {f_, 2}, {f_, 3}}, g_));
  EXPECT_FALSE(has_below_top({{f_, 1}, {g_, 2}}, f_)) << "only on the top";
  EXPECT_FALSE(has_below_top({{f_, 1}}, f_));
  EXPECT_FALSE(has_below_top({}, f_));
}

TEST_F(StacksTest, MayHaveAnyMethodIfCutOrNull) {
  EXPECT_TRUE(stack_may_have(nullptr, f_));
  EXPECT_FALSE(stack_may_have(InternFrames({{f_, 1}, {f_, 2}, {f_, 3}}), g_));
  struct stack *cut = InternFrames({{f_, 1}, {f_, 2}, {f_, 3}, {f_, 4}});
  EXPECT_TRUE(stack_may_have(cut, g_));
  r_.Again("depth=4");
  EXPECT_TRUE(stack_may_have(cut, g_));
}

// A class of Orca's own with two methods.
class HiddenFramesTest : public StacksTest {
 protected:
  void HideClass(FakeClass *klass) { meta_hide_class(r_.meta, r_.ti, klass->Ref()); }

  FakeClass *ours_ = r_.jvm.AddClass("LOurs;", 0xB);
  jmethodID h_ = r_.jvm.AddMethod(ours_, "h", "()V")->Id();
  jmethodID i_ = r_.jvm.AddMethod(ours_, "i", "()V")->Id();
};

TEST_F(HiddenFramesTest, AreRemovedFromEveryStack) {
  HideClass(ours_);
  struct stack *s = InternFrames({{f_, 1}, {g_, 2}});
  EXPECT_EQ(InternFrames({{h_, 9}, {f_, 1}, {i_, 8}, {h_, 7}, {g_, 2}, {i_, 6}}), s);
  EXPECT_EQ(TakeStack({{h_, 9}, {f_, 1}, {g_, 2}}), s);
  EXPECT_EQ(GetText(InternFrames({{h_, 9}})), "0");
  EXPECT_EQ(r_.Methods().size(), 2u);  // f and g
}

TEST_F(HiddenFramesTest, AreHiddenInAllRecordings) {
  for (int i = 0; i < 200; i++) HideClass(ours_);
  r_.Again("depth=3");
  EXPECT_EQ(InternFrames({{h_, 9}, {f_, 1}}), InternFrames({{f_, 1}}));
}

TEST_F(HiddenFramesTest, AreShownIfTheJvmRefusesTheMethodsOfTheClass) {
  r_.jvm.Fail(CALL_GetClassMethods);
  HideClass(ours_);
  EXPECT_EQ(InternFrames({{h_, 9}, {f_, 1}})->num_frames, 2u);
}

// Orca's own methods are far fewer.
TEST_F(HiddenFramesTest, MayHaveManyMethods) {
  Frames frames;
  for (int i = 0; i < 60; i++) {
    jmethodID method = r_.jvm.AddMethod(ours_, "m" + std::to_string(i), "()V")->Id();
    frames.push_back({method, i});
    frames.push_back({f_, i});
  }
  HideClass(ours_);
  r_.Again("depth=1000");
  struct stack *s = InternFrames(frames);
  EXPECT_EQ(s->num_frames, 60u);
  EXPECT_EQ(r_.Methods().size(), 1u);
}

TEST_F(StacksTest, ReturnsTheMethodOfTheTopFrame) {
  EXPECT_EQ(stack_method(InternFrames({{g_, 5}, {f_, 7}})), g_);
  EXPECT_EQ(stack_method(InternFrames({})), nullptr);
  EXPECT_EQ(stack_method(nullptr), nullptr);
}

TEST_F(StacksTest, ReleaseOfASharedStackDoesNothing) {
  struct stack *s = InternFrames({{f_, 5}});
  for (int i = 0; i < 10; i++) stack_release(s);
  stack_release(nullptr);
  EXPECT_EQ(InternFrames({{f_, 5}}), s);
  EXPECT_EQ(GetText(s), "1;00000001;00000005");
}

TEST_F(StacksTest, MakesUnsharedStacksAtTheBound) {
  struct stack *old = InternFrames({{g_, 1}});
  FillSharedMemory();
  uint64_t before = r_.recorder->figures.stacks_unshared;
  struct stack *a = InternFrames({{g_, 2}}, /* uses */ 2), *b = InternFrames({{g_, 2}}, 1);
  EXPECT_NE(a, b);
  EXPECT_EQ(a->uses, 2u);
  EXPECT_EQ(GetText(a), GetText(b));
  EXPECT_EQ(r_.recorder->figures.stacks_unshared, before + 2);
  EXPECT_EQ(InternFrames({{g_, 1}}), old);  // a shared stack stays shared
  stack_release(a);
  EXPECT_EQ(GetText(a), GetText(b));  // `a` has one use left
  stack_release(a);
  stack_release(b);  // AddressSanitizer reports a leak or a double free
}

TEST_F(StacksTest, KeepsStacksAndDefinesTheirMethodsAgainInTheNextRecording) {
  struct stack *s = InternFrames({{g_, 1}, {f_, 2}});
  Lines methods = r_.Methods(), classes = r_.Classes();
  r_.Again();
  EXPECT_EQ(InternFrames({{g_, 1}, {f_, 2}}), s);
  EXPECT_EQ(InternFrames({{g_, 1}, {f_, 2}}), s);
  EXPECT_EQ(r_.Methods(), methods);
  EXPECT_EQ(r_.Classes(), classes);
}

TEST_F(StacksTest, UsesTheDepthOfEachRecording) {
  r_.Again("depth=1");
  EXPECT_EQ(GetText(TakeStack({{f_, 1}, {f_, 2}})), "2;00000001;00000001;00000000;00000000");
  r_.Again("depth=2");
  EXPECT_EQ(TakeStack({{f_, 1}, {f_, 2}})->num_frames, 2u);
}

TEST_F(StacksTest, GivesManyThreadsTheSameStack) {
  const int kThreads = 8, kStacks = 300;
  std::vector<std::vector<struct stack *>> stacks(kThreads);
  RunConcurrently(kThreads, [&](int i) {
    for (int n = 0; n < kStacks; n++) stacks[i].push_back(InternFrames({{f_, n}, {g_, n % 7}}));
  });
  for (const auto &thread_stacks : stacks) EXPECT_EQ(thread_stacks, stacks[0]);
  EXPECT_EQ(std::set<struct stack *>(stacks[0].begin(), stacks[0].end()).size(), size_t{kStacks});
}

// At the bound, shared stacks stay shared. Each new stack is unshared and freed with its last use;
// AddressSanitizer reports a leak. The memory for shared stacks does not grow.
TEST_F(StacksTest, KeepsSharedStacksWithManyThreadsAtTheBound) {
  const int kThreads = 4, kLooks = 2000, kShared = 50;
  std::vector<struct stack *> shared;
  for (int n = 0; n < kShared; n++) shared.push_back(InternFrames({{g_, n}}));
  FillSharedMemory();
  uint64_t before = r_.recorder->figures.stacks_unshared;
  std::atomic<uint64_t> others{0}, own{0};
  RunConcurrently(kThreads, [&](int i) {
    std::minstd_rand random(static_cast<unsigned>(i) + 1);
    for (int look = 0; look < kLooks; look++) {
      int n = static_cast<int>(random() % (2 * kShared));
      struct stack *s = InternFrames({{g_, n}}, /* uses */ 2);
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
  EXPECT_EQ(r_.recorder->figures.stacks_unshared, before + own);
}

// Compares random stacks from many threads with a map from frames to the stack that all threads
// got.
TEST_F(StacksTest, GivesManyThreadsTheSameRandomStacks) {
  const int kThreads = 4, kLooks = 3000;
  using Seen = std::vector<std::pair<std::vector<int>, struct stack *>>;
  std::vector<Seen> seen(kThreads);
  RunConcurrently(kThreads, [&](int i) {
    std::minstd_rand random(static_cast<unsigned>(i) + 1);
    for (int look = 0; look < kLooks; look++) {
      std::vector<int> locations(random() % 4);
      for (int &at : locations) at = static_cast<int>(random() % 6);
      Frames frames;
      for (int at : locations) frames.push_back({at % 2 ? f_ : g_, at});
      seen[i].emplace_back(locations, InternFrames(frames));
    }
  });
  std::map<std::vector<int>, struct stack *> model;
  std::set<struct stack *> stacks;
  for (const Seen &thread_stacks : seen) {
    for (const auto &[locations, s] : thread_stacks) {
      ASSERT_EQ(model.emplace(locations, s).first->second, s);
      stacks.insert(s);
    }
  }
  EXPECT_EQ(stacks.size(), model.size());
  EXPECT_EQ(r_.recorder->figures.stacks_unshared, 0u);
}

}  // namespace
