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

// The JVM notifies them all. The number that it wakes is that of a signal.
TEST_F(Wakes, TheEndOfAThreadWakesThoseThatWaitOnItsObject) {
  constexpr uint32_t kThread = 5;
  for (uint32_t thread : {7, 8}) TakeEvent(EVENT_OBJECT_WAIT, thread, kThread);
  TakeEvent(EVENT_OBJECT_WAIT, 9);
  EXPECT_EQ(TakeEvent(EVENT_THREAD_ENDED, kThread, 0, 12).called, 2u);
  TakeEvent(EVENT_OBJECT_WAIT, 6, kThread);  // too late
  for (uint32_t thread : {7, 8}) {
    struct wake wake = TakeEvent(EVENT_OBJECT_WAITED, thread, kThread);
    EXPECT_TRUE(wake.woken);
    EXPECT_EQ(wake.by.thread, kThread);
    EXPECT_EQ(wake.by.kind, EVENT_THREAD_ENDED);
    EXPECT_EQ(wake.by.mark, 12u);
  }
  EXPECT_EQ(FindWaker(EVENT_OBJECT_WAITED, 6, kThread), 0u);
  EXPECT_EQ(EndWait(9), 0u);
}

TEST_F(Wakes, TheEndOfAVirtualThreadNotifiesNobody) {
  SmallModel small;
  small.files.Append(DUMP_CLASSES,
                     "100.0000000000,000000F1,Ljava/lang/VirtualThread;,VirtualThread.java\n");
  small.files.Append(DUMP_OBJECTS, "100.0000000000,00000005,000000F1\n");
  small.Read();
  wakes_.dump = small.dump;
  TakeEvent(EVENT_OBJECT_WAIT, 7, 5);
  EXPECT_EQ(TakeEvent(EVENT_THREAD_ENDED, 5).called, 0u);
  EXPECT_EQ(FindWaker(EVENT_OBJECT_WAITED, 7, 5), 0u);
  wakes_.dump = nullptr;
}

