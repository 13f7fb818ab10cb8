#include "tools/orca/model/replay/contention.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

bool TakeStep(void *arg, const struct step *step) {
  return contention_take(static_cast<struct contention *>(arg), step);
}

class Contention : public testing::Test {
 protected:
  ~Contention() override {
    contention_free(&contention_);
    locks_free(&by_class_);
  }

  void Read(const struct filter *filter = nullptr, bool by_class = false) {
    struct model *m = small_.Read(filter);
    locks_ = &m->locks;
    if (by_class) {
      EXPECT_TRUE(locks_by_class(&m->locks, m->dump, &by_class_));
      locks_ = &by_class_;
    }
    EXPECT_TRUE(contention_start(&contention_, m, locks_));
    EXPECT_TRUE(replay(m, CONTENTION_LINES, TakeStep, &contention_));
    EXPECT_TRUE(contention_end(&contention_));
  }
  const struct contention_pair *FindPair(uint32_t blocked, uint32_t holder) {
    for (size_t i = 0; i < contention_.num_pairs; i++) {
      const struct contention_pair *pair = &contention_.pairs[i];
      if (pair->blocked == blocked && pair->holder == holder) return pair;
    }
    return nullptr;
  }
  // Returns how long holders of a lock were at a place while other threads waited, in ms.
  uint64_t GetMilliseconds(enum lock_sort sort, uint32_t object, uint64_t key) {
    for (size_t i = 0; i < locks_->num; i++) {
      if (locks_->rows[i].sort != sort || locks_->rows[i].object != object) continue;
      size_t num;
      const struct tally_row *rows = tally_of(&contention_.holder_places, locks_->rows[i].id, &num);
      for (size_t k = 0; k < num; k++) {
        if (rows[k].key == key) return rows[k].total * 1000 / kSecond;
      }
    }
    return 0;
  }

  SmallModel small_;
  const struct locks *locks_ = nullptr;
  struct locks by_class_ = {};
  struct contention contention_ = {};
};

// worker-1 waits 0.5 s and at the end 2 s for worker-2. worker-2 waits 0.125 s and 1.5 s for
// worker-1. The wait of 0.25 s is not counted, because its holder is unknown.
TEST_F(Contention, CountsTheWaitsOfEachPairOfThreads) {
  Read();
  ASSERT_EQ(contention_.num_pairs, 2u);
  EXPECT_EQ(contention_.pairs[0].blocked, 2u);
  EXPECT_EQ(contention_.pairs[0].holder, 3u);
  EXPECT_EQ(contention_.pairs[0].times, 2u);
  EXPECT_EQ(contention_.pairs[0].total, kSecond * 5 / 2);
  EXPECT_EQ(contention_.pairs[0].longest, 2 * kSecond);
  EXPECT_EQ(contention_.pairs[1].times, 2u);
  EXPECT_EQ(contention_.pairs[1].total, kSecond * 1625 / 1000);
  size_t num;
  tally_of(&contention_.pair_locks, contention_.pairs[1].id, &num);
  EXPECT_EQ(num, 2u);
}

TEST_F(Contention, CountsAWaitWhoseOwnerBecomesKnownLater) {
  small_.files.Replace(DUMP_EVENTS, "102.2500000000,",
                       "102.1000000000,MonitorOwner,00000002,000000A1,00000003,0\n102.2500000000,");
  Read();
  EXPECT_EQ(FindPair(2, 3)->times, 3u);
  EXPECT_EQ(FindPair(2, 3)->total, kSecond * 11 / 4);
}

// worker-2 was not seen during the waits from 101.0 to 101.5 and from 108.0 to 108.5. Then it is
// blocked itself, in price:88. While worker-2 waits for A1, the sample of worker-1 is in price:88,
// too.
TEST_F(Contention, FindsThePlacesOfHolders) {
  Read();
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, 0), 1000u);
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, place(0x10, 88)), 1625u);
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA2, place(0x12, 42)), 1500u);
}

