#include "tests/tools/orca/answer/time_lines.h"

namespace {

const Kinds kKinds = {FINDING_lock, FINDING_no_lock};

std::string SayLocks(struct model *m) { return Say(m, kKinds); }

// The lifetimes of the threads add up to 38.6 s. worker-2 is blocked in price for 1.5 s while it
// holds A1.
TEST(FindLocks, DescribesTheWorstLocks) {
  SmallModel small;
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(
      Has(text,
          "* Lock com.acme.Inventory@000000A1: threads, mostly worker-1, were blocked 4 times for "
          "2.88 s in total (longest 2.00 s), 96 % of it at Inventory.reserve "
          "(Inventory.java:42); it was held most by worker-2, for 2.50 s of this time, mostly at "
          "OrderService.price (OrderService.java:88). That is 66 % of all time that threads waited "
          "for locks, 7.4 % of all thread time, and 15 % of the time of these threads. 1 thread "
          "was still blocked on it when the recording ended.\n"))
      << text;
  // The title of the second lock has its place. The semaphore is a signal.
  EXPECT_TRUE(
      Has(text,
          "* Monitor in OrderService.price:88 (Object@000000A2): worker-2 was blocked 1 time "
          "for 1.50 s; it was held by worker-1, at Inventory.reserve (Inventory.java:42). "
          "That is "))
      << text;
  EXPECT_FALSE(Has(text, "emaphore")) << text;
}

// worker-2 sleeps while it holds A1.
TEST(FindLocks, ShowsTheHoldersLocation) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.0000000000,ThreadStarted,00000002,worker-1\n"
                    "100.0000000001,ThreadStarted,00000003,worker-2\n"
                    "101.0000000000,ThreadSleep,00000003,2;00000003;FFFFFFFF;00000012;00000000\n"
                    "101.2500000000,MonitorContendedEnter,00000002,000000A1,00000003,0\n"
                    "101.5000000000,ThreadSlept,00000003,2;00000003;FFFFFFFF;00000012;00000000\n"
                    "101.5000000001,MonitorContendedEntered,00000002,000000A1,0\n"
                    "102.2500000000,MonitorContendedEnter,00000002,000000A1,00000003,0\n"
                    "102.2500000001,MonitorContendedEntered,00000002,000000A1,0\n");
  small.files.Write(DUMP_SAMPLES, "");
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(
      Has(text,
          "; it was held by worker-2, mostly asleep at Inventory.reserve (Inventory.java:42). That "
          "is"))
      << text;
  small.Read();
  small.model.recording.all_events = ANSWER_LINES + 1;  // too many for another pass
  text = SayLocks(&small.model);
  EXPECT_TRUE(Has(text, "; when threads began to wait, it was held by worker-2. That is")) << text;
}

// Half of the shortest time that a line can tell is nothing.
TEST(FindLocks, NamesNoHolderOfTheShortestWait) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.0000000000,ThreadStarted,00000002,worker-1\n"
                    "100.0000000000,MonitorContendedEnter,00000002,000000A1,00000000,0\n"
                    "100.0000000001,MonitorContendedEntered,00000002,000000A1,0\n");
  small.files.Write(DUMP_SAMPLES, "");
  small.files.Replace(DUMP_INFO, "end.monotonic=110.0000000000", "end.monotonic=100.0000000002");
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text, "000000A1: worker-1 was blocked 1 time for ")) << text;
  EXPECT_TRUE(Has(text, "for 0 s; its owner is not known.\n")) << text;
}

TEST(FindLocks, SaysWhichLocksWereNotRecorded) {
  const struct {
    const char *events, *sentence;
  } cases[] = {
      {"wait+sleep", "* Monitors and locks were not recorded.\n"},
      {"wait+monitor", "* No thread was blocked on a monitor; other locks were not recorded.\n"},
      {"lock", "* No thread waited for a lock; monitors were not recorded.\n"},
      {"lock+monitor", "* No thread waited for a lock.\n"},
  };
  for (const auto &c : cases) {
    SmallModel small;
    small.files.Write(DUMP_EVENTS, "");
    small.files.Replace(DUMP_INFO, "events=all", std::string("events=") + c.events);
    EXPECT_TRUE(Has(SayLocks(small.Read()), c.sentence)) << c.sentence;
  }
}

