#include "tools/orca/model/locks.h"

#include <algorithm>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"

namespace {

const struct lock *FindLock(const struct model *m, enum lock_sort sort, uint32_t object) {
  for (size_t i = 0; i < m->locks.num; i++) {
    const struct lock *lock = &m->locks.rows[i];
    if (lock->sort == sort && lock->object == object) return lock;
  }
  return nullptr;
}

// Returns the line of an event of a thread on the lock A1, at 100 s plus `ms`.
std::string MakeLine(int ms, const char *event, int thread, const char *more = "") {
  char line[120];
  snprintf(line, sizeof line, "10%d.%03d0000000,%s,%08X,000000A1%s,0\n", ms / 1000, ms % 1000,
           event, thread, more);
  return line;
}

constexpr ticks_t kTicksPerMs = kSecond / 1000;

TEST(Locks, SumsContendedMonitors) {
  SmallModel small;
  const struct model *m = small.Read();
  const struct lock *lock = FindLock(m, LOCK_MONITOR, 0xA1);
  ASSERT_NE(lock, nullptr);
  EXPECT_FALSE(lock->acquired_known);
  EXPECT_EQ(lock->waited, 4u);
  EXPECT_EQ(lock->failed, 0u);
  EXPECT_EQ(lock->open, 1u);
  EXPECT_EQ(lock->known_owners, 3u);
  EXPECT_EQ(lock->blocked, kSecond * 2875 / 1000);
  EXPECT_EQ(lock->longest_blocked, 2 * kSecond);
  EXPECT_EQ(lock->holds, 0u);
  EXPECT_EQ(tally_best(&m->locks.threads, lock->id), 2u);
  EXPECT_EQ(tally_best(&m->locks.owners, lock->id), 3u);
  EXPECT_EQ(tally_best(&m->locks.places, lock->id), place(0x12, 42));
}

TEST(Locks, SortsByBlockedTime) {
  SmallModel small;
  const struct model *m = small.Read();
  ASSERT_EQ(m->locks.num, 3u);
  EXPECT_EQ(m->locks.rows[0].object, 0xA1u);
  EXPECT_EQ(m->locks.rows[1].object, 0xA2u);
  EXPECT_EQ(m->locks.rows[2].sort, LOCK_SEMAPHORE);
  EXPECT_EQ(m->locks.blocked, kSecond * (2875 + 1500 + 750) / 1000);
}

TEST(Locks, CountsAcquisitionsAndHoldsOfFullyRecordedMonitors) {
  SmallModel small;
  // 1 holds it for 100 ms, of which it waits 60; then for 20 ms, entered twice. 2 holds it to the
  // end.
  small.files.Write(DUMP_EVENTS,
                    MakeLine(1000, "MonitorEntered", 1) + MakeLine(1010, "ObjectWait", 1) +
                        MakeLine(1070, "ObjectWaited", 1) + MakeLine(1100, "MonitorExit", 1) +
                        MakeLine(2000, "MonitorEntered", 1) + MakeLine(2005, "MonitorEntered", 1) +
                        MakeLine(2010, "MonitorExit", 1) + MakeLine(2020, "MonitorExit", 1) +
                        MakeLine(9000, "MonitorEntered", 2));
  const struct model *m = small.Read();
  const struct lock *lock = FindLock(m, LOCK_MONITOR, 0xA1);
  ASSERT_NE(lock, nullptr);
  EXPECT_TRUE(lock->acquired_known);
  EXPECT_EQ(lock->acquired, 4u);
  EXPECT_EQ(lock->waited, 0u);
  EXPECT_EQ(lock->holds, 3u);
  EXPECT_EQ(lock->held, kTicksPerMs * (40 + 20 + 1000));
  EXPECT_EQ(lock->longest_held, kSecond);
  EXPECT_EQ(tally_best(&m->locks.holds, lock->id), 2u);
}

// Only contended acquisitions have lines; the counts contain all acquisitions.
TEST(Locks, TakesAcquisitionsFromTheCounts) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, MakeLine(1000, "LockAcquire", 2, ",00000003") +
                                     MakeLine(1040, "LockAcquired", 2) +
                                     MakeLine(2000, "LockAcquire", 3, ",00000000") +
                                     MakeLine(2010, "LockAcquired", 3) +
                                     MakeLine(3000, "LockTryAcquire", 3, ",00000002") +
                                     MakeLine(3005, "LockTryAcquireFailed", 3) +
                                     MakeLine(4000, "WriteLockAcquire", 3, ",00000000") +
                                     MakeLine(4001, "WriteLockAcquired", 3));
  small.files.Write(DUMP_COUNTS,
                    "101.0000000000,LockAcquired,000000A1,700\n"
                    "102.0000000000,LockAcquired,000000A1,1000000\n"
                    "102.1000000000,ReadLockAcquired,000000A1,5\n"
                    "102.2000000000,ObjectWaited,000000A1,5\n");
  const struct model *m = small.Read();
  const struct lock *lock = FindLock(m, LOCK_LOCK, 0xA1);
  ASSERT_NE(lock, nullptr);
  EXPECT_TRUE(lock->acquired_known);
  EXPECT_EQ(lock->acquired, 1000000u);
  EXPECT_EQ(lock->waited, 3u);
  EXPECT_EQ(lock->failed, 1u);
  EXPECT_EQ(lock->known_owners, 2u);
  EXPECT_EQ(lock->blocked, kTicksPerMs * 55);
  EXPECT_EQ(lock->longest_blocked, kTicksPerMs * 40);
  EXPECT_EQ(lock->holds, 0u);
  const struct lock *write = FindLock(m, LOCK_WRITE_SIDE, 0xA1);
  ASSERT_NE(write, nullptr);
  EXPECT_FALSE(write->acquired_known);  // no line of .counts
  EXPECT_EQ(write->waited, 1u);
  const struct lock *read = FindLock(m, LOCK_READ_SIDE, 0xA1);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->acquired, 5u);
  EXPECT_EQ(read->waited, 0u);
  EXPECT_EQ(m->locks.num, 3u);
}

