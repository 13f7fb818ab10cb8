#include "agent/track/engine_callbacks.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/recording.h"

namespace {

class CallbacksTest : public testing::Test {
 protected:
  explicit CallbacksTest(const std::string &options = "") : r_(options) {
    static auto &all = *new std::vector<struct callbacks_engine *>; /* never freed */
    all.push_back(engine_ = callbacks_engine_new(r_.threads));
    thread_->frames = {{wait_->Id(), -1}};
    thread_->self_on_top = lock_;
  }

  bool Start() { return callbacks_engine_start(engine_, r_.ti, r_.jni); }
  void Entry(FakeMethod *method) { callbacks_engine_entry(engine_, r_.ti, r_.jni, method->Id()); }
  void Exit(FakeMethod *method) { callbacks_engine_exit(engine_, r_.ti, method->Id()); }
  Lines Call(FakeMethod *method) {
    Entry(method);
    Exit(method);
    return r_.Events();
  }

  Recording r_;
  FakeClass *object_class_ = r_.jvm.AddClass("Ljava/lang/Object;", 0xC1);
  FakeMethod *wait_ = r_.jvm.AddMethod(object_class_, "wait", "(J)V");
  FakeMethod *wait0_ = r_.jvm.AddMethod(object_class_, "wait0", "(J)V");
  FakeMethod *sleep_ = r_.jvm.AddMethod(r_.jvm.ThreadClass(), "sleep", "(J)V");
  FakeObject *lock_ = r_.jvm.AddObject(object_class_, 0x10);
  FakeThread *thread_ = r_.jvm.AddThread("T", 0xA);
  FakeJvm::Running running_{thread_};
  struct callbacks_engine *engine_;
};

TEST_F(CallbacksTest, CallsOfTrackedMethodsAreRecorded) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(Call(wait_), (Lines{"ObjectWait,0000000A,00000010,1;00000002;FFFFFFFF",
                                "ObjectWaited,0000000A,00000010,1;00000002;FFFFFFFF"}));
}

TEST_F(CallbacksTest, CallsOfOthersAreNot) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(Call(wait0_), Lines{});
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(CallbacksTest, NothingIsTrackedBeforeTheStart) { EXPECT_EQ(Call(wait_), Lines{}); }

TEST_F(CallbacksTest, TrackedMethodsAreDefinedWithoutACall) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.Methods().size(), 2u);  // wait and sleep
}

TEST_F(CallbacksTest, AClassThatIsLoadedLaterIsTracked) {
  ASSERT_TRUE(Start());
  FakeClass *semaphore = r_.jvm.AddClass("Ljava/util/concurrent/Semaphore;", 0xC2);
  FakeMethod *release = r_.jvm.AddMethod(semaphore, "release", "()V");
  EXPECT_EQ(Call(release), Lines{});
  callbacks_engine_class(engine_, r_.ti, r_.jni, semaphore->Ref());
  EXPECT_EQ(Call(release).size(), 1u);
}

TEST_F(CallbacksTest, AClassOfTheNameInAnotherLoaderIsNot) {
  FakeClass *fake = r_.jvm.AddClass("Ljava/util/concurrent/Semaphore;", 0xC2);
  fake->loader = lock_;
  FakeMethod *release = r_.jvm.AddMethod(fake, "release", "()V");
  ASSERT_TRUE(Start());
  EXPECT_EQ(Call(release), Lines{});
}

TEST_F(CallbacksTest, AStaticMethodIsNotAskedForItsObject) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(Call(sleep_)[0], "ThreadSleep,0000000A,1;00000002;FFFFFFFF");
  EXPECT_EQ(r_.jvm.Calls(CALL_GetLocalInstance), 0);
}

TEST_F(CallbacksTest, AnObjectThatTheJvmDoesNotGiveIsNone) {
  ASSERT_TRUE(Start());
  r_.jvm.Fail(CALL_GetLocalInstance, 1, JVMTI_ERROR_OPAQUE_FRAME);
  EXPECT_EQ(Call(wait_)[0], "ObjectWait,0000000A,00000000,1;00000002;FFFFFFFF");
}

TEST_F(CallbacksTest, ItsEventsAreOnFromStartToStop) {
  const std::vector<jvmtiEvent> events = {JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_METHOD_ENTRY,
                                          JVMTI_EVENT_METHOD_EXIT};
  ASSERT_TRUE(Start());
  for (jvmtiEvent event : events) EXPECT_TRUE(r_.jvm.IsEnabled(event)) << event;
  callbacks_engine_stop(r_.ti);
  for (jvmtiEvent event : events) EXPECT_FALSE(r_.jvm.IsEnabled(event)) << event;
}

TEST_F(CallbacksTest, WhenTheJvmRefusesTheEventsItDoesNotStart) {
  r_.jvm.Fail(CALL_SetEventNotificationMode, 1, JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
  EXPECT_FALSE(Start());
}

// A class comes by GetLoadedClasses and by ClassPrepare at the same time as its methods run.
TEST_F(CallbacksTest, AClassMayComeTwiceWhileItsMethodsRun) {
  ASSERT_TRUE(Start());
  AtOnce(4, [&](int i) {
    FakeThread *thread = r_.jvm.AddThread("T");
    thread->frames = {{wait_->Id(), -1}};
    thread->self_on_top = lock_;
    FakeJvm::Running running(thread);
    for (int n = 0; n < 200; n++) {
      if (i % 2 == 0) {
        callbacks_engine_class(engine_, r_.ti, r_.jni, object_class_->Ref());
      } else {
        Entry(wait_);
        Exit(wait_);
      }
    }
  });
  EXPECT_EQ(r_.Events().size(), 800u);
}

class CallbacksOfSleepTest : public CallbacksTest {
 protected:
  CallbacksOfSleepTest() : CallbacksTest("events=sleep") {}
};

TEST_F(CallbacksOfSleepTest, MethodsOfGroupsThatAreNotWantedAreNotTracked) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(Call(wait_), Lines{});
  EXPECT_EQ(Call(sleep_).size(), 2u);
  EXPECT_EQ(r_.Methods().size(), 2u);  // sleep, and the one that stands in its stack
}

}  // namespace