// The only event of a holder during a wait is at 103.0625.
TEST_F(Contention, UsesTheLastEventIfThereIsNoSample) {
  small_.files.Write(DUMP_SAMPLES, "");
  small_.files.Replace(DUMP_EVENTS, "103.1250000000,",
                       "103.0625000000,ObjectNotifyAll,00000002,000000A1,"
                       "2;00000002;FFFFFFFF;00000012;00000000\n103.1250000000,");
  Read();
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, 0), 1062u);
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, place(0x12, 42) | CONTENTION_GUESSED), 62u);
}

TEST_F(Contention, GroupsLocksByClass) {
  small_.files.Replace(DUMP_OBJECTS, "000000A2,000000C1", "000000A2,000000C5");
  Read(nullptr, true);
  ASSERT_EQ(locks_->num, 2u);
  EXPECT_EQ(locks_->rows[0].num_objects, 2u);
  EXPECT_EQ(locks_->rows[0].object, 0u);
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0, place(0x12, 42)), 1500u);
}

TEST_F(Contention, AppliesTheFilter) {
  struct filter filter = {};
  filter.from = 109 * kSecond;
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-1"}, 1};
  Read(&filter);
  ASSERT_EQ(contention_.num_pairs, 1u);
  EXPECT_EQ(FindPair(2, 3)->total, kSecond);
  EXPECT_EQ(FindPair(2, 3)->times, 1u);
}

// 2 holds the only permit, and 1 waits until 2 releases it. Later 3 acquires a free permit.
TEST_F(Contention, IgnoresUncontendedAcquisitionsOfASemaphore) {
  const char *const stack = ",1;00000005;00000000\n";
  auto line = [&](const char *time, const char *event, const char *thread) {
    return std::string(time) + "," + event + "," + thread + ",000000A3" + stack;
  };
  small_.files.Write(DUMP_EVENTS, line("101.0000000000", "SemaphoreAcquire", "00000002") +
                                      line("101.0000000001", "SemaphoreAcquired", "00000002") +
                                      line("102.0000000000", "SemaphoreAcquire", "00000001") +
                                      line("103.0000000000", "SemaphoreRelease", "00000002") +
                                      line("103.0000000001", "SemaphoreAcquired", "00000001") +
                                      line("104.0000000000", "SemaphoreAcquire", "00000003") +
                                      line("104.0000000001", "SemaphoreAcquired", "00000003"));
  Read();
  ASSERT_EQ(contention_.num_pairs, 1u);
  EXPECT_EQ(FindPair(1, 2)->times, 1u);
  EXPECT_EQ(FindPair(1, 2)->longest, kSecond);
  EXPECT_EQ(contention_time(&contention_.handoffs, locks_->rows[0].id), 1u);
}

TEST_F(Contention, MemoryDoesNotGrowWithEvents) {
  std::string events;
  for (int i = 0; i < 2000; i++) {
    char text[200];
    snprintf(text, sizeof text,
             "10%d.%03d0000000,MonitorContendedEnter,00000002,000000A1,00000003,1;00000012;0\n",
             i / 1000, i % 1000);
    events += std::string(text, strlen(text) - 2) + "00000000\n";
    snprintf(text, sizeof text,
             "10%d.%03d5000000,MonitorContendedEntered,00000002,000000A1,1;00000012;00000000\n",
             i / 1000, i % 1000);
    events += text;
  }
  small_.files.Write(DUMP_EVENTS, events);
  Read();
  EXPECT_EQ(FindPair(2, 3)->times, 2000u);
  EXPECT_EQ(FindPair(2, 3)->total, kSecond);
  EXPECT_EQ(contention_.num_waits, 1u);
}

// --- parts of the time -------------------------------------------------------------------------

// The stacks of the tests below. The frame of Run is the outermost one.
const char *const kRun = "1;00000011;00000000";
const char *const kGuarded = "2;00000010;00000000;00000011;00000000";  // price, which acquires
const char *const kInside = "3;00000012;00000000;00000010;00000010;00000011;00000000";
const char *const kOutside = "2;00000012;00000000;00000011;00000000";
const char *const kWaiting = "3;00000001;FFFFFFFF;00000010;00000010;00000011;00000000";
const char *const kUnlocking = "3;00000020;00000000;00000021;00000000;00000011;00000000";
const char *const kUnparking = "2;00000020;00000000;00000011;00000000";
const char *const kAcquire = "2;00000005;00000000;00000011;00000000";
const char *const kAcquireBulk = "2;00000022;00000000;00000011;00000000";
const char *const kRelease = "2;00000006;00000000;00000011;00000000";

