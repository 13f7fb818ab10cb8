#include "agent/track/engine_callbacks.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/agent/track/kept_hooks.h"
#include "tests/support/at_once.h"
#include "tests/support/fake_locks.h"
#include "tests/support/recording.h"

namespace {

class CallbacksTest : public testing::Test {
 protected:
  explicit CallbacksTest(const std::string &options = "") : r_(options) {
    static auto &all = *new std::vector<struct callbacks_engine *>; /* never freed */
    all.push_back(engine_ = callbacks_engine_new(MakeHooks(r_)));
    thread_->frames = {{wait_->Id(), -1}};
    thread_->self_on_top = lock_;
  }

  bool Start() { return callbacks_engine_start(engine_, r_.jni); }
  void Entry(FakeMethod *method) { callbacks_engine_entry(engine_, r_.jni, method->Id()); }
  void Exit(FakeMethod *method, jvalue value = {}, bool thrown = false) {
    callbacks_engine_exit(engine_, r_.jni, method->Id(), thrown, value);
  }
  Lines Call(FakeMethod *method, jvalue value = {}, bool thrown = false) {
    Entry(method);
    Exit(method, value, thrown);
    return r_.Events();
  }

  Recording r_;
  FakeLocks locks_{&r_.jvm};
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

TEST_F(CallbacksTest, CallsOfOtherMethodsAreNotRecorded) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(Call(wait0_), Lines{});
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(CallbacksTest, NoMethodIsTrackedBeforeTheStart) { EXPECT_EQ(Call(wait_), Lines{}); }

TEST_F(CallbacksTest, TrackedMethodsAreDefinedWithoutACall) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.Methods().size(), 2u);  // wait and sleep
}

TEST_F(CallbacksTest, AClassThatIsLoadedLaterIsTracked) {
  ASSERT_TRUE(Start());
  FakeClass *semaphore = r_.jvm.AddClass("Ljava/util/concurrent/Semaphore;", 0xC2);
  FakeMethod *release = r_.jvm.AddMethod(semaphore, "release", "()V");
  EXPECT_EQ(Call(release), Lines{});
  callbacks_engine_add_class(engine_, r_.jni, semaphore->Ref());
  EXPECT_EQ(Call(release).size(), 1u);
}

TEST_F(CallbacksTest, AClassOfTheSameNameInAnotherLoaderIsNotTracked) {
  FakeClass *fake = r_.jvm.AddClass("Ljava/util/concurrent/Semaphore;", 0xC2);
  fake->loader = lock_;
  FakeMethod *release = r_.jvm.AddMethod(fake, "release", "()V");
  ASSERT_TRUE(Start());
  EXPECT_EQ(Call(release), Lines{});
}

TEST_F(CallbacksTest, AStaticMethodHasNoObject) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(Call(sleep_)[0], "ThreadSleep,0000000A,1;00000002;FFFFFFFF");
  EXPECT_EQ(r_.jvm.Calls(CALL_GetLocalInstance), 0);
}

TEST_F(CallbacksTest, TheObjectIsZeroIfTheJvmRefusesIt) {
  ASSERT_TRUE(Start());
  r_.jvm.Fail(CALL_GetLocalInstance, 1, JVMTI_ERROR_OPAQUE_FRAME);
  EXPECT_EQ(Call(wait_)[0], "ObjectWait,0000000A,00000000,1;00000002;FFFFFFFF");
}

TEST_F(CallbacksTest, TheObjectOfAStaticMethodCanBeItsFirstArgument) {
  FakeClass *support = r_.jvm.AddClass("Ljava/util/concurrent/locks/LockSupport;", 0xC2);
  FakeMethod *unpark = r_.jvm.AddMethod(support, "unpark", "(Ljava/lang/Thread;)V");
  ASSERT_TRUE(Start());
  thread_->first_on_top = thread_;
  EXPECT_EQ(Call(unpark)[0].substr(0, 31), "ThreadUnpark,0000000A,0000000A,");
  thread_->first_on_top = nullptr;
  EXPECT_EQ(Call(unpark)[0].substr(0, 31), "ThreadUnpark,0000000A,00000000,");
  r_.jvm.Fail(CALL_GetLocalObject, 1, JVMTI_ERROR_OPAQUE_FRAME);
  EXPECT_EQ(Call(unpark)[0].substr(0, 31), "ThreadUnpark,0000000A,00000000,");
}

