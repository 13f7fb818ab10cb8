#include "agent/meta/walker.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "agent/meta/meta.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

using Frames = std::vector<jvmtiFrameInfo>;

// The frames that the fake AsyncGetCallTrace gives, at most `depth` of them.
std::vector<walker_async_frame> async_frames;
int num_async_walks;

void WalkAsync(struct walker_async_trace *trace, jint depth, void *) {
  num_async_walks++;
  trace->num_frames = std::min(depth, static_cast<jint>(async_frames.size()));
  for (jint i = 0; i < trace->num_frames; i++) trace->frames[i] = async_frames[i];
  if (async_frames.empty()) trace->num_frames = -2;  // the error code during a garbage collection
}

class WalkerTest : public testing::Test {
 protected:
  WalkerTest() {
    async_frames.clear();
    num_async_walks = 0;
  }
  void StartWalker() { ASSERT_TRUE(walker_start(GetWalker(), r_.ti, r_.jni, WalkAsync)); }
  struct walker *GetWalker() {
    return &r_.meta->walker;
  }

  struct stack *TakeStack(enum stack_place place = STACK_HERE, bool is_virtual = false) {
    return stack_here(r_.meta, r_.ti, r_.jni, is_virtual, place, 1);
  }
  struct stack *InternFrames(Frames frames) {
    return stack_of(r_.meta, r_.ti, r_.jni, frames.data(), static_cast<int>(frames.size()), 1);
  }
  int CountJvmtiWalks(const std::function<void()> &act) {
    int before = r_.jvm.Calls(CALL_GetStackTrace);
    act();
    return r_.jvm.Calls(CALL_GetStackTrace) - before;
  }

  Recording r_{"depth=3"};
  FakeClass *klass_ = r_.jvm.AddClass("LA;");
  jmethodID f_ = r_.jvm.AddMethod(klass_, "f", "()V")->Id();
  jmethodID g_ = r_.jvm.AddMethod(klass_, "g", "()V")->Id();
  FakeThread *thread_ = r_.jvm.AddThread("T");
  FakeJvm::Running running_{thread_};
};

TEST_F(WalkerTest, IsOffBeforeTheStart) {
  thread_->frames = {{f_, 5}};
  async_frames = {{5, f_}};
  EXPECT_EQ(CountJvmtiWalks([&] { TakeStack(), TakeStack(); }), 2);
  EXPECT_EQ(num_async_walks, 0);
}

TEST_F(WalkerTest, AcceptsAStackOnceJvmtiGaveTheSame) {
  StartWalker();
  thread_->frames = {{f_, 5}, {g_, -1}};
  async_frames = {{5, f_}, {-3, g_}};
  struct stack *first = nullptr, *second = nullptr;
  EXPECT_EQ(CountJvmtiWalks([&] { first = TakeStack(); }), 1);
  EXPECT_EQ(CountJvmtiWalks([&] { second = TakeStack(); }), 0);
  EXPECT_EQ(first, InternFrames({{f_, 5}, {g_, -1}}));
  EXPECT_EQ(second, first);
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

TEST_F(WalkerTest, GivesAsManyFramesAsTheDepthAfterTheSkippedOnes) {
  StartWalker();
  thread_->frames = {{g_, 9}, {f_, 5}, {f_, 6}, {f_, 7}, {f_, 8}};
  async_frames = {{9, g_}, {5, f_}, {6, f_}, {7, f_}, {8, f_}};
  for (int known = 0; known < 2; known++) {
    EXPECT_EQ(TakeStack(STACK_AT_START), InternFrames({{f_, 0}, {f_, 6}, {f_, 7}, {f_, 8}}));
    EXPECT_EQ(TakeStack(STACK_AT_CALL), InternFrames({{f_, 5}, {f_, 6}, {f_, 7}, {f_, 8}}));
    EXPECT_EQ(TakeStack(), InternFrames({{g_, 9}, {f_, 5}, {f_, 6}, {f_, 7}}));
  }
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

TEST_F(WalkerTest, SwitchesOffAfterADifference) {
  StartWalker();
  thread_->frames = {{f_, 5}};
  async_frames = {{6, f_}};
  testing::internal::CaptureStderr();
  EXPECT_EQ(TakeStack(), InternFrames({{f_, 5}}));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("walk=async: "), std::string::npos);
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 1u);
  EXPECT_EQ(num_async_walks, 1);
  EXPECT_EQ(TakeStack(), InternFrames({{f_, 5}}));
  EXPECT_EQ(num_async_walks, 1);
}