// A periodic task: its worker queues it again.
TEST_F(Wakes, AWorkerMayTakeTheTaskThatItQueued) {
  constexpr uint32_t kTask = 0xC1;
  TakeEvent(EVENT_TASK_QUEUED, 1, kTask);
  EXPECT_EQ(FindWaker(EVENT_TASK_TAKEN, 7, kTask), 1u);
  TakeEvent(EVENT_TASK_QUEUED, 7, kTask);
  EXPECT_EQ(FindWaker(EVENT_TASK_TAKEN, 7, kTask), 0u);
  TakeEvent(EVENT_TASK_QUEUED, 8, kTask);
  EXPECT_EQ(FindWaker(EVENT_TASK_TAKEN, 8, kTask), 0u) << "7 queued it before that";
  TakeEvent(EVENT_TASK_QUEUED, 8, kTask);
  EXPECT_EQ(FindWaker(EVENT_TASK_TAKEN, 7, kTask), 8u);
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

// However many releases are between them.
TEST_F(Wakes, OlderReleasesByAnotherThreadAreAmbiguous) {
  const std::vector<std::vector<uint32_t>> sequences = {
      {1, 2, 2}, {1, 2, 2, 2, 2}, {2, 1, 2, 2}, {1, 2, 1, 2, 2, 2}, {3, 1, 2, 2}};
  for (const auto &sequence : sequences) {
    TakeEvent(EVENT_LOCK_ACQUIRE, 7);
    for (uint32_t thread : sequence) TakeEvent(EVENT_LOCK_RELEASE, thread);
    EXPECT_EQ(FindWaker(EVENT_LOCK_ACQUIRED, 7), 0u) << sequence.size();
    TakeEvent(EVENT_LOCK_ACQUIRE, 8);  // these releases came before it began
    for (int i = 0; i < 4; i++) TakeEvent(EVENT_LOCK_RELEASE, 2);
    EXPECT_EQ(FindWaker(EVENT_LOCK_ACQUIRED, 8), 2u) << sequence.size();
  }
}

// The older release woke a thread already.
TEST_F(Wakes, AReleaseThatWokeAThreadIsNoCandidate) {
  TakeEvent(EVENT_LOCK_ACQUIRE, 7);
  TakeEvent(EVENT_LOCK_ACQUIRE, 8);
  TakeEvent(EVENT_LOCK_RELEASE, 1);
  EXPECT_EQ(FindWaker(EVENT_LOCK_ACQUIRED, 7), 1u);
  for (int i = 0; i < 3; i++) TakeEvent(EVENT_LOCK_RELEASE, 2);
  EXPECT_EQ(FindWaker(EVENT_LOCK_ACQUIRED, 8), 2u);
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

TEST_F(Wakes, TheLastUnparkEndsAWaitOfAnyKind) {
  for (enum event_kind begin : {EVENT_QUEUE_REMOVE, EVENT_FUTURE_AWAIT, EVENT_EXCHANGE,
                                EVENT_SEMAPHORE_ACQUIRE, EVENT_LOCK_ACQUIRE, EVENT_READ_LOCK_TRY}) {
    TakeEvent(begin, 7);
    TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
    TakeEvent(EVENT_THREAD_UNPARK, 2, 7);
    struct wake wake = TakeEvent(event_end(begin, false), 7);
    EXPECT_TRUE(wake.woken) << event_infos[begin].name;
    EXPECT_EQ(wake.by.thread, 2u);
    EXPECT_EQ(wake.by.kind, EVENT_THREAD_UNPARK);
    EXPECT_EQ(wake.by.time, now_ - 1);
    TakeEvent(begin, 7);
    EXPECT_EQ(FindWaker(event_end(begin, false), 7), 0u) << "an earlier unpark";
  }
}

TEST_F(Wakes, AnUnparkEndsTheInnermostWait) {
  TakeEvent(EVENT_FUTURE_AWAIT, 7);
  TakeEvent(EVENT_QUEUE_REMOVE, 7);
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  EXPECT_EQ(FindWaker(EVENT_QUEUE_REMOVED, 7), 1u);
  EXPECT_EQ(FindWaker(EVENT_FUTURE_AWAITED, 7), 0u);
}

TEST_F(Wakes, AFutureThatFailsWakesItsWaiters) {
  TakeEvent(EVENT_FUTURE_AWAIT, 7);
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  EXPECT_EQ(FindWaker(EVENT_FUTURE_AWAIT_FAILED, 7), 1u);
  TakeEvent(EVENT_FUTURE_AWAIT, 7);
  EXPECT_EQ(FindWaker(EVENT_FUTURE_AWAIT_FAILED, 7), 0u);  // timed out
}

// 1 counts down and wakes 7, which wakes 8, which wakes 9.
TEST_F(Wakes, AWokenThreadPassesTheWakeUpOn) {
  for (uint32_t thread : {7, 8, 9}) TakeEvent(EVENT_LATCH_AWAIT, thread);
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  TakeEvent(EVENT_THREAD_UNPARK, 7, 8);
  TakeEvent(EVENT_THREAD_UNPARK, 8, 9);
  for (uint32_t thread : {7, 8, 9}) EXPECT_EQ(FindWaker(EVENT_LATCH_AWAITED, thread), 1u);
}

// A thread that took something from a queue wakes the next one itself.
TEST_F(Wakes, AThreadInAQueueWakesForItself) {
  for (uint32_t thread : {7, 8}) TakeEvent(EVENT_QUEUE_REMOVE, thread);
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  TakeEvent(EVENT_THREAD_UNPARK, 7, 8);
  EXPECT_EQ(FindWaker(EVENT_QUEUE_REMOVED, 7), 1u);
  EXPECT_EQ(FindWaker(EVENT_QUEUE_REMOVED, 8), 7u);
}

TEST_F(Wakes, TheLastToComeOpensABarrier) {
  for (int round = 0; round < 2; round++) {
    for (uint32_t thread : {7, 8, 9}) TakeEvent(EVENT_BARRIER_AWAIT, thread);
    TakeEvent(EVENT_THREAD_UNPARK, 9, 7);
    TakeEvent(EVENT_BARRIER_AWAIT, 6);  // waits for the next time
    TakeEvent(EVENT_THREAD_UNPARK, 7, 8);
    struct wake wake = TakeEvent(EVENT_BARRIER_AWAITED, 7);
    EXPECT_EQ(wake.by.thread, 9u);
    EXPECT_EQ(wake.by.kind, EVENT_BARRIER_AWAIT);
    EXPECT_GT(wake.by.time, wake.since);
    TakeEvent(EVENT_BARRIER_AWAIT, 7);  // comes again before the others leave
    EXPECT_EQ(FindWaker(EVENT_BARRIER_AWAITED, 9), 0u);
    EXPECT_EQ(FindWaker(EVENT_BARRIER_AWAITED, 8), 9u);
    TakeEvent(EVENT_THREAD_UNPARK, 7, 6);
    EXPECT_EQ(FindWaker(EVENT_BARRIER_AWAITED, 6), 7u);
    EXPECT_EQ(FindWaker(EVENT_BARRIER_AWAITED, 7), 0u);
  }
}

// The thread that opens the barrier is the first one to leave it.
TEST_F(Wakes, ABarrierIsOpenWhenItsLastThreadWakesAnother) {
  TakeEvent(EVENT_BARRIER_AWAIT, 7, kLock, 22);
  TakeEvent(EVENT_BARRIER_AWAIT, 9, kLock, 33);
  TakeEvent(EVENT_THREAD_UNPARK, 9, 7);
  TakeEvent(EVENT_BARRIER_AWAIT, 6);
  EXPECT_EQ(FindWaker(EVENT_BARRIER_AWAITED, 9), 0u);
  struct wake wake = TakeEvent(EVENT_BARRIER_AWAITED, 7);
  EXPECT_EQ(wake.by.thread, 9u);
  EXPECT_EQ(wake.by.mark, 33u);
}

TEST_F(Wakes, AnUnparkBeforeAParkEndsIt) {
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 1u);
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 0u) << "the permit is used";
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  TakeEvent(EVENT_QUEUE_REMOVE, 7);
  TakeEvent(EVENT_THREAD_UNPARK, 2, 7);
  EXPECT_EQ(FindWaker(EVENT_QUEUE_REMOVED, 7), 2u);
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 0u) << "the take may have used it";
  wakes_.in_turn = false;  // the event of a park may be missing
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 0u);
}

