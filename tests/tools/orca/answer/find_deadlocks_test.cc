#include "tests/tools/orca/answer/said.h"
#include "tests/tools/orca/model/pool_lines.h"

namespace {

std::string SayDeadlocks(SmallModel *small) {
  return Say(small->Read(), {FINDING_deadlock, FINDING_timed_ring, FINDING_stuck});
}

TEST(FindDeadlocks, NamesThreadsLocksPlacesAndOwners) {
  SmallModel small;
  std::string text = SayDeadlocks(&small);
  EXPECT_EQ(
      text.find("* DEADLOCK: worker-1 blocks on com.acme.Inventory@000000A1 at "
                "Inventory.reserve (Inventory.java:42), held by worker-2; worker-2 blocks on "
                "the monitor in OrderService.price:88 (Object@000000A2) at OrderService.price "
                "(OrderService.java:88), "
                "held by worker-1. main waits for them, too.\n"),
      0u)
      << text;
}

// worker-1 holds A1 and waits for the lock A2 of worker-2. worker-2 waits for the semaphore A3 of
// poller, which has released it before. poller waits for A1.
TEST(FindDeadlocks, ADeadlockCanMixMonitorsLocksAndSemaphores) {
  SmallModel small;
  small.files.Write(
      DUMP_EVENTS,
      "100.0000000000,ThreadStarted,00000002,worker-1\n"
      "100.0000000001,ThreadStarted,00000003,worker-2\n"
      "100.0000000002,ThreadStarted,00000004,poller\n"
      "100.5000000000,SemaphoreAcquire,00000004,000000A3,"
      "2;00000005;00000000;00000010;00000010\n"
      "100.5000000001,SemaphoreAcquired,00000004,000000A3,"
      "2;00000005;00000000;00000010;00000010\n"
      "100.6000000000,SemaphoreRelease,00000004,000000A3,1;00000006;00000000\n"
      "101.0000000000,SemaphoreAcquire,00000004,000000A3,"
      "2;00000005;00000000;00000010;00000010\n"
      "101.0000000001,SemaphoreAcquired,00000004,000000A3,"
      "2;00000005;00000000;00000010;00000010\n"
      "102.0000000000,LockAcquire,00000002,000000A2,00000003,1;00000012;00000000\n"
      "102.0000000001,SemaphoreAcquire,00000003,000000A3,2;00000005;00000000;00000010;00000000\n"
      "102.0000000002,MonitorContendedEnter,00000004,000000A1,00000002,1;00000011;00000000\n");
  std::string text = SayDeadlocks(&small);
  EXPECT_EQ(
      text.find(
          "* DEADLOCK: worker-1 waits for the lock in Inventory.reserve:42 "
          "(Object@000000A2) at "
          "Inventory.reserve (Inventory.java:42), held by worker-2; worker-2 waits for "
          "the semaphore in OrderService.price:90 (Semaphore@000000A3) at OrderService.price "
          "(OrderService.java:88), "
          "held by poller, which acquired it at OrderService.price (OrderService.java:90); poller "
          "blocks on "
          "com.acme.Inventory@000000A1 at OrderService.run (OrderService.java:20), held by "
          "worker-1.\n"),
      0u)
      << text;
}

TEST(FindDeadlocks, NamesOnlyTheMethodThatAcquiredAMonitorIfTheLineIsNotKnown) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.9000000000,MonitorHeld,00000003,000000A1,1;00000011;00000000\n");
  std::string text = SayDeadlocks(&small);
  EXPECT_TRUE(Has(text, ", held by worker-2, which acquired it in OrderService.run; ")) << text;
}

// worker-1 waits for the write side of A1 from 102 s on, worker-2 for its read side from 103 s on.
// A ReadLockHeld names a reader.
std::string ReaderVerdict(const std::string &held) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "options=", "options=x,events=all,");
  small.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
  small.files.Write(DUMP_SAMPLES, "");
  small.files.Write(DUMP_EVENTS,
                    "100.1000000000,ThreadStarted,00000002,worker-1\n"
                    "100.1000000000,ThreadStarted,00000003,worker-2\n" +
                        held.substr(0, held.find('|')) +
                        "102.0000000000,WriteLockAcquire,00000002,000000A1,00000000,"
                        "1;00000012;00000000\n"
                        "103.0000000000,ReadLockAcquire,00000003,000000A1,00000000,"
                        "1;00000010;00000000\n" +
                        held.substr(held.find('|') + 1));
  return SayDeadlocks(&small);
}