// With threshold=10ms, waits of up to 10 ms can add up to any time.
TEST(FindLocks, SaysThatShortWaitsWereLeftOut) {
  const struct {
    const char *events, *lines, *sentence;
  } cases[] = {
      {"wait+monitor", "",
       "* No thread was blocked on a monitor for 10ms or longer; other locks were not "
       "recorded.\n"},
      {"lock", "",
       "* No thread waited for a lock for 10ms or longer; monitors were not recorded.\n"},
      {"all", "", "* No thread waited for a lock for 10ms or longer.\n"},
      {"all",
       "101.0000000000,MonitorContendedEnter,00000002,000000A1,00000000,0\n"
       "101.0110000000,MonitorContendedEntered,00000002,000000A1,0\n",
       "* Threads hardly waited for locks: 11.0 ms in total; waits shorter than 10ms can be "
       "missing.\n"},
      {"all",
       "101.0000000000,WriteLockAcquire,00000002,000000A3,00000001,0\n"
       "103.0000000000,WriteLockAcquired,00000002,000000A3,0\n"
       "104.0000000000,LockAcquire,00000002,000000A3,00000001,0\n"
       "104.0500000000,LockAcquired,00000002,000000A3,0\n",
       " That is 98 % of all recorded time that threads waited for locks, 8.3 % of all thread "
       "time, and 22 % of the time of this thread."},
  };
  for (const auto &c : cases) {
    SmallModel small;
    small.files.Write(DUMP_EVENTS, c.lines);
    small.files.Replace(DUMP_INFO, "events=all",
                        std::string("events=") + c.events + ",threshold=10ms");
    std::string text = SayLocks(small.Read());
    EXPECT_TRUE(Has(text, c.sentence)) << text;
  }
}

// The threads of short waits are not known. A semaphore's short calls may have waited, too.
TEST(FindLocks, CountsShortWaits) {
  SmallModel small;
  AddShortCalls(&small.files);
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(
      text,
      "* Lock com.acme.Inventory@000000A1: threads were blocked 1,004 times for 6.88 s in "
      "total (longest 2.00 s; 4 times for 10ms or longer, 2.88 s), 98 % of it at "
      "Inventory.reserve (Inventory.java:42); where that is known, it was held most by worker-2, "
      "for 2.50 s of this time, mostly at OrderService.price (OrderService.java:88). That is 82 % "
      "of "
      "all recorded time that threads waited for locks, and 18 % of all thread time."))
      << text;
  EXPECT_TRUE(Has(text, ": worker-2 was blocked 1 time for 1.50 s; ")) << text;
}

TEST(FindLocks, KnowsThatNoWaitIsMissing) {
  const struct {
    const char *counts, *sentence;
  } cases[] = {
      {"109.0000000000,ObjectWait,000000A2,5,900,500,0\n", "* No thread waited for a lock.\n"},
      {"109.0000000000,SemaphoreAcquire,000000A3,5,900,500,0\n",
       "* No thread waited for a lock for 10ms or longer.\n"},
      {"109.0000000000,MonitorContendedEnter,000000A1,5,9000000,4000000,0\n",
       "* Threads hardly waited for locks: 9.00 ms in total.\n"},
      {"109.0000000000,MonitorContendedEnter,000000A1,5,9000000,4000000,0\n"
       "109.0000000001,SemaphoreAcquire,000000A3,5,900,500,0\n",
       "* Threads hardly waited for locks: 9.00 ms in total; waits shorter than 10ms can be "
       "missing.\n"},
      {"109.0000000000,LockAcquire,000000A2,600,3000000000,9000000,0\n",
       "* Lock java.lang.Object@000000A2: threads waited 600 times for 3.00 s in total (longest "
       "9.00 ms; never for 10ms or longer); its owner is not known. That is "
       "7.7 % of all thread time.\n"},
      {"109.0000000000,LockAcquire,000000A2,600,3000000000,9000000,0\n"
       "109.0000000001,LockAcquire,00000000,1,9000000,9000000,0\n",
       "* Lock java.lang.Object@000000A2: threads waited at least 600 times for at least 3.00 s in "
       "total (longest at least 9.00 ms; never for 10ms or longer); its owner is not known. That "
       "is "
       "at least "},
      {"109.0000000000,WriteLockAcquire,00000000,600,3000000000,9000000,0\n",
       "* Several locks (write side), not told apart: threads waited 600 times for 3.00 s in total "
       "(longest 9.00 ms; never for 10ms or longer)"},
  };
  for (const auto &c : cases) {
    SmallModel small;
    AddShortCalls(&small.files);
    small.files.Write(DUMP_EVENTS,
                      "100.0000000000,ThreadStarted,00000001,main\n"
                      "100.0000000000,ThreadStarted,00000002,worker-1\n"
                      "100.0000000000,ThreadStarted,00000003,worker-2\n"
                      "101.5000000000,ThreadStarted,00000004,poller\n");
    small.files.Write(DUMP_COUNTS, c.counts);
    std::string text = SayLocks(small.Read());
    EXPECT_TRUE(Has(text, c.sentence)) << text;
  }
}