TEST_F(WalkerTest, UsesJvmtiForAPartialStack) {
  StartWalker();
  thread_->frames = {{f_, 5}, {g_, 1}, {g_, 2}};
  async_frames = {{5, f_}, {1, g_}};
  for (uint64_t times = 1; times <= 3; times++) {
    EXPECT_EQ(TakeStack(), InternFrames({{f_, 5}, {g_, 1}, {g_, 2}}));
    EXPECT_EQ(r_.recorder->figures.stacks_gave_up, times);
  }
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
  EXPECT_EQ(num_async_walks, 3);
}

TEST_F(WalkerTest, UsesJvmtiIfTheAsyncWalkFails) {
  StartWalker();
  thread_->frames = {{f_, 5}, {g_, 1}};
  async_frames = {};
  EXPECT_EQ(CountJvmtiWalks([&] { EXPECT_EQ(TakeStack(), InternFrames({{f_, 5}, {g_, 1}})); }), 1);
  async_frames = {{5, f_}, {1, nullptr}};  // a method without a jmethodID
  EXPECT_EQ(CountJvmtiWalks([&] { EXPECT_EQ(TakeStack(), InternFrames({{f_, 5}, {g_, 1}})); }), 1);
  async_frames = {{5, f_}};  // no frame below the top
  EXPECT_EQ(CountJvmtiWalks([&] {
              EXPECT_EQ(TakeStack(STACK_AT_CALL), InternFrames({{g_, 1}}));
            }),
            1);
  EXPECT_EQ(r_.recorder->figures.stacks_differed, 0u);
}

TEST_F(WalkerTest, UsesJvmtiForVirtualThreads) {
  StartWalker();
  thread_->frames = {{f_, 5}};
  async_frames = {{6, f_}};
  EXPECT_EQ(TakeStack(STACK_HERE, /* is_virtual */ true), InternFrames({{f_, 5}}));
  EXPECT_EQ(num_async_walks, 0);
}

TEST_F(WalkerTest, GivesNoStackIfBothWalksFail) {
  StartWalker();
  EXPECT_EQ(TakeStack(), nullptr);
  async_frames = {{5, f_}};
  EXPECT_EQ(TakeStack(), nullptr);
}

TEST_F(WalkerTest, RequestsTheMethodIdsOfAllClassesAndOfNewOnes) {
  int before = r_.jvm.Calls(CALL_GetClassMethods);
  walker_class(GetWalker(), r_.ti, klass_->Ref());
  EXPECT_EQ(r_.jvm.Calls(CALL_GetClassMethods), before) << "off";
  StartWalker();
  int started = r_.jvm.Calls(CALL_GetClassMethods);
  EXPECT_GT(started, before + 1);
  walker_class(GetWalker(), r_.ti, klass_->Ref());
  EXPECT_EQ(r_.jvm.Calls(CALL_GetClassMethods), started + 1);
  EXPECT_TRUE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_LOAD));
  EXPECT_TRUE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_PREPARE));
}

TEST_F(WalkerTest, IsOffAfterTheStop) {
  StartWalker();
  walker_stop(GetWalker(), r_.ti);
  EXPECT_FALSE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_LOAD));
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(TakeStack(), InternFrames({{f_, 5}}));
  EXPECT_EQ(num_async_walks, 0);
}

TEST_F(WalkerTest, DoesNotStartIfTheJvmRefusesTheEvent) {
  r_.jvm.Fail(CALL_SetEventNotificationMode);
  EXPECT_FALSE(walker_start(GetWalker(), r_.ti, r_.jni, WalkAsync));
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(TakeStack(), InternFrames({{f_, 5}}));
}

}  // namespace
