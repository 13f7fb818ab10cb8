#include "agent/meta/walker.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "agent/meta/meta.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

using Frames = std::vector<jvmtiFrameInfo>;

// What AsyncGetCallTrace would find; it fills in no more than it is asked for.
std::vector<walker_async_frame> found;
int asked;

void Async(struct walker_async_trace *trace, jint depth, void *) {
  asked++;
  trace->num_frames = std::min(depth, static_cast<jint>(found.size()));
  for (jint i = 0; i < trace->num_frames; i++) trace->frames[i] = found[i];
  if (found.empty()) trace->num_frames = -2;  // a collection is going on
}

class WalkerTest : public testing::Test {
 protected:
  WalkerTest() {
    found.clear();
    asked = 0;
  }
  void Start() { ASSERT_TRUE(walker_start(walker(), r_.ti, r_.jni, Async)); }
  struct walker *walker() {
    return &r_.meta->walker;
  }

  struct stack *Here(enum stack_place place = STACK_HERE, bool is_virtual = false) {
    return stack_here(r_.meta, r_.ti, r_.jni, is_virtual, place, 1);
  }
  struct stack *Of(Frames frames) {
    return stack_of(r_.meta, r_.ti, r_.jni, frames.data(), static_cast<int>(frames.size()), 1);
  }
  int AsksJvmti(const std::function<void()> &act) {
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

TEST_F(WalkerTest, IsOffUntilItIsStarted) {
  thread_->frames = {{f_, 5}};
  found = {{5, f_}};
  EXPECT_EQ(AsksJvmti([&] { Here(), Here(); }), 2);
  EXPECT_EQ(asked, 0);
}

TEST_F(WalkerTest, ANewStackIsBelievedOnceJvmtiSaysTheSame) {
  Start();
  thread_->frames = {{f_, 5}, {g_, -1}};
  found = {{5, f_}, {-3, g_}};
  struct stack *first = nullptr, *second = nullptr;
  EXPECT_EQ(AsksJvmti([&] { first = Here(); }), 1);
  EXPECT_EQ(AsksJvmti([&] { second = Here(); }), 0);
  EXPECT_EQ(first, Of({{f_, 5}, {g_, -1}}));
  EXPECT_EQ(second, first);
  EXPECT_EQ(walker()->differed, 0u);
}

TEST_F(WalkerTest, GivesAsManyFramesAsTheDepthSaysBehindThoseOnTop) {
  Start();
  thread_->frames = {{g_, 9}, {f_, 5}, {f_, 6}, {f_, 7}, {f_, 8}};
  found = {{9, g_}, {5, f_}, {6, f_}, {7, f_}, {8, f_}};
  for (int known = 0; known < 2; known++) {
    EXPECT_EQ(Here(STACK_AT_START), Of({{f_, 0}, {f_, 6}, {f_, 7}, {f_, 8}}));
    EXPECT_EQ(Here(STACK_AT_CALL), Of({{f_, 5}, {f_, 6}, {f_, 7}, {f_, 8}}));
    EXPECT_EQ(Here(), Of({{g_, 9}, {f_, 5}, {f_, 6}, {f_, 7}}));
  }
  EXPECT_EQ(walker()->differed, 0u);
}

TEST_F(WalkerTest, WhereItDiffersJvmtiIsRightAndItIsOffForGood) {
  Start();
  thread_->frames = {{f_, 5}};
  found = {{6, f_}};
  testing::internal::CaptureStderr();
  EXPECT_EQ(Here(), Of({{f_, 5}}));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("walk=async: "), std::string::npos);
  EXPECT_EQ(walker()->differed, 1u);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(Here(), Of({{f_, 5}}));
  EXPECT_EQ(asked, 1);
}

TEST_F(WalkerTest, WhereItGivesUpJvmtiGoesOn) {
  Start();
  thread_->frames = {{f_, 5}, {g_, 1}, {g_, 2}};
  found = {{5, f_}, {1, g_}};
  for (uint64_t times = 1; times <= 3; times++) {
    EXPECT_EQ(Here(), Of({{f_, 5}, {g_, 1}, {g_, 2}}));
    EXPECT_EQ(walker()->gave_up, times);
  }
  EXPECT_EQ(walker()->differed, 0u);
  EXPECT_EQ(asked, 3);
}

TEST_F(WalkerTest, WhatItCannotWalkJvmtiDoes) {
  Start();
  thread_->frames = {{f_, 5}, {g_, 1}};
  found = {};
  EXPECT_EQ(AsksJvmti([&] { EXPECT_EQ(Here(), Of({{f_, 5}, {g_, 1}})); }), 1);
  found = {{5, f_}, {1, nullptr}};  // a method without a jmethodID
  EXPECT_EQ(AsksJvmti([&] { EXPECT_EQ(Here(), Of({{f_, 5}, {g_, 1}})); }), 1);
  found = {{5, f_}};  // nothing below the frame on top
  EXPECT_EQ(AsksJvmti([&] { EXPECT_EQ(Here(STACK_AT_CALL), Of({{g_, 1}})); }), 1);
  EXPECT_EQ(walker()->differed, 0u);
}

TEST_F(WalkerTest, VirtualThreadsAreJvmtis) {
  Start();
  thread_->frames = {{f_, 5}};
  found = {{6, f_}};
  EXPECT_EQ(Here(STACK_HERE, /* is_virtual */ true), Of({{f_, 5}}));
  EXPECT_EQ(asked, 0);
}

TEST_F(WalkerTest, NoStackOfEitherIsNone) {
  Start();
  EXPECT_EQ(Here(), nullptr);
  found = {{5, f_}};
  EXPECT_EQ(Here(), nullptr);
}

TEST_F(WalkerTest, MethodsOfAllClassesGetTheirIdsAndThoseOfNewOnes) {
  int before = r_.jvm.Calls(CALL_GetClassMethods);
  walker_class(walker(), r_.ti, klass_->Ref());
  EXPECT_EQ(r_.jvm.Calls(CALL_GetClassMethods), before) << "off";
  Start();
  int started = r_.jvm.Calls(CALL_GetClassMethods);
  EXPECT_GT(started, before + 1);
  walker_class(walker(), r_.ti, klass_->Ref());
  EXPECT_EQ(r_.jvm.Calls(CALL_GetClassMethods), started + 1);
  EXPECT_TRUE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_LOAD));
  EXPECT_TRUE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_PREPARE));
}

TEST_F(WalkerTest, StoppedItIsOff) {
  Start();
  walker_stop(walker(), r_.ti);
  EXPECT_FALSE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_LOAD));
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(Here(), Of({{f_, 5}}));
  EXPECT_EQ(asked, 0);
}

TEST_F(WalkerTest, WithoutTheEventItDoesNotStart) {
  r_.jvm.Fail(CALL_SetEventNotificationMode);
  EXPECT_FALSE(walker_start(walker(), r_.ti, r_.jni, Async));
  thread_->frames = {{f_, 5}};
  EXPECT_EQ(Here(), Of({{f_, 5}}));
}

}  // namespace