TEST(FindLocks, ANegligibleFurtherLockIsLeftOut) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,WriteLockAcquire,00000002,000000A3,00000001,0\n"
                    "103.0000000000,WriteLockAcquired,00000002,000000A3,0\n"
                    "104.0000000000,LockAcquire,00000002,000000A3,00000001,0\n"
                    "104.0500000000,LockAcquired,00000002,000000A3,0\n");
  small.files.Write(DUMP_COUNTS, "104.0000000000,WriteLockAcquired,000000A3,1234\n");
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(
      text,
      "* Write side of the lock java.util.concurrent.Semaphore@000000A3: thread 00000002 waited "
      "1 of 1,234 times for 2.00 s; it was held by "
      "thread 00000001. That is 98 % of all time that threads waited for locks"))
      << text;
  EXPECT_FALSE(Has(text, "* Lock")) << text;  // less than 1 % of the time
}

// 0 would say that nothing of it is on the path.
TEST(FindLocks, ThePathIsKnownOnlyWithBounds) {
  for (bool is_known : {false, true}) {
    SmallModel small;
    Said said;
    said.answer.model = small.Read();
    struct bounds *b = &said.answer.bounds;
    b->known = is_known;
    b->of_run = true;
    b->work = TICKS_PER_S;
    ASSERT_TRUE(tally_add(&b->locks, small.model.locks.rows[0].id, 0, 1, TICKS_PER_S / 2));
    tally_sort(&b->locks);
    said.Find(find_locks);
    ASSERT_FALSE(said.List({FINDING_lock}).empty());
    auto *lock = static_cast<struct found_lock *>(said.List({FINDING_lock})[0]->row);
    EXPECT_EQ(lock->path_is_known, is_known);
    EXPECT_EQ(lock->whole_path, is_known ? 1000000000u : 0u);
  }
}

// Of a recording by attach: it is not known how long it had waited before.
TEST(FindLocks, AWaitFromBeforeTheRecordingTookAtLeastSoLong) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.0000000000,ThreadStarted,00000002,worker-1\n"
                    "100.0000000001,OpenCall,00000002\n"
                    "100.0000000001,LockAcquire,00000002,000000A1,00000003,0\n");
  small.files.Write(DUMP_SAMPLES, "");
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text, "worker-1 waited 1 time for at least 10.0 s")) << text;
  EXPECT_EQ(small.model.locks.rows[0].older, 1u);
  EXPECT_TRUE(locks_has_least_longest(&small.model.locks, &small.model.locks.rows[0]));
}