// Threads 2, 3 and 4 use A1 as a monitor, a lock or a semaphore. Times are milliseconds after 101
// s.
class ContentionParts : public Contention {
 protected:
  ContentionParts() {
    small_.files.Replace(DUMP_CLASSES, "100.0000000000,000000C1",
                         "100.0000000000,000000D1,Ljava/util/concurrent/locks/LockSupport;,\n"
                         "100.0000000000,000000C1");
    small_.files.Replace(DUMP_METHODS, "100.0000000000,00000001",
                         "100.0000000000,00000020,unpark,(Ljava/lang/Thread;)V,000000D1,-1\n"
                         "100.0000000000,00000021,unlock,()V,000000D1,-1\n"
                         "100.0000000000,00000022,acquire,(I)V,000000C3,-1\n"
                         "100.0000000000,00000001");
    small_.files.Write(DUMP_SAMPLES, "");
  }

  static std::string Time(double ms) {
    char text[40];
    snprintf(text, sizeof text, "%.10f", 101 + ms / 1000);
    return text;
  }
  static std::string Hash(unsigned thread) { return "0000000" + std::to_string(thread); }
  // `about`: the object, and the owner if the event has one.
  void Add(double ms, const std::string &event, unsigned thread, const std::string &about,
           const std::string &stack = kRun) {
    events_ += Time(ms) + "," + event + "," + Hash(thread) + "," + about + "," + stack + "\n";
  }
  void Unpark(double ms, unsigned thread, unsigned woken, const std::string &stack = kUnlocking) {
    Add(ms, "ThreadUnpark", thread, Hash(woken), stack);
  }
  void Sample(double ms, unsigned thread, const std::string &stack) {
    std::string id = std::to_string(++num_samples_);
    samples_ += Time(ms) + ",Tick," + id + ",1000,4\n" + Time(ms) + ",Stack," + id + "," + stack +
                "\n" + Time(ms) + ",Sample," + Hash(thread) + ",Runnable,0," + id + "\n";
  }
  void ReadAll(const struct filter *filter = nullptr) {
    small_.files.Write(DUMP_EVENTS, events_);
    small_.files.Write(DUMP_SAMPLES, samples_);
    Read(filter);
    ASSERT_EQ(locks_->num, 1u);
  }
  double GetHandoff() { return ToMs(contention_time(&contention_.handoffs, locks_->rows[0].id)); }
  double GetHeld() { return ToMs(contention_time(&contention_.held, locks_->rows[0].id)); }
  double GetHeldBy(uint32_t waiter, uint32_t holder) {
    const struct contention_pair *pair = FindPair(waiter, holder);
    return pair == nullptr ? 0 : ToMs(pair->total);
  }
  static double ToMs(ticks_t time) { return static_cast<double>(time * 1000) / kSecond; }

  std::string events_, samples_;
  int num_samples_ = 0;
};

using ContentionLocks = ContentionParts;

// 2 waits for 3, which releases the lock after 100 ms. 2 gets it 25 ms later.
TEST_F(ContentionLocks, HandoffBeginsWithTheUnparkOfARelease) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 2);
  Add(125, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetHeld(), 100);
  EXPECT_EQ(GetHandoff(), 25);
}

// 3 wants the lock again before 2 gets it.
TEST_F(ContentionLocks, HandoffGoesOnWhenTheLastHolderWaitsToo) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 2);
  Add(105, "LockAcquire", 3, "000000A1,00000000");
  Add(125, "LockAcquired", 2, "000000A1");
  Unpark(130, 2, 3);
  Add(133, "LockAcquired", 3, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetHeldBy(3, 2), 5);
  EXPECT_EQ(GetHandoff(), 25 + 20 + 3);
}

