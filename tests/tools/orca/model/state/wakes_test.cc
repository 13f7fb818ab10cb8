#include "tools/orca/model/state/wakes.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr uint32_t kLock = 0xA1;

// One event after the other, where none is left out.
class Wakes : public testing::Test {
 protected:
  Wakes() { wakes_.in_turn = true; }
  ~Wakes() override { wakes_free(&wakes_); }

  struct wake Do(enum event_kind kind, uint32_t thread, uint32_t object = kLock, size_t mark = 0) {
    struct event_line line = {};
    line.time = ++now_;
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    struct wake wake;
    EXPECT_TRUE(wakes_event(&wakes_, &line, mark, &wake));
    return wake;
  }
  // The thread that woke the one of this event; 0: it is not sure.
  uint32_t By(enum event_kind kind, uint32_t thread, uint32_t object = kLock) {
    struct wake wake = Do(kind, thread, object);
    return wake.woken ? wake.by.thread : 0;
  }
  void Wait(std::initializer_list<uint32_t> threads) {
    for (uint32_t thread : threads) Do(EVENT_OBJECT_WAIT, thread);
  }
  uint32_t Waited(uint32_t thread) { return By(EVENT_OBJECT_WAITED, thread); }

  ticks_t now_ = 0;
  struct wakes wakes_ = {};
};

TEST_F(Wakes, NotifyWakesInTurn) {
  Wait({7, 8, 9});
  EXPECT_EQ(Do(EVENT_OBJECT_NOTIFY, 1).called, 1u);
  Do(EVENT_OBJECT_NOTIFY, 2);
  Do(EVENT_OBJECT_NOTIFY, 1, 0xB2);  // another object
  EXPECT_EQ(Waited(8), 2u);
  EXPECT_EQ(Waited(9), 0u);  // by a time limit, then
  EXPECT_EQ(Waited(7), 1u);
}

TEST_F(Wakes, HoweverManyCameSince) {
  Wait({7, 8});
  for (uint32_t thread : {1, 1, 2, 3, 2, 1, 3, 2, 1, 2, 3, 4}) Do(EVENT_OBJECT_NOTIFY, thread);
  EXPECT_EQ(Do(EVENT_OBJECT_NOTIFY_ALL, 5).called, 0u);
  EXPECT_EQ(Waited(7), 1u);
  EXPECT_EQ(Waited(8), 1u);
  Wait({7});  // what came before is not for it
  EXPECT_EQ(Waited(7), 0u);
}

TEST_F(Wakes, ANotifyAllWakesAllThatStillWait) {
  Wait({7, 8, 9});
  Do(EVENT_OBJECT_NOTIFY, 2);
  EXPECT_EQ(Do(EVENT_OBJECT_NOTIFY_ALL, 1, kLock, 33).called, 2u);
  EXPECT_EQ(Waited(7), 2u);
  EXPECT_EQ(Waited(8), 1u);
  struct wake wake = Do(EVENT_OBJECT_WAITED, 9);
  EXPECT_TRUE(wake.over && wake.woken);
  EXPECT_EQ(wake.since, 3u);
  EXPECT_EQ(wake.by.time, 5u);
  EXPECT_EQ(wake.by.mark, 33u);
  EXPECT_FALSE(Do(EVENT_OBJECT_WAITED, 9).over);
}

TEST_F(Wakes, WhoGaveUpWasWokenByNobody) {
  Do(EVENT_CONDITION_AWAIT, 7);
  Do(EVENT_CONDITION_SIGNAL, 1, kLock, 5);
  struct wake wake = Do(EVENT_CONDITION_AWAIT_FAILED, 7);
  EXPECT_TRUE(wake.over);
  EXPECT_FALSE(wake.woken);
  EXPECT_EQ(wake.by.mark, 5u);  // it came, though
  Do(EVENT_LATCH_AWAIT, 7);
  Do(EVENT_LATCH_COUNT_DOWN, 1);
  EXPECT_EQ(By(EVENT_LATCH_AWAIT_FAILED, 7), 0u);
}

TEST_F(Wakes, NobodyWakesItself) {
  Wait({7});
  Do(EVENT_OBJECT_NOTIFY, 7);  // in broken files
  EXPECT_EQ(Waited(7), 0u);
  Do(EVENT_SEMAPHORE_ACQUIRE, 7);
  Do(EVENT_SEMAPHORE_RELEASE, 1);
  Do(EVENT_SEMAPHORE_RELEASE, 7);
  EXPECT_EQ(By(EVENT_SEMAPHORE_ACQUIRED, 7), 1u);
}