// main may wait for threads that run until a fixed time. Then its end says nothing of what they
// would do without the lock: a small part of the path, or no gain of the run.
TEST(FindLocks, NeverSaysThatALockGainsNothingIfItTakesMuchOfTheTimeOfItsWaiters) {
  const struct {
    ticks_t on_path;
    int ended; /* of the waiter, whose life began at 100 */
    bool is_known;
    double least_gain;
    size_t gains;
  } cases[] = {{0, 105, false, 0.99, 0},
               {TICKS_PER_S / 25, 105, false, 0.99, 0},
               {TICKS_PER_S / 2, 105, true, 0.99, 0},
               {TICKS_PER_S / 2, 105, true, 1.2, 1},
               {0, 111, true, 0.99, 1}};
  for (const auto &c : cases) {
    SmallModel small;
    small.files.Write(DUMP_EVENTS,
                      "100.0000000000,ThreadStarted,00000002,worker-1\n"
                      "101.0000000000,MonitorContendedEnter,00000002,000000A1,00000003,0\n"
                      "102.0000000000,MonitorContendedEntered,00000002,000000A1,0\n" +
                          std::to_string(c.ended) + ".0000000000,ThreadEnded,00000002\n");
    small.files.Write(DUMP_SAMPLES, "");
    small.files.Replace(DUMP_INFO, "end.monotonic=110", "end.monotonic=" + std::to_string(c.ended));
    Said said;
    said.answer.model = small.Read();
    struct bounds *b = &said.answer.bounds;
    b->known = b->of_run = b->without_lock.known = true;
    b->work = TICKS_PER_S;
    b->lock_id = small.model.locks.rows[0].id;
    b->without_lock.gain = {c.least_gain, c.least_gain + 0.01, c.least_gain + 0.02};
    ASSERT_TRUE(tally_add(&b->locks, b->lock_id, 0, 1, c.on_path));
    tally_sort(&b->locks);
    said.Find(find_locks);
    ASSERT_EQ(said.List({FINDING_lock}).size(), 1u);
    auto *lock = static_cast<struct found_lock *>(said.List({FINDING_lock})[0]->row);
    EXPECT_EQ(lock->waiters_lived, c.ended == 105 ? 5000000000u : 0u);
    EXPECT_EQ(lock->path_is_known, c.is_known);
    EXPECT_EQ(lock->gain.num, c.gains);
  }
}

// What the lock may lack was shorter than its longest wait.
TEST(FindLocks, KnowsTheLongestWaitOfALockThatMayHaveMore) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_COUNTS,
                     "109.6000000000,MonitorContendedEnter,00000000,3,6000000,3000000,0\n");
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text,
                  "threads were blocked at least 1,004 times for at least 6.88 s in total (longest "
                  "2.00 s; 4 times"))
      << text;
}

// With a threshold, acquisitions before the first wait for a lock need not be counted.
TEST(FindLocks, AThresholdMakesTheAttemptsALeastNumber) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "engine=weave", "threshold=10ms");
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,LockAcquire,00000002,000000A3,00000001,0\n"
                    "103.0000000000,LockAcquired,00000002,000000A3,0\n");
  small.files.Write(DUMP_COUNTS, "104.0000000000,LockAcquired,000000A3,1234\n");
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text, " 1 of at least 1,234 times for 2.00 s")) << text;
}

// 2 ms of 10 s.
TEST(FindLocks, SaysThatThreadsHardlyWaited) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,MonitorContendedEnter,00000002,000000A1,00000000,0\n"
                    "101.0020000000,MonitorContendedEntered,00000002,000000A1,0\n");
  EXPECT_EQ(SayLocks(small.Read()), "* Threads hardly waited for locks: 2.00 ms in total.\n");
  small.files.Write(DUMP_EVENTS, "");
  EXPECT_EQ(SayLocks(small.Read()), "* No thread waited for a lock.\n");
}

class FindLocksTime : public IoLines {
 protected:
  // The threads are in I/O for 10 s each.
  void StartThreads(uint32_t num) {
    for (uint32_t thread = 1; thread <= num; thread++) {
      Start(thread, "worker-" + std::to_string(thread));
      Sampled(thread, 0, 9.5, "Native", 0, kRead);
    }
  }
  std::string SayThem() { return SayKinds(kKinds); }
};

// 1.6 % of the recording, but only 0.4 % of the time in which threads worked.
TEST_F(FindLocksTime, ALockIsLittleBesideMuchIo) {
  StartThreads(4);
  Blocked(1, 1, 1.08);
  Blocked(2, 1, 1.08);
  EXPECT_EQ(SayThem(), "* Threads hardly waited for locks: 160 ms in total.\n");
}

TEST_F(FindLocksTime, ALockThatIsAPartOfTheWorkIsDescribed) {
  StartThreads(4);
  Blocked(1, 1, 1.4);
  Blocked(2, 1, 1.4);
  EXPECT_EQ(SayThem().find("* Lock com.acme.Inventory@000000A1: "), 0u);
}

// 6 % of the recording for this thread, but only 0.1 % of the time in which threads worked.
TEST_F(FindLocksTime, ALockThatKeepsOneThreadIsDescribed) {
  StartThreads(60);
  Blocked(1, 1, 1.6);
  EXPECT_EQ(SayThem().find("* Lock com.acme.Inventory@000000A1: "), 0u);
}