TEST_F(ContentionLocks, AnUnparkOutsideOfAReleaseReleasesNothing) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 2, kUnparking);
  Add(125, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 125);
  EXPECT_EQ(GetHandoff(), 0);
}

// 3 releases the lock and gets it again before the woken 2 runs. When 3 acquired it is not known,
// but 2 ran within a millisecond.
TEST_F(ContentionLocks, ASecondWakeUpShowsThatTheLockWasNotFree) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 2);
  Unpark(200, 3, 2);
  Unpark(300, 3, 2);
  Add(300.5, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100 + 99 + 99);
  EXPECT_EQ(GetMilliseconds(LOCK_LOCK, 0xA1, 0), 298u) << "where 3 was is not known";
  EXPECT_EQ(GetHandoff(), 0.5);
  EXPECT_EQ(FindPair(2, 3)->times, 1u);
}

TEST_F(ContentionLocks, AnotherThreadCanGetTheLockFirst) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 2);
  Unpark(150, 4, 2);
  Add(160, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetHeldBy(2, 4), 49);
  EXPECT_EQ(GetHandoff(), 10);
}

// The first hand-off takes 40 ms. So the woken thread may have run only after 40 ms the second
// time.
TEST_F(ContentionLocks, AWokenThreadMayTakeAsLongAsTheLongestHandoff) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(10, 3, 2);
  Add(50, "LockAcquired", 2, "000000A1");
  Add(100, "LockAcquire", 4, "000000A1,00000002");
  Unpark(110, 2, 4);
  Unpark(140, 3, 4);
  Unpark(240, 3, 4);
  Add(241, "LockAcquired", 4, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(4, 2), 10);
  EXPECT_EQ(GetHeldBy(4, 3), 60);
  EXPECT_EQ(GetHandoff(), 41);
}

// A release wakes a waiter for a condition, which gets the lock without a line.
TEST_F(ContentionLocks, TheHolderIsNotKnownAfterAReleaseForAConditionsWaiter) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 4);
  Unpark(200, 4, 2);
  Add(210, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetHeld(), 100);
  EXPECT_EQ(GetHandoff(), 10);
}

TEST_F(ContentionLocks, AHolderThatWaitsForAConditionMayHaveReleasedTheLock) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Add(100, "ConditionAwait", 3, "000000A3");
  Add(150, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeld(), 100);
  EXPECT_EQ(GetHandoff(), 0);
}

// 4 can get the lock when its wait for a condition times out, and release it when it waits again.
TEST_F(ContentionLocks, WaitsForConditionsMakeAHandoffUnknown) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 2);
  Add(120, "ConditionAwait", 4, "000000A3");
  Add(150, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeld(), 100);
  EXPECT_EQ(GetHandoff(), 0);
}

TEST_F(ContentionLocks, AnOwnerInALineEndsAHandoff) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 2);
  Add(120, "LockAcquire", 4, "000000A1,00000003");
  Unpark(150, 3, 2);
  Add(151, "LockAcquired", 2, "000000A1");
  Add(160, "LockAcquired", 4, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100 + 30);
  EXPECT_EQ(GetHeldBy(4, 3), 30);
  EXPECT_EQ(GetHeldBy(4, 2), 9);
  EXPECT_EQ(GetHandoff(), 2);
}

// With locks=all the releases have lines, and the threads that get the lock first.
TEST_F(ContentionLocks, HandoffIsExactWithLinesOfReleases) {
  small_.files.Replace(DUMP_INFO, "engine=weave", "engine=weave,locks=all");
  Add(-10, "LockAcquire", 3, "000000A1,00000000");
  Add(-10, "LockAcquired", 3, "000000A1");
  Add(0, "LockAcquire", 2, "000000A1,00000000");
  Add(100, "LockRelease", 3, "000000A1");
  Add(130, "LockAcquire", 4, "000000A1,00000000");
  Add(130, "LockAcquired", 4, "000000A1");
  Add(150, "LockRelease", 4, "000000A1");
  Add(151, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetHeldBy(2, 4), 20);
  EXPECT_EQ(GetHandoff(), 31);
}