TEST_F(Wakes, APermitEndsWithItsThread) {
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  TakeEvent(EVENT_THREAD_STARTED, 7, 0);  // it was unparked before its first line
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 1u);
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  TakeEvent(EVENT_THREAD_ENDED, 7, 0);
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);  // another thread with this hash
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 0u);
}

TEST_F(Wakes, TheFirstUnparkEndsAParkAndTheSecondOneTheNext) {
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);
  TakeEvent(EVENT_THREAD_UNPARK, 1, 7);
  TakeEvent(EVENT_THREAD_UNPARK, 2, 7);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 1u);
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 2u);
  TakeEvent(EVENT_THREAD_UNPARK, 7, 7);
  TakeEvent(EVENT_THREAD_PARK, 7, 0xB1);
  EXPECT_EQ(FindWaker(EVENT_THREAD_PARKED, 7, 0xB1), 0u) << "its own unpark";
}

TEST_F(Wakes, ATaskIsStartedByTheThreadThatQueuedIt) {
  TakeEvent(EVENT_TASK_QUEUED, 1, 0xC1);
  TakeEvent(EVENT_TASK_QUEUED, 2, 0xC2);
  EXPECT_EQ(FindWaker(EVENT_TASK_TAKEN, 7, 0xC1), 1u);
  EXPECT_EQ(FindWaker(EVENT_TASK_TAKEN, 7, 0xC2), 2u);
  EXPECT_EQ(FindWaker(EVENT_TASK_TAKEN, 7, 0xC3), 0u);
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
