#include "tools/orca/model/state/wakes.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr uint32_t kLock = 0xA1;

// Takes events of a recording that lacks none, each one time unit after the one before.
class Wakes : public testing::Test {
 protected:
  Wakes() { wakes_.in_turn = true; }
  ~Wakes() override { wakes_free(&wakes_); }

  struct wake TakeEvent(enum event_kind kind, uint32_t thread, uint32_t object = kLock,
                        size_t mark = 0) {
    struct event_line line = {};
    line.time = ++now_;
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    struct wake wake;
    EXPECT_TRUE(wakes_event(&wakes_, &line, mark, &wake));
    return wake;
  }
  // Returns the thread that woke the thread of this event; 0: none is certain.
  uint32_t FindWaker(enum event_kind kind, uint32_t thread, uint32_t object = kLock) {
    struct wake wake = TakeEvent(kind, thread, object);
    return wake.woken ? wake.by.thread : 0;
  }
  void BeginWaits(std::initializer_list<uint32_t> threads) {
    for (uint32_t thread : threads) TakeEvent(EVENT_OBJECT_WAIT, thread);
  }
  uint32_t EndWait(uint32_t thread) { return FindWaker(EVENT_OBJECT_WAITED, thread); }

  ticks_t now_ = 0;
  struct wakes wakes_ = {};
};

TEST_F(Wakes, NotifyWakesTheWaitersInOrder) {
  BeginWaits({7, 8, 9});
  EXPECT_EQ(TakeEvent(EVENT_OBJECT_NOTIFY, 1).called, 1u);
  TakeEvent(EVENT_OBJECT_NOTIFY, 2);
  TakeEvent(EVENT_OBJECT_NOTIFY, 1, 0xB2);  // another object
  EXPECT_EQ(EndWait(8), 2u);
  EXPECT_EQ(EndWait(9), 0u);  // timed out
  EXPECT_EQ(EndWait(7), 1u);
}

TEST_F(Wakes, LaterSignalsChangeNothing) {
  BeginWaits({7, 8});
  for (uint32_t thread : {1, 1, 2, 3, 2, 1, 3, 2, 1, 2, 3, 4})
    TakeEvent(EVENT_OBJECT_NOTIFY, thread);
  EXPECT_EQ(TakeEvent(EVENT_OBJECT_NOTIFY_ALL, 5).called, 0u);
  EXPECT_EQ(EndWait(7), 1u);
  EXPECT_EQ(EndWait(8), 1u);
  BeginWaits({7});  // earlier signals do not wake it
  EXPECT_EQ(EndWait(7), 0u);
}

TEST_F(Wakes, NotifyAllWakesTheRemainingWaiters) {
  BeginWaits({7, 8, 9});
  TakeEvent(EVENT_OBJECT_NOTIFY, 2);
  EXPECT_EQ(TakeEvent(EVENT_OBJECT_NOTIFY_ALL, 1, kLock, 33).called, 2u);
  EXPECT_EQ(EndWait(7), 2u);
  EXPECT_EQ(EndWait(8), 1u);
  struct wake wake = TakeEvent(EVENT_OBJECT_WAITED, 9);
  EXPECT_TRUE(wake.over && wake.woken);
  EXPECT_EQ(wake.since, 3u);
  EXPECT_EQ(wake.by.time, 5u);
  EXPECT_EQ(wake.by.mark, 33u);
  EXPECT_FALSE(TakeEvent(EVENT_OBJECT_WAITED, 9).over);
}

TEST_F(Wakes, NoSignalWakesAWaitThatFailed) {
  TakeEvent(EVENT_CONDITION_AWAIT, 7);
  TakeEvent(EVENT_CONDITION_SIGNAL, 1, kLock, 5);
  struct wake wake = TakeEvent(EVENT_CONDITION_AWAIT_FAILED, 7);
  EXPECT_TRUE(wake.over);
  EXPECT_FALSE(wake.woken);
  EXPECT_EQ(wake.by.mark, 5u);  // the signal reached it
  TakeEvent(EVENT_LATCH_AWAIT, 7);
  TakeEvent(EVENT_LATCH_COUNT_DOWN, 1);
  EXPECT_EQ(FindWaker(EVENT_LATCH_AWAIT_FAILED, 7), 0u);
}

TEST_F(Wakes, NoThreadWakesItself) {
  BeginWaits({7});
  TakeEvent(EVENT_OBJECT_NOTIFY, 7);  // in broken files
  EXPECT_EQ(EndWait(7), 0u);
  TakeEvent(EVENT_SEMAPHORE_ACQUIRE, 7);
  TakeEvent(EVENT_SEMAPHORE_RELEASE, 1);
  TakeEvent(EVENT_SEMAPHORE_RELEASE, 7);
  EXPECT_EQ(FindWaker(EVENT_SEMAPHORE_ACQUIRED, 7), 1u);
}

TEST_F(Wakes, AReleaseWakesOneThread) {
  for (uint32_t thread : {7, 8, 9}) TakeEvent(EVENT_SEMAPHORE_ACQUIRE, thread);
  TakeEvent(EVENT_SEMAPHORE_RELEASE, 1);
  TakeEvent(EVENT_SEMAPHORE_RELEASE, 1);
  EXPECT_EQ(FindWaker(EVENT_SEMAPHORE_ACQUIRED, 8), 1u);
  EXPECT_EQ(FindWaker(EVENT_SEMAPHORE_ACQUIRED, 7), 1u);
  EXPECT_EQ(FindWaker(EVENT_SEMAPHORE_ACQUIRED, 9), 0u);
}