TEST(FindLocks, AnOwnerIsKnownFromItsAcquisition) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,MonitorEntered,00000003,000000A1,0\n"
                    "101.0000000001,MonitorContendedEnter,00000002,000000A1,00000000,0\n"
                    "101.2500000000,MonitorExit,00000003,000000A1,0\n"
                    "101.2500000001,MonitorContendedEntered,00000002,000000A1,0\n");
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text, "; it was held by thread 00000003. That is 0.9 % of all thread time."))
      << text;
}

// worker-2 releases the semaphore 200 ms before worker-1 gets it.
TEST(FindLocks, SaysHowMuchWasHandoff) {
  SmallModel small;
  std::string stack = ",000000A3,1;00000005;00000000\n";
  small.files.Write(DUMP_EVENTS, "101.0000000000,SemaphoreAcquire,00000003" + stack +
                                     "101.0000000001,SemaphoreAcquired,00000003" + stack +
                                     "102.0000000000,SemaphoreAcquire,00000002" + stack +
                                     "102.8000000000,SemaphoreRelease,00000003" + stack +
                                     "103.0000000000,SemaphoreAcquired,00000002" + stack);
  EXPECT_TRUE(Has(SayLocks(small.Read()),
                  " 200 ms of the time (20 %) was hand-off: a permit was free, but the thread that "
                  "got it next did not run yet."));
}

// The thread that releases the permits acquires none: it hands them out.
TEST(FindLocks, SaysWhoHandsOutPermits) {
  SmallModel small;
  std::string stack = ",000000A3,1;00000005;00000000\n";
  small.files.Write(DUMP_EVENTS, "101.0000000000,SemaphoreAcquire,00000002" + stack +
                                     "101.0000000001,SemaphoreAcquired,00000002" + stack +
                                     "102.0000000000,SemaphoreAcquire,00000002" + stack +
                                     "102.8000000000,SemaphoreRelease,00000003" + stack +
                                     "103.0000000000,SemaphoreAcquired,00000002" + stack +
                                     "103.5000000000,SemaphoreRelease,00000003" + stack);
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text, "; both calls of release came from thread 00000003 at ")) << text;
  EXPECT_FALSE(Has(text, "owner")) << text;
}

TEST(FindLocks, SaysNothingOfANegligibleHandoff) {
  SmallModel small;
  EXPECT_FALSE(Has(SayLocks(small.Read()), "hand-off"));  // 50 ms of 750 ms
}

TEST(FindLocks, SaysHowOftenTheOnlyOwnerIsKnown) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "102.0000000000,MonitorContendedEnter,00000002,000000A1,00000001,0\n"
                    "102.2500000000,MonitorContendedEntered,00000002,000000A1,0\n"
                    "103.0000000000,MonitorContendedEnter,00000002,000000A1,00000000,0\n"
                    "103.2500000000,MonitorContendedEntered,00000002,000000A1,0\n"
                    "104.0000000000,ThreadStarted,00000001,main\n");
  EXPECT_TRUE(Has(SayLocks(small.Read()), "; it was held by main, for 250 ms of this time."));
}

TEST(FindLocks, SaysThatTheOwnerIsNotKnown) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "102.0000000000,MonitorContendedEnter,00000002,000000A1,00000000,0\n102."
                    "2500000000,MonitorContendedEntered,00000002,000000A1,0\n");
  EXPECT_TRUE(Has(SayLocks(small.Read()), "for 250 ms; its owner is not known. That is "));
}

// Each thread gets the lock from the one before, so that the first owner is not to blame.
TEST(FindLocks, HoldersInTurnAreCounted) {
  SmallModel small;
  std::string events;
  char line[120];
  for (int thread = 2; thread <= 7; thread++) {
    snprintf(line, sizeof line,
             "101.0%d00000000,MonitorContendedEnter,0000000%d,000000A1,00000001,0\n", thread,
             thread);
    events += line;
  }
  for (int thread = 2; thread <= 7; thread++) {
    snprintf(line, sizeof line, "10%d.0000000000,MonitorContendedEntered,0000000%d,000000A1,0\n",
             thread, thread);
    events += line;
  }
  small.files.Write(DUMP_EVENTS, events);
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text, "; it was held by 6 threads in turn")) << text;
}