TEST(FindDeadlocks, AReaderThatWaitsToWriteIsADeadlockOfOneThread) {
  EXPECT_EQ(ReaderVerdict("|103.0000000001,ReadLockHeld,00000002,000000A1,0\n"),
            "* DEADLOCK: worker-1 waits for the write side of com.acme.Inventory@000000A1 at "
            "Inventory.reserve (Inventory.java:42), though it holds the "
            "read side itself. worker-2 waits for it, too.\n");
}

// It may have released the read side before it began to wait.
TEST(FindDeadlocks, AReaderOfBeforeItsWaitIsNoDeadlock) {
  std::string text = ReaderVerdict("101.9000000000,ReadLockHeld,00000002,000000A1,0\n|");
  EXPECT_FALSE(Has(text, "DEADLOCK")) << text;
}

TEST(FindDeadlocks, AReaderThatRunsIsNoDeadlock) {
  std::string text = ReaderVerdict("|103.0000000001,ReadLockHeld,00000004,000000A1,0\n");
  EXPECT_FALSE(Has(text, "DEADLOCK")) << text;
  EXPECT_TRUE(Has(text, "; it is still held by thread 00000004 as a reader")) << text;
  EXPECT_TRUE(Has(text, ", behind a writer; it is still held by ")) << text;
}

// Who reads now is not known.
TEST(FindDeadlocks, AReaderOfBeforeAWriterIsNotNamed) {
  std::string text = ReaderVerdict(
      "|103.0000000001,ReadLockHeld,00000004,000000A1,0\n"
      "104.0000000000,WriteLockAcquire,00000004,000000A1,00000000,"
      "1;00000012;00000000\n"
      "105.0000000000,WriteLockAcquired,00000004,000000A1,1;00000012;00000000\n");
  EXPECT_FALSE(Has(text, "as a reader")) << text;
}

// The program called HashMap.get, which blocks, or owns the monitor.
TEST(FindDeadlocks, NamesTheCallOfTheJdkAndItsPlaceInTheProgram) {
  SmallModel small;
  small.files.Replace(DUMP_EVENTS,
                      "108.5000000000,MonitorContendedEnter,00000003,000000A2,00000002,"
                      "2;00000010;00000000;",
                      "108.5000000000,MonitorContendedEnter,00000003,000000A2,00000002,"
                      "2;00000013;00000000;");
  small.files.Append(
      DUMP_EVENTS,
      "109.9000000000,MonitorHeld,00000003,000000A1,2;00000013;00000000;00000011;00000000\n");
  std::string text = SayDeadlocks(&small);
  EXPECT_TRUE(Has(text,
                  ", held by worker-2, which acquired it in HashMap.get at OrderService.run "
                  "(OrderService.java:20); "))
      << text;
  EXPECT_TRUE(Has(text, " in HashMap.get at OrderService.run (OrderService.java:20), held by "))
      << text;
}

// worker-1 tries to get A1 of worker-2, which waits for A2 of worker-1 since `waits`.
std::string TimedVerdict(const std::string &waits) {
  SmallModel small;
  small.files.Write(
      DUMP_EVENTS,
      "100.1000000000,ThreadStarted,00000002,worker-1\n"
      "100.1000000000,ThreadStarted,00000003,worker-2\n"
      "102.0000000000,LockTryAcquire,00000002,000000A1,00000003,1;00000012;00000000\n" +
          waits + ",LockAcquire,00000003,000000A2,00000002,1;00000010;00000000\n");
  return SayDeadlocks(&small);
}

TEST(FindDeadlocks, ARingWithATimeLimitIsNoDeadlock) {
  EXPECT_EQ(TimedVerdict("104.0000000000"),
            "* Ring until a time limit ends: worker-1 waits for com.acme.Inventory@000000A1 in "
            "Lock.tryLock at Inventory.reserve (Inventory.java:42), held by worker-2, for 8.00 s; "
            "worker-2 waits for the lock in OrderService.price:88 (Object@000000A2) at "
            "OrderService.price (OrderService.java:88), held by worker-1, for 6.00 s. None of them "
            "can go on before the time limit of worker-1 is over.\n");
  EXPECT_EQ(TimedVerdict("109.5000000000"), "") << "a try may be made again and again";
}