// 2 wants to write. 3 and 4 read. 4 still reads after the release of 3.
TEST_F(ContentionLocks, AReaderThatReleasesTheLockIsNotItsHolder) {
  small_.files.Replace(DUMP_INFO, "engine=weave", "engine=weave,locks=all");
  Add(-10, "ReadLockAcquire", 3, "000000A1,00000000");
  Add(-10, "ReadLockAcquired", 3, "000000A1");
  Add(0, "WriteLockAcquire", 2, "000000A1,00000000");
  Add(10, "ReadLockTryAcquire", 4, "000000A1,00000000");
  Add(10, "ReadLockTryAcquired", 4, "000000A1");
  Add(50, "ReadLockRelease", 3, "000000A1");
  Add(100, "ReadLockRelease", 4, "000000A1");
  Add(110, "WriteLockAcquired", 2, "000000A1");
  small_.files.Write(DUMP_EVENTS, events_);
  Read();
  EXPECT_EQ(GetHeldBy(2, 3), 10);
  EXPECT_EQ(GetHeldBy(2, 4), 0);
  for (size_t i = 0; i < locks_->num; i++) {
    EXPECT_EQ(contention_time(&contention_.handoffs, locks_->rows[i].id), 0u);
  }
}

TEST_F(ContentionLocks, KnowsNoHandoffIfLinesAreMissing) {
  small_.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 2);
  Add(125, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetHandoff(), 0);
}

// The lock is free at the end, and the first waiter has not run yet. 4 holds it before.
TEST_F(ContentionLocks, OpenWaitsCountUntilTheEnd) {
  Add(0, "LockAcquire", 2, "000000A1,00000003");
  Add(10, "LockAcquire", 4, "000000A1,00000003");
  Unpark(100, 3, 4);
  Add(120, "LockAcquired", 4, "000000A1");
  Unpark(8000, 4, 2);
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetHeldBy(2, 4), 7880);
  EXPECT_EQ(GetHandoff(), 40);
  EXPECT_EQ(FindPair(2, 4)->times, 1u);
}

// The filter shows only 2, but 4 gets the lock before 2.
TEST_F(ContentionLocks, SeesTheOtherWaitersInSpiteOfAFilter) {
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-1"}, 1};
  events_ = "100.0000000000,ThreadStarted,00000002,worker-1\n";
  Add(0, "LockAcquire", 4, "000000A1,00000003");
  Add(10, "LockAcquire", 2, "000000A1,00000003");
  Unpark(100, 3, 4);
  Add(120, "LockAcquired", 4, "000000A1");
  Unpark(150, 4, 2);
  Add(155, "LockAcquired", 2, "000000A1");
  ReadAll(&filter);
  EXPECT_EQ(contention_.num_pairs, 2u);
  EXPECT_EQ(GetHeldBy(2, 3), 90);
  EXPECT_EQ(GetHeldBy(2, 4), 30);
  EXPECT_EQ(GetHandoff(), 25);
}

// 3 gets the lock at 50 ms; its samples before that show where it waited.
TEST_F(ContentionLocks, APlaceFromBeforeTheAcquisitionIsNotThatOfTheHolder) {
  Add(0, "LockAcquire", 2, "000000A1,00000004");
  Add(5, "LockAcquire", 3, "000000A1,00000004", kGuarded);
  Sample(20, 3, kGuarded);
  Add(50, "LockAcquired", 3, "000000A1", kGuarded);
  Sample(80, 3, kInside);
  Add(90, "ObjectNotifyAll", 3, "000000A2", kOutside);
  Unpark(100, 3, 2);
  Add(100, "LockAcquired", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetMilliseconds(LOCK_LOCK, 0xA1, place(0x10, 88) | CONTENTION_GUESSED), 30u);
  EXPECT_EQ(GetMilliseconds(LOCK_LOCK, 0xA1, place(0x10, 88)), 0u);
  EXPECT_EQ(GetMilliseconds(LOCK_LOCK, 0xA1, place(0x12, 42)), 20u);
}