// Half of the time is known at least. Otherwise the owners at the begin of the waits are told.
TEST(FindLocks, OwnersWhenThreadsBeganToWaitAreNoHolders) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.0000000000,ThreadStarted,00000001,main\n"
                    "102.0000000000,MonitorContendedEnter,00000002,000000A1,00000001,0\n"
                    "102.2500000000,MonitorContendedEntered,00000002,000000A1,0\n"
                    "103.0000000000,MonitorContendedEnter,00000003,000000A1,00000000,0\n"
                    "104.2500000000,MonitorContendedEntered,00000003,000000A1,0\n"
                    "105.0000000000,MonitorContendedEnter,00000004,000000A1,00000000,0\n"
                    "106.2500000000,MonitorContendedEntered,00000004,000000A1,0\n");
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text,
                  "; when threads began to wait, it was held by main (1 of the 1 times that "
                  "its owner is known)."))
      << text;
  small.files.Replace(DUMP_EVENTS,
                      "105.0000000000,MonitorContendedEnter,00000004,000000A1,00000000",
                      "105.0000000000,MonitorContendedEnter,00000004,000000A1,00000001");
  small.files.Replace(DUMP_EVENTS, "106.2500000000,MonitorC", "105.2500000000,MonitorC");
  text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text,
                  "; when threads began to wait, it was held by main (2 of the 2 times that "
                  "its owner is known)."))
      << text;
}

// It tries in vain to get the write side.
TEST(FindLocks, AReaderThatAsksForTheWriteSideIsNamed) {
  SmallModel small;
  small.files.Write(
      DUMP_EVENTS,
      "100.1000000000,ThreadStarted,00000002,worker-1\n"
      "102.0000000000,WriteLockTryAcquire,00000002,000000A2,00000000,1;00000010;00000000\n"
      "102.0000000001,ReadLockHeld,00000002,000000A2,0\n"
      "107.0000000000,WriteLockTryAcquireFailed,00000002,000000A2,1;00000010;00000000\n");
  std::string text = Say(small.Read(), {FINDING_lock});
  EXPECT_TRUE(Has(text, "; worker-1 held the read side itself meanwhile.")) << text;
  EXPECT_FALSE(Has(text, "not known")) << text;
}

// worker-1 waits for the write side, then worker-2 for the read side, while main sleeps as a
// reader.
TEST(FindLocks, BothSidesOfAReadWriteLockAreOneSentence) {
  SmallModel small;
  small.files.Write(
      DUMP_EVENTS,
      "100.0000000000,ThreadStarted,00000001,main\n"
      "100.0000000000,ThreadStarted,00000002,worker-1\n"
      "100.0000000000,ThreadStarted,00000003,worker-2\n"
      "101.0000000000,ThreadSleep,00000001,2;00000003;FFFFFFFF;00000012;00000000\n"
      "102.0000000000,WriteLockAcquire,00000002,000000A2,00000000,1;00000010;00000000\n"
      "102.0000000001,ReadLockHeld,00000001,000000A2,0\n"
      "102.0000000002,ReadLockAcquire,00000003,000000A2,00000000,1;00000011;00000000\n"
      "104.0000000000,ThreadSlept,00000001,2;00000003;FFFFFFFF;00000012;00000000\n"
      "104.0000000001,WriteLockAcquired,00000002,000000A2,1;00000010;00000000\n"
      "104.5000000000,ReadLockAcquired,00000003,000000A2,1;00000011;00000000\n");
  small.files.Write(DUMP_SAMPLES, "");
  std::string text = SayLocks(small.Read());
  EXPECT_EQ(text.find("* Read side of the lock "), 0u) << text;
  EXPECT_TRUE(Has(text,
                  "; it was held most by main as a reader, for 2.00 s of this time, mostly "
                  "asleep at Inventory.reserve (Inventory.java:42). "))
      << text;
  EXPECT_TRUE(Has(text,
                  ". For its write side, worker-1 waited 1 time for 2.00 s at "
                  "OrderService.price (OrderService.java:88).\n"))
      << text;
  EXPECT_FALSE(Has(text, "* Write side")) << text;
}