TEST_F(Wakes, AReleaseIsForOne) {
  for (uint32_t thread : {7, 8, 9}) Do(EVENT_SEMAPHORE_ACQUIRE, thread);
  Do(EVENT_SEMAPHORE_RELEASE, 1);
  Do(EVENT_SEMAPHORE_RELEASE, 1);
  EXPECT_EQ(By(EVENT_SEMAPHORE_ACQUIRED, 8), 1u);
  EXPECT_EQ(By(EVENT_SEMAPHORE_ACQUIRED, 7), 1u);
  EXPECT_EQ(By(EVENT_SEMAPHORE_ACQUIRED, 9), 0u);
}

TEST_F(Wakes, WhichOfTwoThreadsReleasedIsNotSaid) {
  Do(EVENT_LOCK_ACQUIRE, 7);
  Do(EVENT_LOCK_RELEASE, 1);
  Do(EVENT_LOCK_RELEASE, 2);
  EXPECT_EQ(By(EVENT_LOCK_ACQUIRED, 7), 0u);
  Do(EVENT_LOCK_ACQUIRE, 7);  // both were before
  EXPECT_EQ(By(EVENT_LOCK_ACQUIRED, 7), 0u);
}

TEST_F(Wakes, BothSidesOfALockLetAWriterIn) {
  for (enum event_kind release : {EVENT_READ_LOCK_RELEASE, EVENT_WRITE_LOCK_RELEASE}) {
    Do(EVENT_WRITE_LOCK_ACQUIRE, 7);
    Do(release, 1);
    EXPECT_EQ(By(EVENT_WRITE_LOCK_ACQUIRED, 7), 1u);
  }
}

TEST_F(Wakes, TheLastCountLetsAllGo) {
  for (uint32_t thread : {7, 8}) Do(EVENT_LATCH_AWAIT, thread);
  for (uint32_t thread : {1, 2}) Do(EVENT_LATCH_COUNT_DOWN, thread);
  for (uint32_t thread : {7, 8}) EXPECT_EQ(By(EVENT_LATCH_AWAITED, thread), 2u);
  Do(EVENT_PHASER_AWAIT, 7);
  Do(EVENT_PHASER_ARRIVE, 1);
  EXPECT_EQ(By(EVENT_PHASER_AWAITED, 7), 1u);
}

TEST_F(Wakes, AnUnparkNamesTheThread) {
  Do(EVENT_THREAD_PARK, 7, 0xB1);
  Do(EVENT_THREAD_PARK, 8, 0xB1);
  Do(EVENT_THREAD_UNPARK, 1, 7);
  EXPECT_EQ(By(EVENT_THREAD_PARKED, 8, 0xB1), 0u);
  EXPECT_EQ(By(EVENT_THREAD_PARKED, 7, 0xB1), 1u);
}

TEST_F(Wakes, TheEndOfAThreadEndsItsJoins) {
  Do(EVENT_THREAD_JOIN, 1, 7);
  Do(EVENT_THREAD_JOIN, 2, 7);
  Do(EVENT_THREAD_ENDED, 7, 0);
  EXPECT_EQ(By(EVENT_THREAD_JOINED, 1, 7), 7u);
  EXPECT_EQ(By(EVENT_THREAD_JOINED, 2, 7), 7u);
}

TEST_F(Wakes, WhoStartedAThread) {
  EXPECT_EQ(By(EVENT_THREAD_STARTED, 7, 0), 0u);
  Do(EVENT_THREAD_START, 1, 7);
  struct wake wake = Do(EVENT_THREAD_STARTED, 7, 0);
  EXPECT_TRUE(wake.woken);
  EXPECT_FALSE(wake.over);
  EXPECT_EQ(wake.by.thread, 1u);
  EXPECT_EQ(wake.by.time, 2u);
  EXPECT_EQ(By(EVENT_THREAD_STARTED, 7, 0), 0u);  // another one with this hash
}

// Where events may be missing nobody knows whose turn it is: then a notify is as any other signal.
TEST_F(Wakes, OutOfTurn) {
  wakes_.in_turn = false;
  Wait({7, 8});
  EXPECT_EQ(Do(EVENT_OBJECT_NOTIFY, 1).called, 0u);
  EXPECT_EQ(Waited(8), 1u);
  Do(EVENT_OBJECT_NOTIFY, 2);
  Do(EVENT_OBJECT_NOTIFY, 3);
  EXPECT_EQ(Waited(7), 0u);
  Wait({7, 8});
  Do(EVENT_OBJECT_NOTIFY, 2);
  Do(EVENT_OBJECT_NOTIFY_ALL, 3);
  EXPECT_EQ(Waited(7), 3u);
  EXPECT_EQ(Waited(8), 3u);
}

TEST_F(Wakes, TurnsAreKnownWhereNothingIsLeftOut) {
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

// Ends that were lost do not add up.
TEST_F(Wakes, MemoryGoesByThreads) {
  for (uint32_t i = 0; i < 10000; i++) Do(EVENT_LOCK_ACQUIRE, 1 + i % 3, i);
  EXPECT_LE(wakes_.sets.num_slots, 3u * WAIT_SETS_NESTED);
}

}  // namespace
