#include "agent/track/call_object.h"

#include "tests/agent/track/young_fixture.h"

namespace {

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