// With a threshold, only slow acquisitions of a semaphore have lines, but all releases do.
TEST(Locks, AThresholdHidesAcquisitionsAndHolds) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "engine=weave", "locks=all,threshold=30ms");
  small.files.Write(
      DUMP_EVENTS,
      MakeLine(1000, "SemaphoreAcquire", 2) + MakeLine(1040, "SemaphoreAcquired", 2) +
          MakeLine(1041, "SemaphoreRelease", 2) + MakeLine(1050, "SemaphoreRelease", 3) +
          MakeLine(1051, "LockRelease", 3) + MakeLine(2000, "LockTryAcquire", 3, ",00000002") +
          MakeLine(2035, "LockTryAcquireFailed", 3) + MakeLine(2036, "ReadLockRelease", 2));
  const struct model *m = small.Read();
  ASSERT_EQ(m->locks.num, 2u);
  const struct lock *semaphore = FindLock(m, LOCK_SEMAPHORE, 0xA1),
                    *lock = FindLock(m, LOCK_LOCK, 0xA1);
  ASSERT_NE(semaphore, nullptr);
  EXPECT_FALSE(semaphore->acquired_known);
  EXPECT_EQ(semaphore->waited, 1u);
  EXPECT_EQ(semaphore->blocked, kTicksPerMs * 40);
  EXPECT_EQ(semaphore->holds, 0u);
  ASSERT_NE(lock, nullptr);
  EXPECT_FALSE(lock->acquired_known);
  EXPECT_EQ(lock->failed, 1u);
  EXPECT_EQ(lock->known_owners, 1u);
}

// With a threshold, acquisitions of a lock need not be counted before a thread had to wait for it.
TEST(Locks, AThresholdMakesCountsALeastNumber) {
  for (bool has_threshold : {false, true}) {
    SmallModel small;
    if (has_threshold) small.files.Replace(DUMP_INFO, "engine=weave", "threshold=30ms");
    small.files.Write(DUMP_EVENTS, MakeLine(1000, "LockAcquire", 2, ",00000003") +
                                       MakeLine(1040, "LockAcquired", 2) +
                                       MakeLine(1050, "MonitorEntered", 2) +
                                       MakeLine(1060, "MonitorExit", 2));
    small.files.Write(DUMP_COUNTS, "102.0000000000,LockAcquired,000000A1,700\n");
    const struct model *m = small.Read();
    const struct lock *lock = FindLock(m, LOCK_LOCK, 0xA1),
                      *monitor = FindLock(m, LOCK_MONITOR, 0xA1);
    ASSERT_NE(lock, nullptr);
    EXPECT_TRUE(lock->acquired_known);
    EXPECT_EQ(lock->acquired, 700u);
    EXPECT_EQ(lock->acquired_is_least, has_threshold);
    ASSERT_NE(monitor, nullptr);
    EXPECT_TRUE(monitor->acquired_known);
    EXPECT_FALSE(monitor->acquired_is_least) << "its acquisitions have lines";
    struct locks by_class = {};
    ASSERT_TRUE(locks_by_class(&m->locks, m->dump, &by_class));
    for (size_t i = 0; i < by_class.num; i++) {
      const struct lock &row = by_class.rows[i];
      EXPECT_EQ(row.acquired_is_least, has_threshold && row.sort == LOCK_LOCK) << row.sort;
    }
    locks_free(&by_class);
  }
}