TEST_F(Wakes, ReleasesByTwoThreadsAreAmbiguous) {
  TakeEvent(EVENT_LOCK_ACQUIRE, 7);
  TakeEvent(EVENT_LOCK_RELEASE, 1);
  TakeEvent(EVENT_LOCK_RELEASE, 2);
  EXPECT_EQ(FindWaker(EVENT_LOCK_ACQUIRED, 7), 0u);
  TakeEvent(EVENT_LOCK_ACQUIRE, 7);  // both released before it began
  EXPECT_EQ(FindWaker(EVENT_LOCK_ACQUIRED, 7), 0u);
}

TEST_F(Wakes, AReleaseOfEitherSideWakesAWriter) {
  for (enum event_kind release : {EVENT_READ_LOCK_RELEASE, EVENT_WRITE_LOCK_RELEASE}) {
    TakeEvent(EVENT_WRITE_LOCK_ACQUIRE, 7);
    TakeEvent(release, 1);
    EXPECT_EQ(FindWaker(EVENT_WRITE_LOCK_ACQUIRED, 7), 1u);
  }
}

TEST_F(Wakes, TheLastCountDownWakesAllWaiters) {
  for (uint32_t thread : {7, 8}) TakeEvent(EVENT_LATCH_AWAIT, thread);
  for (uint32_t thread : {1, 2}) TakeEvent(EVENT_LATCH_COUNT_DOWN, thread);
  for (uint32_t thread : {7, 8}) EXPECT_EQ(FindWaker(EVENT_LATCH_AWAITED, thread), 2u);
  TakeEvent(EVENT_PHASER_AWAIT, 7);
  TakeEvent(EVENT_PHASER_ARRIVE, 1);
  EXPECT_EQ(FindWaker(EVENT_PHASER_AWAITED, 7), 1u);
}

TEST_F(Wakes, AnUnparkWakesTheThreadThatItNames) {
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);
  TakeEvent(EVENT_THREAD_PARK, 8, 0xB1);
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 8, 0xB1), 0u);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 1u);
}

TEST_F(Wakes, TheEndOfAThreadWakesItsJoiners) {
  TakeEvent(EVENT_THREAD_JOIN, 1, 7);
  TakeEvent(EVENT_THREAD_JOIN, 2, 7);
  TakeEvent(EVENT_THREAD_ENDED, 7, 0);
  EXPECT_EQ(FindWaker(EVENT_THREAD_JOINED, 1, 7), 7u);
  EXPECT_EQ(FindWaker(EVENT_THREAD_JOINED, 2, 7), 7u);
}

TEST_F(Wakes, ThreadStartWakesTheStartedThread) {
  EXPECT_EQ(FindWaker(EVENT_THREAD_STARTED, 7, 0), 0u);
  TakeEvent(EVENT_THREAD_START, 1, 7);
  struct wake wake = TakeEvent(EVENT_THREAD_STARTED, 7, 0);
  EXPECT_TRUE(wake.woken);
  EXPECT_FALSE(wake.over);
  EXPECT_EQ(wake.by.thread, 1u);
  EXPECT_EQ(wake.by.time, 2u);
  EXPECT_EQ(FindWaker(EVENT_THREAD_STARTED, 7, 0), 0u);  // another thread with this hash
}

// If events may be missing, the order of the waiters is not known.
TEST_F(Wakes, WithoutAKnownOrderANotifyIsLikeARelease) {
  wakes_.in_turn = false;
  BeginWaits({7, 8});
  EXPECT_EQ(TakeEvent(EVENT_OBJECT_NOTIFY, 1).called, 0u);
  EXPECT_EQ(EndWait(8), 1u);
  TakeEvent(EVENT_OBJECT_NOTIFY, 2);
  TakeEvent(EVENT_OBJECT_NOTIFY, 3);
  EXPECT_EQ(EndWait(7), 0u);
  BeginWaits({7, 8});
  TakeEvent(EVENT_OBJECT_NOTIFY, 2);
  TakeEvent(EVENT_OBJECT_NOTIFY_ALL, 3);
  EXPECT_EQ(EndWait(7), 3u);
  EXPECT_EQ(EndWait(8), 3u);
}

TEST_F(Wakes, TheOrderIsKnownIfNoEventIsMissing) {
  SmallModel whole, lossy, brief;
  lossy.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=7");
  brief.files.Replace(DUMP_INFO, "interval=20ms", "interval=20ms,threshold=1ms");
  for (SmallModel *small : {&whole, &lossy, &brief}) {
    small->Read();
    struct wakes wakes = {};
    wakes_start(&wakes, small->dump);
    EXPECT_EQ(wakes.in_turn, small == &whole);
    wakes_free(&wakes);
  }
}

// Waits without an end are removed.
TEST_F(Wakes, MemoryGrowsWithTheThreads) {
  for (uint32_t i = 0; i < 10000; i++) TakeEvent(EVENT_LOCK_ACQUIRE, 1 + i % 3, i);
  EXPECT_LE(wakes_.sets.num_slots, 3u * WAIT_SETS_NESTED);
}

}  // namespace