// worker-1 waits for the write side of a lock whose read side it or worker-2 holds.
std::string UpgradeVerdict(const std::string &reader, const std::string &options) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "options=", "options=x,events=all," + options);
  small.files.Write(DUMP_EVENTS,
                    "100.1000000000,ThreadStarted,00000002,worker-1\n"
                    "100.1000000000,ThreadStarted,00000003,worker-2\n"
                    "101.0000000000,ReadLockAcquire," +
                        reader +
                        ",000000A1,00000000,1;00000012;00000000\n"
                        "101.1000000000,ReadLockAcquired," +
                        reader +
                        ",000000A1,1;00000012;00000000\n"
                        "102.0000000000,WriteLockAcquire,00000002,000000A1,00000000,"
                        "1;00000010;00000000\n");
  return SayDeadlocks(&small);
}

TEST(FindDeadlocks, SaysThatAThreadHoldsTheReadSideItself) {
  const std::string words = ", though it holds the read side itself, which it acquired at";
  std::string text = UpgradeVerdict("00000002", "locks=all,");
  EXPECT_TRUE(Has(text, "DEADLOCK: worker-1 waits for the write side of ")) << text;
  EXPECT_TRUE(Has(text, words + " Inventory.reserve (Inventory.java:42).\n")) << text;
  EXPECT_FALSE(Has(UpgradeVerdict("00000003", "locks=all,"), words)) << "another reader";
  EXPECT_FALSE(Has(UpgradeVerdict("00000002", ""), words)) << "its release may have no line";
}

TEST(FindDeadlocks, NamesStuckThreadsWithoutAKnownDeadlock) {
  SmallModel small;
  small.files.Replace(DUMP_EVENTS,
                      "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000003",
                      "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000000");
  std::string text = SayDeadlocks(&small);
  EXPECT_EQ(
      text.find("* Stuck when the recording ended: worker-2 blocks on the monitor in "
                "OrderService.price:88 (Object@000000A2) at OrderService.price "
                "(OrderService.java:88), for 1.50 s; it is still held by worker-1, which has "
                "waited for 2.00 s in synchronized at Inventory.reserve (Inventory.java:42). "
                "Waiting when the recording ended: worker-1 blocks on com.acme.Inventory@000000A1 "
                "at Inventory.reserve (Inventory.java:42), for 2.00 s.\n"),
      0u)
      << text;
}

// worker-1 got the lock in this time, after it had to wait, too.
TEST(FindDeadlocks, ALockThatChangesHandsIsNotStuck) {
  const std::string waits = "MonitorContendedEnter,", lock = ",000000A1";
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.1000000000,ThreadStarted,00000002,worker-1\n"
                    "100.1000000000,ThreadStarted,00000003,worker-2\n"
                    "101.0000000000," +
                        waits + "00000003" + lock + ",00000004,0\n" + "104.0000000000," + waits +
                        "00000002" + lock + ",00000004,0\n" +
                        "106.0000000000,MonitorContendedEntered,00000002" + lock + ",0\n");
  std::string text = SayDeadlocks(&small);
  EXPECT_TRUE(Has(text, "* Waiting when the recording ended: worker-2 blocks on ")) << text;
  EXPECT_TRUE(Has(text, "; it is held by worker-1, which got it 4.00 s ago")) << text;
}

TEST(FindDeadlocks, TellsStuckThreadsThatWaitAlikeTogether) {
  const std::string waits = "LockAcquire,", place = ",000000A1,00000000,1;00000012;00000000\n";
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.1000000000,ThreadStarted,00000002,worker-1\n"
                    "100.1000000000,ThreadStarted,00000003,worker-2\n"
                    "100.1000000000,ThreadStarted,00000004,poller\n"
                    "100.1000000000,ThreadStarted,00000005,other\n"
                    "101.0000000000," +
                        waits + "00000002" + place + "101.5000000000," + waits + "00000003" +
                        place + "102.0000000000," + waits + "00000004" + place + "103.0000000000," +
                        waits + "00000005,000000A1,00000000,1;00000010;00000000\n");
  std::string text = SayDeadlocks(&small);
  EXPECT_TRUE(
      Has(text, "Waiting when the recording ended: worker-1, worker-2 and poller wait for "))
      << text;
  EXPECT_TRUE(Has(text, " at Inventory.reserve (Inventory.java:42), for ")) << text;
  EXPECT_TRUE(Has(text, " s to ")) << text;
  EXPECT_TRUE(Has(text, "; other waits for ")) << text;
  EXPECT_FALSE(Has(text, "more thread")) << text;
}