// The last lines of .counts may be lost.
TEST(Locks, AcquisitionsAreAtLeastTheLines) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, MakeLine(1000, "LockAcquire", 2, ",00000003") +
                                     MakeLine(1040, "LockAcquired", 2));
  small.files.Write(DUMP_COUNTS, "101.0000000000,LockAcquired,000000A1,0\n");
  EXPECT_EQ(FindLock(small.Read(), LOCK_LOCK, 0xA1)->acquired, 1u);
}

TEST(Locks, FindsContendedAcquisitionsAmongAll) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "engine=weave", "locks=all");
  small.files.Write(
      DUMP_EVENTS,
      // 2 acquires it uncontended, twice, and holds it for 50 ms
      MakeLine(1000, "LockAcquire", 2, ",00000000") + MakeLine(1001, "LockAcquired", 2) +
          MakeLine(1010, "LockAcquire", 2, ",00000002") + MakeLine(1011, "LockAcquired", 2) +
          // 3 waits for it; its owner is known from the lines above
          MakeLine(1015, "LockAcquire", 3, ",00000000") + MakeLine(1020, "LockRelease", 2) +
          // 4 tries without success
          MakeLine(1030, "LockTryAcquire", 4, ",00000002") +
          MakeLine(1032, "LockTryAcquireFailed", 4) + MakeLine(1051, "LockRelease", 2) +
          MakeLine(1052, "LockAcquired", 3) + MakeLine(1062, "LockRelease", 3));
  const struct model *m = small.Read();
  const struct lock *lock = FindLock(m, LOCK_LOCK, 0xA1);
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->acquired, 3u);
  EXPECT_EQ(lock->waited, 2u);
  EXPECT_EQ(lock->failed, 1u);
  EXPECT_EQ(lock->blocked, kTicksPerMs * (37 + 2));
  EXPECT_EQ(lock->holds, 2u);
  EXPECT_EQ(lock->held, kTicksPerMs * 60);
  EXPECT_EQ(lock->longest_held, kTicksPerMs * 50);
  EXPECT_EQ(lock->known_owners, 2u);
  EXPECT_EQ(tally_best(&m->locks.owners, lock->id), 2u);
  EXPECT_EQ(tally_best(&m->locks.holds, lock->id), 2u);
  EXPECT_EQ(threads_find(&m->threads, 2)->pairs[GROUP_LOCK], 0u);  // it was never blocked
  EXPECT_EQ(threads_find(&m->threads, 3)->pairs[GROUP_LOCK], 1u);
}

TEST(Locks, ReadersAndWritersBlockEachOther) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "engine=weave", "locks=all");
  small.files.Write(
      DUMP_EVENTS,
      // 2 and 3 read at the same time; 4 writes after them; 1 reads after 4
      MakeLine(1000, "ReadLockAcquire", 2, ",00000000") + MakeLine(1001, "ReadLockAcquired", 2) +
          MakeLine(1002, "ReadLockAcquire", 3, ",00000000") +
          MakeLine(1003, "ReadLockAcquired", 3) +
          MakeLine(1010, "WriteLockAcquire", 4, ",00000000") +
          MakeLine(1020, "ReadLockRelease", 2) + MakeLine(1030, "ReadLockRelease", 3) +
          MakeLine(1031, "WriteLockAcquired", 4) +
          MakeLine(1040, "ReadLockAcquire", 1, ",00000000") +
          MakeLine(1050, "WriteLockRelease", 4) + MakeLine(1051, "ReadLockAcquired", 1) +
          MakeLine(1060, "ReadLockRelease", 1));
  const struct model *m = small.Read();
  const struct lock *read = FindLock(m, LOCK_READ_SIDE, 0xA1),
                    *write = FindLock(m, LOCK_WRITE_SIDE, 0xA1);
  ASSERT_NE(read, nullptr);
  ASSERT_NE(write, nullptr);
  EXPECT_EQ(read->acquired, 3u);
  EXPECT_EQ(read->waited, 1u);
  EXPECT_EQ(read->blocked, kTicksPerMs * 11);
  EXPECT_EQ(tally_best(&m->locks.owners, read->id), 4u);
  EXPECT_EQ(read->held, kTicksPerMs * (19 + 27 + 9));
  EXPECT_EQ(write->acquired, 1u);
  EXPECT_EQ(write->waited, 1u);
  EXPECT_EQ(write->blocked, kTicksPerMs * 21);
  EXPECT_EQ(write->known_owners, 0u);  // it had two owners, so neither is named
  EXPECT_EQ(write->held, kTicksPerMs * 19);
}