using ContentionMonitors = ContentionParts;

// 3 acquired the monitor in price. It leaves price at 50 ms, and is inside again at 70 ms.
TEST_F(ContentionMonitors, AHolderOutsideOfItsFrameHoldsNothing) {
  Add(0, "MonitorContendedEnter", 2, "000000A1,00000003");
  Add(10, "MonitorHeld", 3, "000000A1", kGuarded);
  Sample(20, 3, kInside);
  Add(50, "ThreadSleep", 3, "", kOutside);
  events_.replace(events_.find("00000003,,"), 10, "00000003,");  // a sleep has no object
  Add(60, "ThreadSlept", 3, "", kOutside);
  events_.replace(events_.find("00000003,,"), 10, "00000003,");
  Sample(70, 3, kInside);
  Add(100, "MonitorContendedEntered", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 50 + 30);
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, place(0x12, 42)), 60u);
  EXPECT_EQ(GetHandoff(), 0) << "other threads may have had it";
}

TEST_F(ContentionMonitors, AStackWithAnotherOutermostMethodShowsNothing) {
  Add(0, "MonitorContendedEnter", 2, "000000A1,00000003");
  Add(10, "MonitorHeld", 3, "000000A1", kGuarded);
  Add(50, "ObjectNotifyAll", 3, "000000A2", "1;00000012;00000000");
  Add(100, "MonitorContendedEntered", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, place(0x10, 88) | CONTENTION_GUESSED), 100u);
}

// The frame that acquired the monitor may be among those that were cut off.
TEST_F(ContentionMonitors, ACutStackShowsNothing) {
  Add(0, "MonitorContendedEnter", 2, "000000A1,00000003");
  Add(10, "MonitorHeld", 3, "000000A1", "2;00000010;00000000;00000000;00000000");
  Add(50, "ObjectNotifyAll", 3, "000000A2", "2;00000012;00000000;00000000;00000000");
  Add(100, "MonitorContendedEntered", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
}

// 3 gets the monitor back in Object.wait, and holds it after the wait.
TEST_F(ContentionMonitors, TheFrameOfAWaitIsNotTheOneThatAcquiredTheMonitor) {
  Add(0, "MonitorContendedEnter", 3, "000000A1,00000004", kWaiting);
  Add(5, "MonitorContendedEnter", 2, "000000A1,00000004");
  Add(10, "MonitorContendedEntered", 3, "000000A1", kWaiting);
  Add(20, "ObjectNotifyAll", 3, "000000A2", kInside);
  Add(100, "MonitorContendedEntered", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 90);
}

TEST_F(ContentionMonitors, AHolderThatIsBlockedOnTheSameMonitorHoldsNothing) {
  Add(0, "MonitorContendedEnter", 2, "000000A1,00000003");
  Add(50, "MonitorContendedEnter", 3, "000000A1,00000000");
  Add(100, "MonitorContendedEntered", 2, "000000A1");
  Add(110, "MonitorContendedEntered", 3, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 50);
  EXPECT_EQ(GetHeldBy(3, 2), 10);
}

// Other threads may get the monitor without a line.
TEST_F(ContentionMonitors, AWaitReleasesTheMonitor) {
  Add(0, "MonitorContendedEnter", 2, "000000A1,00000003");
  Add(50, "ObjectWait", 3, "000000A1", kWaiting);
  Add(90, "MonitorContendedEntered", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 50);
  EXPECT_EQ(GetHandoff(), 0);
}

// With monitors=all. 3 enters the monitor once more inside of its frame, and exits it twice.
TEST_F(ContentionMonitors, HandoffIsExactWithLinesOfExits) {
  Add(-10, "MonitorEntered", 3, "000000A1", kGuarded);
  Add(0, "MonitorContendedEnter", 2, "000000A1,00000003");
  Add(5, "MonitorContendedEnter", 4, "000000A1,00000003");
  Add(10, "MonitorEntered", 3, "000000A1", kInside);
  Add(20, "MonitorExit", 3, "000000A1", kInside);
  Sample(30, 3, kOutside);
  Add(50, "MonitorExit", 3, "000000A1", kGuarded);
  Add(60, "MonitorContendedEntered", 2, "000000A1", kGuarded);
  Add(60, "MonitorEntered", 2, "000000A1", kGuarded);
  Add(80, "ObjectWait", 2, "000000A1", kWaiting);
  Add(90, "MonitorContendedEntered", 4, "000000A1", kGuarded);
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 50);
  EXPECT_EQ(GetHeldBy(4, 3), 45);
  EXPECT_EQ(GetHeldBy(4, 2), 20);
  EXPECT_EQ(GetHandoff(), 10 + 10 + 10);
}