// The waits are open, so they last to the end: 2 s and 1.5 s.
TEST(FindDeadlocks, SaysForHowLongThreadsWait) {
  SmallModel small;
  Said said(small.Read());
  const struct finding *finding = said.List({FINDING_deadlock}).at(0);
  EXPECT_EQ(finding->weight, 35 * TICKS_PER_S / 10);
  auto *row = static_cast<const struct found_deadlock *>(finding->row);
  auto *links = static_cast<const struct found_link *>(row->links.rows);
  ASSERT_EQ(row->links.num, 2u);
  EXPECT_EQ(links[0].waited, 2000000000u);
  EXPECT_EQ(links[1].waited, 1500000000u);
}

// poller only releases the semaphore, so worker-1 waits for a signal, as for work.
TEST(FindDeadlocks, AWaitForASignalIsNotStuck) {
  for (bool returns : {false, true}) {
    SmallModel small;
    std::string acquire = "SemaphoreAcquire,00000002,000000A3,1;00000006;00000000\n";
    std::string acquired = "SemaphoreAcquired,00000002,000000A3,1;00000006;00000000\n";
    std::string release = ",000000A3,1;00000006;00000000\n";
    small.files.Write(
        DUMP_EVENTS,
        "101.0000000000,SemaphoreRelease,00000004" + release + "101.1000000000," + acquire +
            "101.1000000001," + acquired +
            (returns ? "101.2000000000,SemaphoreRelease,00000002" + release : std::string()) +
            "101.3000000000," + acquire);
    EXPECT_EQ(Has(SayDeadlocks(&small), "when the recording ended"), returns);
  }
}

TEST(FindDeadlocks, AShortWaitIsNotStuck) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "109.5000000000,MonitorContendedEnter,00000002,000000A1,00000001,0\n");
  EXPECT_FALSE(Has(SayDeadlocks(&small), "when the recording ended"));
}

// --- thread pools ---

constexpr uint32_t kPool = 0xE1, kOther = 0xE2, kTask = 0xF0;