// Nearly all of the time is at one place, but not nearly all of the waits.
TEST(FindLocks, ThePlacesOfTheOtherSideAreCounted) {
  SmallModel small;
  small.files.Write(
      DUMP_EVENTS,
      "100.0000000000,ThreadStarted,00000002,worker-1\n"
      "100.0000000000,ThreadStarted,00000003,worker-2\n"
      "101.0000000000,ReadLockAcquire,00000003,000000A2,00000000,1;00000011;00000000\n"
      "102.0000000000,WriteLockAcquire,00000002,000000A2,00000000,1;00000010;00000000\n"
      "108.0000000000,WriteLockAcquired,00000002,000000A2,1;00000010;00000000\n"
      "108.1000000000,WriteLockAcquire,00000002,000000A2,00000000,1;00000012;00000000\n"
      "108.1001000000,WriteLockAcquired,00000002,000000A2,1;00000012;00000000\n"
      "109.0000000000,ReadLockAcquired,00000003,000000A2,1;00000011;00000000\n");
  small.files.Write(DUMP_SAMPLES, "");
  std::string text = SayLocks(small.Read());
  EXPECT_TRUE(Has(text,
                  ". For its write side, worker-1 waited 2 times for 6.00 s in total (longest "
                  "6.00 s), mostly (1 time) at OrderService.price (OrderService.java:88)"))
      << text;
}

// What threads do under a lock is why others wait for it.
TEST(FindLocks, AMethodThatTheHoldersRunIsToldBeforeTheLock) {
  SmallModel small;
  struct model *m = small.Read();
  const struct lock &lock = m->locks.rows[0];
  auto *hot = const_cast<struct cpu_method *>(cpu_hottest(&m->cpu));
  size_t num;
  const struct tally_row *places = tally_of(&m->locks.places, lock.id, &num);
  ASSERT_GT(num, 0u);
  m->cpu.total_ns = hot->self_ns = lock.blocked / TICKS_PER_NS - 1000;
  for (bool is_there : {true, false}) {
    hot->caller = is_there ? places[0].key : 0;
    Said said;
    said.answer.model = m;
    said.Find(find_locks);
    ticks_t weight = said.List({FINDING_lock}).at(0)->weight;
    EXPECT_EQ(weight, is_there ? m->cpu.total_ns * TICKS_PER_NS - 1 : lock.blocked);
  }
}

// The nodes of a map, for example.
TEST(FindLocks, LocksOfOneClassAtOnePlaceAreOneSentence) {
  SmallModel small;
  std::string events, stack = ",2;00000010;00000000;00000011;00000000\n";
  small.files.Write(DUMP_OBJECTS, "");
  char line[120];
  for (int i = 0; i < 3; i++) {
    snprintf(line, sizeof line, "100.0000000000,000000B%d,000000C1\n", i);
    small.files.Append(DUMP_OBJECTS, line);
    snprintf(line, sizeof line, "10%d.0000000000,MonitorContendedEnter,00000002,000000B%d,00000003",
             2 * i + 1, i);
    events += line + stack;
    snprintf(line, sizeof line, "10%d.5000000000,MonitorContendedEntered,00000002,000000B%d",
             2 * i + 1, i);
    events += line + stack;
  }
  small.files.Write(DUMP_EVENTS,
                    "100.0000000000,ThreadStarted,00000002,worker\n"
                    "100.0000000001,ThreadStarted,00000003,loader\n" +
                        events);
  std::string text = SayLocks(small.Read());
  EXPECT_EQ(text.find("* 3 monitors at OrderService.price (OrderService.java:88), of the class "
                      "java.lang.Object: worker was blocked 3 times for 1.50 s in total (longest "
                      "500 ms); they were held by loader"),
            0u)
      << text;

  // A simulation removes one of them, and the row is about all.
  Said said;
  said.answer.model = &small.model;
  struct bounds *b = &said.answer.bounds;
  b->known = b->of_run = b->without_lock.known = true;
  b->work = 10 * TICKS_PER_S;
  b->without_lock.gain = {0.99, 1, 1.01};
  for (size_t i = 0; i < small.model.locks.num; i++) {
    b->lock_id = small.model.locks.rows[i].id;
    ASSERT_TRUE(tally_add(&b->locks, b->lock_id, 0, 1, TICKS_PER_S));
  }
  tally_sort(&b->locks);
  said.Find(find_locks);
  text = said.Text(kKinds);
  EXPECT_TRUE(Has(text,
                  "; when threads began to wait, they were held by loader. They are 30 % of the "
                  "critical path.\n"))
      << text;
}

}  // namespace