TEST(Locks, CountsSemaphores) {
  SmallModel small;
  small.files.Write(
      DUMP_EVENTS,
      MakeLine(1000, "SemaphoreAcquire", 2) + MakeLine(1001, "SemaphoreAcquired", 2) +
          MakeLine(1010, "SemaphoreAcquire", 3) + MakeLine(1020, "SemaphoreRelease", 2) +
          MakeLine(1021, "SemaphoreAcquired", 3) + MakeLine(1030, "SemaphoreTryAcquire", 2) +
          MakeLine(1031, "SemaphoreTryAcquireFailed", 2) + MakeLine(1041, "SemaphoreRelease", 3));
  const struct lock *lock = FindLock(small.Read(), LOCK_SEMAPHORE, 0xA1);
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->acquired, 2u);
  EXPECT_EQ(lock->waited, 2u);
  EXPECT_EQ(lock->failed, 1u);
  EXPECT_EQ(lock->blocked, kTicksPerMs * 12);
  EXPECT_EQ(lock->holds, 2u);
  EXPECT_EQ(lock->held, kTicksPerMs * (19 + 20));
}

TEST(Locks, ASemaphoreReleasedByAnotherThreadHasNoHolds) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, MakeLine(1000, "SemaphoreAcquire", 2) +
                                     MakeLine(1020, "SemaphoreRelease", 3) +
                                     MakeLine(1021, "SemaphoreAcquired", 2));
  const struct lock *lock = FindLock(small.Read(), LOCK_SEMAPHORE, 0xA1);
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->waited, 1u);
  EXPECT_EQ(lock->holds, 0u);
}

// Each of them had to wait.
TEST(Locks, ContainShortWaits) {
  SmallModel small;
  AddShortCalls(&small.files);
  const struct model *m = small.Read();
  const struct lock *lock = FindLock(m, LOCK_MONITOR, 0xA1);
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->waited, 1004u);
  EXPECT_EQ(lock->long_waits, 4u);
  EXPECT_EQ(lock->short_waits.num, 1000u);
  EXPECT_EQ(lock->short_waits.longest, 9 * kTicksPerMs);
  EXPECT_EQ(lock->short_others.num, 0u);
  EXPECT_EQ(lock->blocked, kTicksPerMs * (2875 + 4000));
  EXPECT_EQ(lock->longest_blocked, 2 * kSecond);
  size_t num;
  const struct tally_row *places = tally_of(&m->locks.places, lock->id, &num);
  ASSERT_EQ(num, 2u);
  EXPECT_EQ(places[0].key, place(0x12, 42));
  EXPECT_EQ(places[0].count, 1003u);
  EXPECT_EQ(places[0].total, kTicksPerMs * (2750 + 4000));
  EXPECT_EQ(m->locks.blocked, kTicksPerMs * (2875 + 1500 + 750 + 4000));
}

// A short call of a semaphore may have found a permit at once.
TEST(Locks, DoNotCallShortCallsOfASemaphoreWaits) {
  SmallModel small;
  AddShortCalls(&small.files);
  const struct lock *semaphore = FindLock(small.Read(), LOCK_SEMAPHORE, 0xA3);
  ASSERT_NE(semaphore, nullptr);
  EXPECT_EQ(semaphore->waited, 1u);
  EXPECT_EQ(semaphore->blocked, kTicksPerMs * 750);
  EXPECT_EQ(semaphore->short_waits.num, 0u);
  EXPECT_EQ(semaphore->short_others.num, 200u);
  EXPECT_EQ(semaphore->short_others.total, kTicksPerMs * 200);
}