class PoolDeadlocks : public PoolLines {
 protected:
  PoolDeadlocks() { small_.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop"); }
  std::string SayAll() { return Say(small_.Read(), {FINDING_deadlock, FINDING_hang}); }
  // Another thread that can go on: it may complete the tasks.
  void RunAnother() {
    Thread(9, "ticker");
    Line("ThreadSleep,00000009,1;00000003;FFFFFFFF");
  }
};

TEST_F(PoolDeadlocks, AllThreadsOfAPoolWaitForItsQueue) {
  Size(kPool, 2, 2);
  for (uint32_t i = 0; i < 2; i++) Work(1, kPool, 2 + i, kTask + i);
  for (uint32_t i = 0; i < 2; i++) {
    Queue(2 + i, kPool, kTask + 4 + i);
    Get(2 + i, kTask + 4 + i);
  }
  Get(1, kTask);
  EXPECT_EQ(SayAll(),
            "* DEADLOCK: pool-2 and pool-3, both threads of a pool, wait in FutureTask.get at "
            "Inventory.reserve (Inventory.java:42) for tasks that are queued in this same pool. "
            "main waits for them, too.\n");
}

TEST_F(PoolDeadlocks, TheOnlyThreadOfAPool) {
  Size(kPool, 1, 1);
  Work(1, kPool, 2, kTask);
  Queue(2, kPool, kTask + 1);
  Get(2, kTask + 1);
  Get(1, kTask);
  EXPECT_EQ(SayAll(),
            "* DEADLOCK: pool-2, the only thread of a pool, waits in FutureTask.get at "
            "Inventory.reserve (Inventory.java:42) for a task that is queued in this same pool. "
            "main waits for it, too.\n");
}

TEST_F(PoolDeadlocks, TwoPoolsWaitForEachOther) {
  Size(kPool, 1, 1);
  Size(kOther, 1, 1);
  Work(1, kPool, 2, kTask);
  Work(1, kOther, 3, kTask + 1);
  Queue(2, kOther, kTask + 2);
  Get(2, kTask + 2);
  Get(3, kTask);
  Get(1, kTask);
  EXPECT_EQ(SayAll(),
            "* DEADLOCK: pool-2 waits in FutureTask.get at Inventory.reserve (Inventory.java:42) "
            "for a task that is queued in the pool of pool-3; pool-3 waits in FutureTask.get at "
            "Inventory.reserve (Inventory.java:42) for the task that pool-2 runs. main waits for "
            "them, too.\n");
}

TEST_F(PoolDeadlocks, ALockAndAPool) {
  Size(kPool, 2, 2);
  for (uint32_t i = 0; i < 2; i++) Work(1, kPool, 2 + i, kTask + i);
  Queue(1, kPool, kTask + 2);
  for (uint32_t i = 0; i < 2; i++) {
    Line("LockAcquire," + Hash(2 + i) + ",000000A2,00000001,1;00000012;00000000");
  }
  Get(1, kTask + 2);
  std::string text = SayAll();
  EXPECT_TRUE(Has(text,
                  "main waits in FutureTask.get at Inventory.reserve (Inventory.java:42) for "
                  "a task that is queued in the pool of pool-2 and pool-3"))
      << text;
  EXPECT_TRUE(Has(text, "pool-3 waits for the lock ")) << text;
}

TEST_F(PoolDeadlocks, AThreadThatWaitsForItself) {
  Size(kPool, 1, 1);
  Work(1, kPool, 2, kTask);
  Get(2, kTask);
  Get(1, kTask);
  EXPECT_EQ(SayAll(),
            "* DEADLOCK: pool-2 waits in FutureTask.get at Inventory.reserve (Inventory.java:42) "
            "for the task that it runs itself. main waits for it, too.\n");
}

TEST_F(PoolDeadlocks, ACompletableFutureOfATask) {
  Size(kPool, 1, 1);
  Work(1, kPool, 2, kTask);
  Queue(2, kPool, kTask + 1);
  Line("TaskCompletes,00000002," + Hash(kTask + 1) + ",000000FE,0");
  Get(2, 0xFE);
  Get(1, kTask);
  EXPECT_EQ(SayAll(),
            "* DEADLOCK: pool-2, the only thread of a pool, waits in FutureTask.get at "
            "Inventory.reserve (Inventory.java:42) for a task that is queued in this same pool. "
            "main waits for it, too.\n");
}

// A timer may complete the future, and main may run the task itself.
TEST_F(PoolDeadlocks, AThreadThatCanGoOnMayHelp) {
  RunAnother();
  Size(kPool, 1, 1);
  Work(1, kPool, 2, kTask);
  Queue(2, kPool, kTask + 1);
  Get(2, kTask + 1);
  Get(1, kTask);
  EXPECT_EQ(SayAll(), "");
}

// It may complete the future, as orTimeout asks it to.
TEST_F(PoolDeadlocks, ADelayThreadMayCompleteAFuture) {
  Thread(8, "CompletableFutureDelayScheduler");
  Size(kPool, 1, 1);
  Work(1, kPool, 2, kTask);
  Queue(2, kPool, kTask + 1);
  Line("TaskCompletes,00000002," + Hash(kTask + 1) + ",000000FE,0");
  Get(2, 0xFE);
  EXPECT_EQ(SayAll(), "");
}

TEST_F(PoolDeadlocks, OneThreadThatRunsCanTakeTheTask) {
  Size(kPool, 2, 2);
  for (uint32_t i = 0; i < 2; i++) Work(1, kPool, 2 + i, kTask + i);
  Queue(2, kPool, kTask + 2);
  Get(2, kTask + 2);
  EXPECT_EQ(SayAll(), "");
}

TEST_F(PoolDeadlocks, ATimeLimitEndsTheWait) {
  Size(kPool, 1, 1);
  Work(1, kPool, 2, kTask);
  Queue(2, kPool, kTask + 1);
  Get(2, kTask + 1, "00000038");
  EXPECT_EQ(SayAll(), "");
}

TEST_F(PoolDeadlocks, APoolThatCanGrowTakesTheTask) {
  Size(kPool, 1, 2, 10);
  Work(1, kPool, 2, kTask);
  Queue(2, kPool, kTask + 1);
  Get(2, kTask + 1);
  EXPECT_EQ(SayAll(), "");
}

}  // namespace