TEST_F(ContentionMonitors, AYoungMonitorOwnerHasHeldSinceTheWaitBegan) {
  Add(0, "MonitorContendedEnter", 2, "000000A1,00000000");
  Add(0, "MonitorContendedEnter", 4, "000000A1,00000000");
  Add(60, "MonitorOwner", 2, "000000A1,00000003", "0");
  Add(100, "MonitorContendedEntered", 2, "000000A1");
  Add(100, "MonitorContendedEntered", 4, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetHeldBy(4, 3), 40) << "of the other wait the line says nothing";
}

TEST_F(ContentionMonitors, AnOldMonitorOwnerHoldsFromNowOn) {
  Add(0, "MonitorContendedEnter", 2, "000000A1,00000003");
  Add(1500, "MonitorOwner", 2, "000000A1,00000004", "0");
  Add(1600, "MonitorContendedEntered", 2, "000000A1");
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 0) << "nothing shows how long it held the monitor";
  EXPECT_EQ(GetHeldBy(2, 4), 100);
}

using ContentionSemaphores = ContentionParts;

// The only permit: 3 has it for 100 ms; 2 gets it 20 ms later.
TEST_F(ContentionSemaphores, HandoffIsTheTimeWithAFreePermit) {
  Add(-20, "SemaphoreAcquire", 3, "000000A1", kAcquire);
  Add(-20, "SemaphoreAcquired", 3, "000000A1", kAcquire);
  Add(0, "SemaphoreAcquire", 2, "000000A1", kAcquire);
  Add(100, "SemaphoreRelease", 3, "000000A1", kRelease);
  Add(120, "SemaphoreAcquired", 2, "000000A1", kAcquire);
  ReadAll();
  EXPECT_EQ(GetHeldBy(2, 3), 100);
  EXPECT_EQ(GetHandoff(), 20);
}

// Two permits: 3 still holds one while the other one is free and 4 comes. 4 does not wait for 3.
TEST_F(ContentionSemaphores, NobodyHoldsAFreePermit) {
  Add(-20, "SemaphoreAcquire", 3, "000000A1", kAcquire);
  Add(-20, "SemaphoreAcquired", 3, "000000A1", kAcquire);
  Add(-19, "SemaphoreAcquire", 1, "000000A1", kAcquire);
  Add(-19, "SemaphoreAcquired", 1, "000000A1", kAcquire);
  Add(0, "SemaphoreAcquire", 2, "000000A1", kAcquire);
  Add(100, "SemaphoreRelease", 1, "000000A1", kRelease);
  Add(110, "SemaphoreAcquire", 4, "000000A1", kAcquire);
  Add(120, "SemaphoreAcquired", 2, "000000A1", kAcquire);
  Add(150, "SemaphoreRelease", 3, "000000A1", kRelease);
  Add(151, "SemaphoreAcquired", 4, "000000A1", kAcquire);
  ReadAll();
  EXPECT_EQ(GetHeld(), 0);
  EXPECT_EQ(GetHandoff(), 20 + 10 + 1);
}