// As long as locks=all was in force, acquisitions could get a sum that found their lock free.
TEST(Locks, ShortCallsOfLocksHadToWaitUnlessAllWereRecorded) {
  const struct {
    const char *options, *change;
    uint64_t waited;
  } cases[] = {
      {"locks=waits,threshold=10ms", "", 5},
      {"threshold=10ms", "", 5},
      {"locks=all,threshold=10ms", "", 0},
      {"threshold=10ms", "change=102.0000000000,102.1000000000,set,locks=all\n", 2},
  };
  for (const auto &c : cases) {
    SmallModel small;
    small.files.Replace(DUMP_INFO, "engine=weave", c.options);
    small.files.Append(DUMP_INFO, c.change);
    small.files.Write(DUMP_EVENTS, "");
    small.files.Write(DUMP_COUNTS,
                      "101.0000000000,LockAcquire,000000A1,2,2000,1500,0\n"
                      "103.0000000000,LockAcquire,000000A1,3,2000,1500,0\n");
    const struct model *m = small.Read();
    ASSERT_EQ(m->locks.num, 1u) << &c - cases;
    EXPECT_EQ(m->locks.rows[0].waited, c.waited) << &c - cases;
    EXPECT_EQ(m->locks.rows[0].short_waits.num, c.waited) << &c - cases;
    EXPECT_EQ(m->locks.rows[0].short_others.num, 5 - c.waited) << &c - cases;
  }
}

// How many of the short attempts failed is not known. Each wait is an attempt.
TEST(Locks, HaveAtLeastAsManyAttemptsAsWaits) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "engine=weave", "threshold=10ms");
  small.files.Write(DUMP_EVENTS, "");
  small.files.Write(DUMP_COUNTS,
                    "101.0000000000,LockTryAcquire,000000A1,50,2000,1500,0\n"
                    "101.0000000001,LockAcquired,000000A1,20\n");
  const struct lock *lock = FindLock(small.Read(), LOCK_LOCK, 0xA1);
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->acquired, 20u);
  EXPECT_TRUE(lock->acquired_is_least);
  EXPECT_EQ(locks_attempts(lock), 50u);
}

// Of 200 waits, 190 are shorter than 9 ms. The others take 11 ms, 12 ms, …, 20 ms.
TEST(Locks, AQuantileAmongShortWaitsIsABound) {
  std::string events;
  for (int i = 1; i <= 10; i++) {
    char text[200];
    snprintf(text, sizeof text,
             "101.%02d00000000,MonitorContendedEnter,00000002,000000A1,00000000,0\n"
             "101.%02d%d0000000,MonitorContendedEntered,00000002,000000A1,0\n",
             3 * i, 3 * i + 1 + i / 10, i % 10);
    events += text;
  }
  SmallModel small;
  small.files.Replace(DUMP_INFO, "engine=weave", "threshold=10ms");
  small.files.Write(DUMP_EVENTS, events);
  small.files.Write(DUMP_COUNTS,
                    "102.0000000000,MonitorContendedEnter,000000A1,190,100000000,9000000,0\n");
  const struct model *m = small.Read();
  const struct lock *lock = FindLock(m, LOCK_MONITOR, 0xA1);
  ASSERT_EQ(lock->waited, 200u);
  ASSERT_EQ(lock->long_waits, 10u);
  const struct {
    unsigned permille;
    double ms;
    bool is_bound;
  } cases[] = {
      {500, 9, true}, {950, 9, true}, {955, 11, false}, {990, 18, false}, {1000, 20, false}};
  for (const auto &c : cases) {
    bool is_bound;
    auto ns = static_cast<double>(locks_quantile(&m->locks, lock, c.permille, &is_bound));
    EXPECT_NEAR(ns / 1e6, c.ms, c.ms * 0.017) << c.permille;
    EXPECT_EQ(is_bound, c.is_bound) << c.permille;
  }
}

// A1 is of an unknown class, as are the locks of the sum without an object.
void AddSeveral(SmallModel *small) {
  AddShortCalls(&small->files);
  small->files.Write(DUMP_OBJECTS, "");
  small->files.Append(DUMP_COUNTS,
                      "109.6000000000,MonitorContendedEnter,00000000,7,20000000,6000000,0\n");
}

TEST(Locks, SayThatOthersOfTheirSortMayHaveMoreWaits) {
  SmallModel small;
  AddSeveral(&small);
  const struct model *m = small.Read();
  const struct lock *lock = FindLock(m, LOCK_MONITOR, 0xA1),
                    *several = FindLock(m, LOCK_MONITOR, 0),
                    *semaphore = FindLock(m, LOCK_SEMAPHORE, 0xA3);
  ASSERT_TRUE(lock != nullptr && several != nullptr && semaphore != nullptr);
  EXPECT_TRUE(several->is_several);
  EXPECT_FALSE(lock_has_least_waits(several));
  EXPECT_FALSE(lock->is_several);
  EXPECT_TRUE(lock->waited_is_least);
  EXPECT_FALSE(semaphore->waited_is_least);
  EXPECT_TRUE(lock_has_least_waits(semaphore)) << "its short calls may have waited";
  SmallModel whole;
  AddShortCalls(&whole.files);
  EXPECT_FALSE(lock_has_least_waits(FindLock(whole.Read(), LOCK_MONITOR, 0xA1)));
}

