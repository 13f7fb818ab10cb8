#include "agent/track/call_events.h"

#include "tests/agent/track/hooks_fixture.h"
#include "tests/agent/track/young_fixture.h"

namespace {

TEST_F(HooksTest, EntryAndExitHaveTheSameObjectAndStack) {
  Enter(wait_, lock_);
  Exit();
  EXPECT_EQ(r_.Events(), (Lines{"ObjectWait,0000000A,00000010,1;00000001;00000005",
                                "ObjectWaited,0000000A,00000010,1;00000001;00000005"}));
  EXPECT_EQ(r_.jvm.Calls(CALL_GetStackTrace), 1);
}

TEST_F(HooksTest, TheFrameOfTheHookIsNotPartOfTheStack) {
  Enter(sleep_, nullptr, HOOK_CALLED);
  Exit();
  // The location of the method is its start.
  EXPECT_EQ(r_.Events(), (Lines{"ThreadSleep,0000000A,1;00000001;00000000",
                                "ThreadSlept,0000000A,1;00000001;00000000"}));
  EXPECT_EQ(r_.Methods(), Lines{"00000001,sleep,(J)V,000000C1,-1"});
}

// One of 251 events of a thread is timed, whatever the thread recorded before.
TEST_F(HooksTest, SomeEventsAreTimed) {
  for (int i = 0; i < 251; i++) {
    Enter(wait_, lock_);
    Exit();
    r_.Events();
  }
  const struct recording_figures &figures = r_.recorder->figures;
  EXPECT_EQ(figures.hooks_timed, 2u);
  EXPECT_GT(figures.hooks_time, 0u);
  EXPECT_LE(figures.hooks_time, figures.hooks_timed * 250000);
}

TEST_F(HooksTest, AFailedCallEndsWithTheFailEventIfThereIsOne) {
  const int latch = FindRow("Ljava/util/concurrent/CountDownLatch;", "await", "()V");
  const std::string rest = ",0000000A,00000010,1;00000001;00000005";
  EXPECT_EQ(Call(latch, lock_, true), (Lines{"LatchAwait" + rest, "LatchAwaitFailed" + rest}));
  EXPECT_EQ(Call(latch, lock_, false), (Lines{"LatchAwait" + rest, "LatchAwaited" + rest}));
  const std::string other = ",0000000A,00000010,1;00000002;00000005";
  EXPECT_EQ(Call(wait_, lock_, true), (Lines{"ObjectWait" + other, "ObjectWaited" + other}));
}

TEST_F(HooksTest, APairIsRecordedWithoutAStack) {
  r_.jvm.Fail(CALL_GetStackTrace);
  Enter(sleep_, nullptr);
  Exit();
  EXPECT_EQ(r_.Events(), (Lines{"ThreadSleep,0000000A,0", "ThreadSlept,0000000A,0"}));
}

// --- the object ------------------------------------------------------------------------------

using CallObjectTest = YoungCallsTest;

TEST_F(CallObjectTest, OfAShortCallIsNotDefined) {
  Call(acquire_, lock_);
  EXPECT_EQ(r_.Objects().size(), 1u) << "the thread";
  int classes = r_.jvm.Calls(CALL_GetObjectClass);
  Call(acquire_, lock_);
  EXPECT_EQ(r_.jvm.Calls(CALL_GetObjectClass), classes);
  EXPECT_EQ(r_.Objects().size(), 0u);
}

TEST_F(CallObjectTest, OfALongCallIsDefinedOnce) {
  MakeCallsLong();
  Call(acquire_, lock_);
  EXPECT_EQ(r_.Objects().size(), 2u) << "the thread, too";
  int classes = r_.jvm.Calls(CALL_GetObjectClass);
  Call(acquire_, lock_);
  EXPECT_EQ(r_.jvm.Calls(CALL_GetObjectClass), classes);
  EXPECT_EQ(r_.Objects().size(), 0u);
  object_set_clear(r_.meta->objects);
  Call(acquire_, lock_);
  EXPECT_EQ(r_.Objects().size(), 1u) << "the writer has dropped the objects";
}

TEST_F(CallObjectTest, OfATaskIsLeftToTheWriter) {
  const int queued =
      FindRow("Ljava/util/concurrent/ThreadPoolExecutor;", "execute", "(Ljava/lang/Runnable;)V");
  unsigned lane = context_here(r_.threads, r_.ti, r_.jni)->lane;
  r_.Records();
  for (uint64_t threshold : {uint64_t{1}, uint64_t{0}}) {
    r_.Objects();
    SetThreshold(threshold);
    Enter(queued, lock_);
    Exit();
    EXPECT_EQ(r_.Objects().size(), threshold == 0 ? 1u : 0u);
    struct record taken[8];
    uint64_t complete;
    ASSERT_EQ(queue_take(r_.recorder->queue, lane, taken, 8, &complete), 1u);
    EXPECT_EQ(taken[0].object, 0x10u);
    EXPECT_EQ(taken[0].owner != 0, threshold > 0) << "the class";
    record_release(&taken[0]);
  }
}

TEST_F(HooksTest, TheEntryContainsTheOwnerOfTheLock) {
  FakeObject *lock = locks_.AddLock(0x20);
  locks_.Own(lock, r_.jvm.AddThread("U", 0xB));
  EXPECT_EQ(Call(lock_row_, lock),
            (Lines{"LockAcquire,0000000A,00000020,0000000B,1;00000001;00000005",
                   "LockAcquired,0000000A,00000020,1;00000001;00000005"}));
}

TEST_F(HooksTest, TheObjectOfAReadLockIsTheWholeReadWriteLock) {
  const int read =
      FindRow("Ljava/util/concurrent/locks/ReentrantReadWriteLock$ReadLock;", "lock", "()V");
  FakeReadWriteLock both = locks_.AddReadWrite(0x20, 0x30);
  lock_fields_note_constructed(hooks_->lock_fields, r_.meta, r_.ti, r_.jni, both.whole->Ref());
  EXPECT_EQ(Call(read, both.reading)[0],
            "ReadLockAcquire,0000000A,00000020,00000000,1;00000001;00000005");
}

}  // namespace