// 2 waits for two permits, so one that is free does not help it.
TEST_F(ContentionSemaphores, SeveralPermitsMakeTheHandoffUnknown) {
  Add(-20, "SemaphoreAcquire", 3, "000000A1", kAcquire);
  Add(-20, "SemaphoreAcquired", 3, "000000A1", kAcquire);
  Add(0, "SemaphoreAcquire", 2, "000000A1", kAcquireBulk);
  Add(50, "SemaphoreRelease", 3, "000000A1", kRelease);
  Add(100, "SemaphoreRelease", 4, "000000A1", kRelease);
  Add(101, "SemaphoreAcquired", 2, "000000A1", kAcquireBulk);
  ReadAll();
  EXPECT_EQ(GetHandoff(), 0);
  EXPECT_EQ(GetHeld(), 50) << "after its release, 3 is not the holder";
}

// The threshold leaves out the acquisition of 4 that took the permit.
TEST_F(ContentionSemaphores, AThresholdMakesTheHandoffUnknown) {
  small_.files.Replace(DUMP_INFO, "engine=weave", "engine=weave,threshold=10ms");
  Add(0, "SemaphoreAcquire", 2, "000000A1", kAcquire);
  Add(50, "SemaphoreRelease", 3, "000000A1", kRelease);
  Add(100, "SemaphoreRelease", 4, "000000A1", kRelease);
  Add(101, "SemaphoreAcquired", 2, "000000A1", kAcquire);
  ReadAll();
  EXPECT_EQ(GetHandoff(), 0);
}

// A signal: drainPermits removes the permits of two old releases before 2 waits for the next one.
TEST_F(ContentionSemaphores, AWaiterThatCameLaterShowsThatFreePermitsAreGone) {
  Add(-30, "SemaphoreRelease", 3, "000000A1", kRelease);
  Add(-20, "SemaphoreRelease", 3, "000000A1", kRelease);
  Add(0, "SemaphoreAcquire", 2, "000000A1", kAcquire);
  Add(90, "SemaphoreRelease", 3, "000000A1", kRelease);
  Add(92, "SemaphoreAcquired", 2, "000000A1", kAcquire);
  ReadAll();
  EXPECT_EQ(GetHandoff(), 2);
}

// Two permits, of which reducePermits removes one. The queue is never empty.
TEST_F(ContentionSemaphores, APermitThatIsFreeForLongDoesNotExist) {
  for (unsigned thread : {3, 4}) {
    Add(-20, "SemaphoreAcquire", thread, "000000A1", kAcquire);
    Add(-20, "SemaphoreAcquired", thread, "000000A1", kAcquire);
  }
  Add(0, "SemaphoreAcquire", 2, "000000A1", kAcquire);
  Add(1, "SemaphoreAcquire", 1, "000000A1", kAcquire);
  Add(10, "SemaphoreRelease", 3, "000000A1", kRelease);  // the permit that was removed
  Add(211, "SemaphoreRelease", 4, "000000A1", kRelease);
  Add(212, "SemaphoreAcquired", 2, "000000A1", kAcquire);
  Add(500, "SemaphoreRelease", 2, "000000A1", kRelease);
  Add(503, "SemaphoreAcquired", 1, "000000A1", kAcquire);
  ReadAll();
  EXPECT_EQ(GetHandoff(), 1 + 1 + 3);
}

// 2,000 threads wait for one lock, whose holder has so many lines that to charge each waiter for
// each line would take minutes.
TEST_F(Contention, GivesUpIfTooManyThreadsWait) {
  std::string events;
  char line[100];
  for (int i = 0; i < 2000; i++) {
    snprintf(line, sizeof line, "101.%010d,MonitorContendedEnter,%08X,000000A1,00000003,0\n", i,
             0x100 + i);
    events += line;
  }
  for (int i = 0; i < 4000; i++) {
    snprintf(line, sizeof line, "102.%010d,ThreadSleep,00000003,0\n", 2 * i);
    events += line;
    snprintf(line, sizeof line, "102.%010d,ThreadSlept,00000003,0\n", 2 * i + 1);
    events += line;
  }
  small_.files.Write(DUMP_EVENTS, events);
  Read();
  EXPECT_TRUE(contention_.has_given_up);
  EXPECT_EQ(contention_.num_pairs, 0u);
  EXPECT_EQ(contention_.holder_places.num, 0u);
}

}  // namespace