TEST(Locks, KeepSeveralApartFromAnUnknownClass) {
  SmallModel small;
  AddSeveral(&small);
  const struct model *m = small.Read();
  struct locks by_class = {};
  ASSERT_TRUE(locks_by_class(&m->locks, m->dump, &by_class));
  ASSERT_EQ(by_class.num, 3u);
  const struct lock *unknown = &by_class.rows[0], *several = &by_class.rows[2];
  EXPECT_EQ(unknown->num_objects, 2u);  // A1 and A2
  EXPECT_EQ(unknown->waited, 1005u);
  EXPECT_FALSE(unknown->is_several);
  EXPECT_TRUE(unknown->waited_is_least);
  EXPECT_TRUE(several->is_several);
  EXPECT_EQ(several->waited, 7u);
  EXPECT_EQ(several->class_id, 0u);
  locks_free(&by_class);
}

// The waits that the row may lack were shorter than 10 ms, so no more than 1 % of all took longer.
TEST(Locks, AQuantileWithoutAllWaitsIsABound) {
  SmallModel small;
  AddSeveral(&small);
  const struct model *m = small.Read();
  const struct lock *lock = FindLock(m, LOCK_MONITOR, 0xA1);
  ASSERT_NE(lock, nullptr);
  bool is_bound = false;
  EXPECT_EQ(locks_quantile(&m->locks, lock, 990, &is_bound), 10000000u);
  EXPECT_TRUE(is_bound);
  is_bound = false;
  EXPECT_EQ(locks_quantile(&m->locks, lock, 1000, &is_bound), 2000000000u);
  EXPECT_TRUE(is_bound);
}

TEST(Locks, SumsUpShortCallsByClass) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Replace(DUMP_OBJECTS, "000000A2,000000C1", "000000A2,000000C5");
  const struct model *m = small.Read();
  struct locks by_class = {};
  ASSERT_TRUE(locks_by_class(&m->locks, m->dump, &by_class));
  ASSERT_EQ(by_class.num, 2u);
  EXPECT_EQ(by_class.rows[0].waited, 1005u);
  EXPECT_EQ(by_class.rows[0].long_waits, 5u);
  EXPECT_EQ(by_class.rows[0].short_waits.num, 1000u);
  EXPECT_EQ(by_class.rows[1].short_others.num, 200u);
  locks_free(&by_class);
}

// Locks that certainly made a thread wait come first, then those that may have.
TEST(Locks, AreSortedByTheWholeTime) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "engine=weave", "threshold=10ms");
  small.files.Write(DUMP_EVENTS, MakeLine(1000, "LockAcquire", 2, ",00000003") +
                                     MakeLine(1040, "LockAcquired", 2));
  small.files.Write(DUMP_COUNTS,
                    "102.0000000000,SemaphoreAcquire,000000A3,9,900000000,9000000,0\n"
                    "102.0000000001,LockAcquired,00000001,1\n"
                    "102.0000000002,MonitorContendedEnter,000000A2,9,41000000,9000000,0\n");
  const struct model *m = small.Read();
  ASSERT_EQ(m->locks.num, 4u);
  EXPECT_EQ(m->locks.rows[0].object, 0xA2u);
  EXPECT_EQ(m->locks.rows[1].object, 0xA1u);
  EXPECT_EQ(m->locks.rows[2].object, 0xA3u);
  EXPECT_EQ(m->locks.rows[3].object, 1u);
}

// Compares the quantiles with those of the sorted times.
TEST(Locks, QuantilesAreNearThoseOfASort) {
  std::string events;
  std::vector<uint64_t> times;
  int at = 0;
  for (int i = 1; i <= 200; i++) {
    int us = i * i % 997 + 1;
    times.push_back(static_cast<uint64_t>(us) * 1000);
    char text[200];
    snprintf(text, sizeof text,
             "101.%06d0000,MonitorContendedEnter,00000002,000000A1,00000000,0\n"
             "101.%06d0000,MonitorContendedEntered,00000002,000000A1,0\n",
             at, at + us);
    at += us + 1;
    events += text;
  }
  std::sort(times.begin(), times.end());
  SmallModel small;
  small.files.Write(DUMP_EVENTS, events);
  const struct model *m = small.Read();
  const struct lock *lock = FindLock(m, LOCK_MONITOR, 0xA1);
  ASSERT_EQ(lock->waited, 200u);
  for (unsigned permille : {500u, 900u, 990u, 1000u}) {
    uint64_t exact = times[200 * permille / 1000 - 1];
    EXPECT_NEAR(static_cast<double>(locks_quantile(&m->locks, lock, permille, nullptr)),
                static_cast<double>(exact), static_cast<double>(exact) * 0.017)
        << permille;
  }
}