TEST_F(CallbacksTest, TheObjectCanBeTheFirstArgumentOrTheResult) {
  FakeClass *pool = r_.jvm.AddClass("Ljava/util/concurrent/ThreadPoolExecutor;", 0xC2);
  FakeMethod *execute = r_.jvm.AddMethod(pool, "execute", "(Ljava/lang/Runnable;)V");
  FakeMethod *take = r_.jvm.AddMethod(pool, "getTask", "()Ljava/lang/Runnable;");
  jvalue task = {};
  task.l = lock_->Ref();
  ASSERT_TRUE(Start());
  thread_->second_on_top = lock_;
  EXPECT_EQ(Call(execute)[0].substr(0, 29), "TaskQueued,0000000A,00000010,");
  FakeObject *executor = r_.jvm.AddObject(pool, 0x20);
  thread_->self_on_top = executor;
  EXPECT_EQ(Call(execute)[0].substr(0, 38), "TaskQueued,0000000A,00000010,00000020,");
  EXPECT_EQ(Call(take, task, /* thrown */ true), Lines{});
  EXPECT_EQ(Call(take, jvalue{}, false), Lines{});
  Lines events = Call(take, task, false);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].substr(0, 28), "TaskTaken,0000000A,00000010,");
}

// One row of each kind of exit, the value that it returns, and the event of the exit.
TEST_F(CallbacksTest, TheReturnedValueSelectsTheEventOfTheExit) {
  const jvalue none = {}, zero = {};
  jvalue is_true = {}, five = {}, minus_one = {}, object = {};
  is_true.z = JNI_TRUE;
  five.j = 5;
  minus_one.j = -1;
  object.l = lock_->Ref();
  const struct {
    const char *klass, *name, *descriptor;
    jvalue value;
    bool thrown;
    const char *end; /* nullptr: there is only one event */
  } rows[] = {
      {"java/lang/Object", "notify", "()V", none, false, nullptr},
      {"java/lang/Object", "notify", "()V", none, true, nullptr},
      {"java/lang/Object", "wait", "()V", none, false, "ObjectWaited"},
      {"java/lang/Object", "wait", "()V", none, true, "ObjectWaited"},
      {"java/util/concurrent/CountDownLatch", "await", "()V", none, false, "LatchAwaited"},
      {"java/util/concurrent/CountDownLatch", "await", "()V", none, true, "LatchAwaitFailed"},
      {"java/util/concurrent/CyclicBarrier", "await", "()I", zero, false, "BarrierAwaited"},
      {"java/util/concurrent/Semaphore", "tryAcquire", "()Z", is_true, false,
       "SemaphoreTryAcquired"},
      {"java/util/concurrent/Semaphore", "tryAcquire", "()Z", zero, false,
       "SemaphoreTryAcquireFailed"},
      {"java/util/concurrent/Semaphore", "tryAcquire", "()Z", is_true, true,
       "SemaphoreTryAcquireFailed"},
      {"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject", "awaitNanos",
       "(J)J", five, false, "ConditionAwaited"},
      {"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject", "awaitNanos",
       "(J)J", zero, false, "ConditionAwaitFailed"},
      {"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject", "awaitNanos",
       "(J)J", minus_one, false, "ConditionAwaitFailed"},
      {"java/util/concurrent/locks/StampedLock", "readLock", "()J", five, false,
       "ReadLockAcquired"},
      {"java/util/concurrent/locks/StampedLock", "readLock", "()J", minus_one, false,
       "ReadLockAcquired"},
      {"java/util/concurrent/locks/StampedLock", "readLock", "()J", zero, false,
       "ReadLockAcquireFailed"},
      {"java/util/concurrent/DelayQueue", "poll",
       "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;", object, false, "QueueRemoved"},
      {"java/util/concurrent/DelayQueue", "poll",
       "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;", zero, false, "QueueRemoveFailed"},
  };
  r_.Again("locks=all");
  for (const auto &row : rows) {
    FakeClass *klass = r_.jvm.BootClass(row.klass);
    if (klass == nullptr) klass = r_.jvm.AddClass(std::string("L") + row.klass + ";");
    FakeMethod *method = r_.jvm.Method(klass, row.name, row.descriptor);
    if (method == nullptr) method = r_.jvm.AddMethod(klass, row.name, row.descriptor);
    callbacks_engine_add_class(engine_, r_.jni, klass->Ref());
    thread_->frames = {{method->Id(), 0}};
    Lines events = Call(method, row.value, row.thrown);
    ASSERT_EQ(events.size(), row.end == nullptr ? 1u : 2u) << row.klass;
    if (row.end == nullptr) continue;
    EXPECT_EQ(events[1].substr(0, events[1].find(',')), row.end) << row.klass;
  }
}

