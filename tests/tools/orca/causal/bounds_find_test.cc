#include "tools/orca/causal/bounds_find.h"

#include "tests/tools/orca/causal/told_trace.h"

namespace {

uint32_t LockId(ToldTrace *told, const std::string &name) {
  for (size_t i = 0; i < told->model.locks.num; i++) {
    const struct lock &lock = told->model.locks.rows[i];
    if (lock.object == told->Hash(name)) return lock.id;
  }
  ADD_FAILURE() << name;
  return 0;
}

// main waits 1 s for the lock `short`, other threads 3 s and 3 s for the lock `long`.
constexpr char kTwoLocks[] =
    "0.0 main ThreadStarted\n"
    "0.0 a ThreadStarted\n"
    "0.0 b ThreadStarted\n"
    "0.0 c ThreadStarted\n"
    "0.5 a LockAcquire long\n"
    "0.500001 a LockAcquired long\n"
    "0.6 c LockAcquire short\n"
    "0.600001 c LockAcquired short\n"
    "1.0 main LockAcquire short c\n"
    "1.0001 b LockAcquire long a\n"
    "2.0 c LockRelease short\n"
    "2.0001 main LockAcquired short\n"
    "4.0 a LockRelease long\n"
    "4.0001 b LockAcquired long\n"
    "5.0 main Cpu 3900\n"
    "5.0 c Cpu 4500\n"
    "5.0 main ThreadEnded\n";

TEST(BoundsFind, RankLocksByTheirTimeOnThePath) {
  ToldTrace told(kTwoLocks, "locks=all,");
  EXPECT_EQ(told.model.locks.rows[0].object, told.Hash("long"));  // by blocked time
  ASSERT_TRUE(bounds_find(&told.model));
  const struct bounds &b = told.model.bounds;
  ASSERT_TRUE(b.known);
  EXPECT_TRUE(b.of_run);
  EXPECT_EQ(b.work, ToldTrace::Ticks(5.0));
  EXPECT_EQ(told.model.locks.rows[0].object, told.Hash("short"));
  EXPECT_NEAR(double(bounds_lock_time(&b.locks, LockId(&told, "short"))),
              double(ToldTrace::Ticks(1.0)), 2e6);
  EXPECT_EQ(bounds_lock_time(&b.locks, LockId(&told, "long")), 0u);
  ASSERT_GT(b.num_stretches, 2u);
  EXPECT_EQ(b.stretches[0].begin, told.At(0.0));
  EXPECT_EQ(b.stretches[b.num_stretches - 1].end, told.At(5.0));
  EXPECT_EQ(b.stretches[0].thread, told.Hash("main"));
  EXPECT_NEAR(b.cpu_part, 0.84, 0.01);  // 8.4 s of CPU time in 5 s on 2 CPUs
}

TEST(BoundsFind, AreUnknownIfLinesMayBeMissing) {
  ToldTrace told(kTwoLocks, "locks=all,threshold=1ms,");
  ASSERT_TRUE(bounds_find(&told.model));
  EXPECT_FALSE(told.model.bounds.known);
}

TEST(BoundsFind, AreUnknownIfThePathIs) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main LatchAwait l\n"
      "4.0 main LatchAwaited l\n"
      "5.0 main ThreadEnded\n");
  ASSERT_TRUE(bounds_find(&told.model));
  EXPECT_FALSE(told.model.bounds.known);
}

// A service does not end. Each of its threads that works counts, and not the one that sleeps.
TEST(BoundsFind, OfAServiceAreThoseOfItsWorkingThreads) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 a ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "0.1 main ThreadSleep\n"
      "1.0 a LockAcquire l\n"
      "1.000001 a LockAcquired l\n"
      "2.0 b LockAcquire l a\n"
      "6.0 a LockRelease l\n"
      "6.0001 b LockAcquired l\n"
      "9.0 b LockRelease l\n"
      "10.0 a Cpu 9000\n"
      "10.0 b Cpu 6000\n"
      "10.0 b ObjectNotify o\n",
      "locks=all,");
  ASSERT_TRUE(bounds_find(&told.model));
  const struct bounds &b = told.model.bounds;
  ASSERT_TRUE(b.known);
  EXPECT_FALSE(b.of_run);
  EXPECT_EQ(b.num_stretches, 0u);
  EXPECT_EQ(b.threads, 2u);
  EXPECT_EQ(b.work, ToldTrace::Ticks(20.0));
  EXPECT_NEAR(double(bounds_lock_time(&b.locks, LockId(&told, "l"))), double(ToldTrace::Ticks(4.0)),
              2e6);
}

}  // namespace