TEST(Locks, SumsUpByClass) {
  SmallModel small;
  small.files.Replace(DUMP_OBJECTS, "000000A2,000000C1", "000000A2,000000C5");
  const struct model *m = small.Read();
  struct locks by_class = {};
  ASSERT_TRUE(locks_by_class(&m->locks, m->dump, &by_class));
  ASSERT_EQ(by_class.num, 2u);
  const struct lock *both = &by_class.rows[0];
  EXPECT_EQ(both->class_id, 0xC5u);
  EXPECT_EQ(both->num_objects, 2u);
  EXPECT_EQ(both->waited, 5u);
  EXPECT_EQ(both->open, 2u);
  EXPECT_EQ(both->blocked, kSecond * (2875 + 1500) / 1000);
  EXPECT_EQ(both->longest_blocked, 2 * kSecond);
  EXPECT_EQ(locks_quantile(&by_class, both, 990, nullptr), 2000 * kMs);
  EXPECT_EQ(tally_best(&by_class.threads, both->id), 2u);
  EXPECT_EQ(by_class.rows[1].sort, LOCK_SEMAPHORE);
  EXPECT_EQ(by_class.rows[1].object, 0xA3u);  // its only object is kept
  EXPECT_EQ(by_class.blocked, m->locks.blocked);
  locks_free(&by_class);
}

// The first lock has only a release, so its row is dropped; the other lock keeps its id.
TEST(Locks, SumsByClassKeepIdsOfTheRemainingLocks) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    MakeLine(1000, "LockRelease", 1) +
                        "102.0000000000,MonitorContendedEnter,00000002,000000A2,"
                        "00000003,0\n"
                        "103.0000000000,MonitorContendedEntered,00000002,000000A2,0\n");
  const struct model *m = small.Read();
  ASSERT_EQ(m->locks.num, 1u);
  struct locks by_class = {};
  ASSERT_TRUE(locks_by_class(&m->locks, m->dump, &by_class));
  ASSERT_EQ(by_class.num, 1u);
  EXPECT_EQ(by_class.rows[0].blocked, kSecond);
  EXPECT_EQ(tally_best(&by_class.owners, by_class.rows[0].id), 3u);
  locks_free(&by_class);
}

// The locks A2, A4 and A5 are Objects that threads ask for in price.
TEST(Locks, SumsUpByPlace) {
  for (const bool are_many : {false, true}) {
    SmallModel small;
    std::string stack = ",2;00000010;00000000;00000011;00000000\n";
    small.files.Append(DUMP_OBJECTS,
                       "100.0000000000,000000A4,000000C1\n100.0000000000,000000A5,000000C1\n");
    for (const std::string object : {"000000A4", are_many ? "000000A5" : "000000A4"}) {
      small.files.Append(DUMP_EVENTS, "109.1000000000,MonitorContendedEnter,00000004," + object +
                                          ",00000002" + stack +
                                          "109.2000000000,MonitorContendedEntered,00000004," +
                                          object + stack);
    }
    const struct model *m = small.Read();
    struct locks by_place = {};
    std::vector<uint32_t> ids(m->locks.num_ids);
    ASSERT_TRUE(locks_by_place(&m->locks, m->dump, &by_place, ids.data()));
    EXPECT_EQ(by_place.num, are_many ? 3u : 4u);
    EXPECT_EQ(by_place.rows[0].object, 0xA1u);
    const struct lock *second = &by_place.rows[1];
    EXPECT_EQ(second->num_objects, are_many ? 3u : 1u);
    EXPECT_EQ(second->object, are_many ? 0 : 0xA2u);
    EXPECT_EQ(second->waited, are_many ? 3u : 1u);
    EXPECT_EQ(second->class_id, 0xC1u);
    EXPECT_EQ(tally_best(&by_place.places, second->id), place(0x10, 88));
    EXPECT_EQ(ids[FindLock(m, LOCK_MONITOR, 0xA2)->id], second->id);
    locks_free(&by_place);
  }
}