TEST_F(CallbacksTest, TheConstructorOfAReadWriteLockConnectsItsSidesToIt) {
  r_.Again("locks=all");
  FakeMethod *made = r_.jvm.AddMethod(locks_.both, "<init>", "(Z)V");
  FakeMethod *read = r_.jvm.AddMethod(locks_.reading, "lock", "()V");
  FakeReadWriteLock lock = locks_.AddReadWrite(0x20, 0x30);
  ASSERT_TRUE(Start());
  thread_->self_on_top = lock.whole;
  EXPECT_EQ(Call(made), Lines{});
  thread_->self_on_top = lock.reading;
  EXPECT_EQ(Call(read)[0].substr(0, 34), "ReadLockAcquire,0000000A,00000020,");
  EXPECT_EQ(Call(read).size(), 2u);
}

TEST_F(CallbacksTest, ALockThatIsConstructedWhileNothingIsRecordedIsIgnored) {
  FakeMethod *made = r_.jvm.AddMethod(locks_.both, "<init>", "(Z)V");
  ASSERT_TRUE(Start());
  thread_->self_on_top = locks_.AddReadWrite(0x20, 0x30).whole;
  recorder_switch(r_.recorder, false);
  Call(made);
  EXPECT_EQ(r_.jvm.Calls(CALL_GetLocalInstance), 0);
  recorder_switch(r_.recorder, true);
  r_.jvm.Fail(CALL_GetLocalInstance);
  Call(made);
  EXPECT_EQ(r_.jvm.Calls(CALL_GetObjectField), 0);
}

TEST_F(CallbacksTest, EventsAreEnabledFromStartToStop) {
  const std::vector<jvmtiEvent> events = {JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_METHOD_ENTRY,
                                          JVMTI_EVENT_METHOD_EXIT};
  ASSERT_TRUE(Start());
  for (jvmtiEvent event : events) EXPECT_TRUE(r_.jvm.IsEnabled(event)) << event;
  callbacks_engine_stop(engine_);
  for (jvmtiEvent event : events) EXPECT_FALSE(r_.jvm.IsEnabled(event)) << event;
}

TEST_F(CallbacksTest, StartFailsIfTheJvmRefusesTheEvents) {
  r_.jvm.Fail(CALL_SetEventNotificationMode, 1, JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
  EXPECT_FALSE(Start());
}

// GetLoadedClasses and ClassPrepare can both report a class while its methods run.
TEST_F(CallbacksTest, AClassCanBeReportedTwiceWhileItsMethodsRun) {
  ASSERT_TRUE(Start());
  RunConcurrently(4, [&](int i) {
    FakeThread *thread = r_.jvm.AddThread("T");
    thread->frames = {{wait_->Id(), -1}};
    thread->self_on_top = lock_;
    FakeJvm::Running running(thread);
    for (int n = 0; n < 200; n++) {
      if (i % 2 == 0) {
        callbacks_engine_add_class(engine_, r_.jni, object_class_->Ref());
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

TEST_F(CallbacksOfSleepTest, MethodsOfOtherGroupsAreNotTracked) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(Call(wait_), Lines{});
  EXPECT_EQ(Call(sleep_).size(), 2u);
  EXPECT_EQ(r_.Methods().size(), 2u);  // sleep, and the method in its stack
}

}  // namespace