TEST(Locks, SumsByPlaceOfNoLocksAreEmpty) {
  struct locks none = {}, by_place = {};
  uint32_t id;
  ASSERT_TRUE(locks_by_place(&none, nullptr, &by_place, &id));
  EXPECT_EQ(by_place.num, 0u);
  locks_free(&by_place);
}

std::string SemaphoreLine(int ms, const char *event, int thread) {
  std::string line = MakeLine(ms, event, thread);
  return line.replace(line.find("000000A1"), 8, "000000A3");
}

// The threads that release a semaphore tell whether it is a lock.
TEST(Locks, ASemaphoreThatOnlyOthersReleaseIsASignal) {
  const struct {
    const char *what;
    std::string lines;
    bool is_signal;
  } cases[] = {
      {"another thread releases it",
       SemaphoreLine(1000, "SemaphoreAcquire", 2) + SemaphoreLine(2000, "SemaphoreRelease", 3) +
           SemaphoreLine(2001, "SemaphoreAcquired", 2),
       true},
      {"its holder releases it",
       SemaphoreLine(1000, "SemaphoreAcquire", 2) + SemaphoreLine(2000, "SemaphoreAcquired", 2) +
           SemaphoreLine(2500, "SemaphoreRelease", 2),
       false},
      {"once its holder releases it, once another thread",
       SemaphoreLine(1000, "SemaphoreAcquire", 2) + SemaphoreLine(2000, "SemaphoreRelease", 3) +
           SemaphoreLine(2001, "SemaphoreAcquired", 2) + SemaphoreLine(2500, "SemaphoreRelease", 2),
       false},
      {"nobody releases it", SemaphoreLine(1000, "SemaphoreAcquire", 2), false},
  };
  for (const auto &c : cases) {
    SmallModel small;
    small.files.Write(DUMP_EVENTS, c.lines);
    const struct model *m = small.Read();
    const struct lock *lock = FindLock(m, LOCK_SEMAPHORE, 0xA3);
    ASSERT_NE(lock, nullptr) << c.what;
    EXPECT_EQ(lock_is_signal(lock), c.is_signal) << c.what;
    EXPECT_EQ(locks_blocked(&m->locks), c.is_signal ? 0 : m->locks.blocked) << c.what;
    if (c.is_signal) {
      EXPECT_GT(m->locks.blocked, 0u) << c.what;
    }
  }
}

// --- values -------------------------------------------------------------------------------

// Returns the monitor A1 of a recording in which its class has this name.
struct lock FindMonitorOf(SmallModel *small, const char *class_name) {
  small->files.Replace(DUMP_CLASSES, "Lcom/acme/Inventory;", class_name);
  const struct lock *lock = FindLock(small->Read(), LOCK_MONITOR, 0xA1);
  return lock == nullptr ? (struct lock){} : *lock;
}

TEST(LockCaution, IsForMonitorsOfValues) {
  for (const char *name : {"Ljava/lang/String;", "Ljava/lang/Integer;", "Ljava/lang/Boolean;"}) {
    SmallModel small;
    struct lock lock = FindMonitorOf(&small, name);
    EXPECT_TRUE(lock_is_value(small.dump, &lock)) << name;
    EXPECT_STREQ(lock_caution(small.dump, &lock),
                 "any code with an equal value may lock the same object");
    lock.sort = LOCK_LOCK;
    EXPECT_FALSE(lock_is_value(small.dump, &lock)) << "the lock of the library is another object";
    EXPECT_EQ(lock_caution(small.dump, &lock), nullptr);
  }
}

TEST(LockCaution, IsForMonitorsOfClasses) {
  SmallModel small;
  struct lock lock = FindMonitorOf(&small, "Ljava/lang/Class;");
  EXPECT_FALSE(lock_is_value(small.dump, &lock));
  EXPECT_STREQ(lock_caution(small.dump, &lock), "any code can lock a class");
}

TEST(LockCaution, IsForNoOtherMonitor) {
  SmallModel small;
  struct lock lock = FindMonitorOf(&small, "Ljava/lang/StringBuilder;");
  EXPECT_FALSE(lock_is_value(small.dump, &lock));
  EXPECT_EQ(lock_caution(small.dump, &lock), nullptr);
  lock.object = 0xFFFF;  // its class is not known
  EXPECT_FALSE(lock_is_value(small.dump, &lock));
  EXPECT_EQ(lock_caution(small.dump, &lock), nullptr);
}

}  // namespace
