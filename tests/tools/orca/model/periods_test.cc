#include "tools/orca/model/periods.h"

#include "tests/support/scarce.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr ticks_t kStart = 100 * kSecond;
const char kReserve[] = "2;00000012;00000000;00000011;00000000";  // all threads wait for A1 there
const char kPrice[] = "2;00000010;00000000;00000011;00000000";    // for several locks
const char kRun[] = "1;00000011;00000000";

// Times are in seconds since the start of the recording.
class Periods : public testing::Test {
 protected:
  Periods() {
    small_.Read();
    spending_start(&s_, small_.dump, &small_.model.stacks, kStart);
  }
  ~Periods() override { spending_free(&s_); }

  static ticks_t At(double time) { return kStart + static_cast<ticks_t>(time * kSecond); }
  static double Seconds(ticks_t time) { return static_cast<double>(time - kStart) / kSecond; }

  // `num` threads are in a state for all of the time.
  void Add(uint32_t num, double begin, double end, enum activity activity, const char *stack) {
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(stack), &id));
    struct life_part part = {At(begin), At(end), activity, nullptr, id, nullptr, 0};
    for (uint32_t i = 0; i < num; i++) EXPECT_TRUE(spending_add(&s_, i + 1, &part));
  }
  // The process uses `cpus` CPUs, and `queued` threads wait for one.
  void Use(double begin, double end, double cpus, double queued = 0) {
    auto length = static_cast<double>(At(end) - At(begin));
    spending_process(&s_, At(begin), At(end), static_cast<ticks_t>(length * cpus),
                     static_cast<ticks_t>(length * queued));
  }
  bool TryFind(double to, struct periods *out) {
    struct periods_input in = {&s_, &small_.model.locks, At(to), true, true, 2};
    return periods_find(&in, out);
  }
  void Find(double to) {
    spending_end(&s_, At(to));
    EXPECT_TRUE(TryFind(to, &found_));
    for (size_t i = 0; i < found_.num; i++) {
      EXPECT_EQ(found_.rows[i].begin, i == 0 ? kStart : found_.rows[i - 1].end);
    }
    if (found_.num > 0) {
      EXPECT_EQ(found_.rows[found_.num - 1].end, At(to));
    }
  }
  void ExpectPeriod(size_t at, double begin, double end, enum period_limit limit) {
    ASSERT_LT(at, found_.num);
    const struct period *p = &found_.rows[at];
    EXPECT_NEAR(Seconds(p->begin), begin, 0.2) << at;
    EXPECT_NEAR(Seconds(p->end), end, 0.2) << at;
    EXPECT_STREQ(period_limit_keys[p->limit], period_limit_keys[limit]) << at;
  }

  SmallModel small_;
  struct spending s_ = {};
  struct periods found_ = {};
};

TEST_F(Periods, AreWhereTheLimitChanges) {
  Add(1, 0, 12, ACTIVITY_RUNS, kRun);
  Use(0, 12, 1);
  Add(1, 12, 40, ACTIVITY_RUNS, kReserve);
  Add(3, 12, 40, ACTIVITY_BLOCKED, kReserve);
  Use(12, 40, 1);
  Add(4, 40, 50, ACTIVITY_RUNS, kPrice);
  Use(40, 50, 1.9, 2.1);
  Find(50);
  ASSERT_EQ(found_.num, 3u);
  ExpectPeriod(0, 0, 12, PERIOD_LIMIT_THREADS);
  ExpectPeriod(1, 12, 40, PERIOD_LIMIT_LOCK);
  ExpectPeriod(2, 40, 50, PERIOD_LIMIT_CPUS);
  EXPECT_EQ(found_.rows[0].place, place(0x11, 20));
  EXPECT_NEAR(found_.rows[0].cpus, 1, 0.05);
  EXPECT_NEAR(found_.rows[1].blocked, 3, 0.1);
  EXPECT_NEAR(found_.rows[1].ready, 1, 0.1);
  EXPECT_EQ(found_.rows[1].lock, 0xA1u);
  EXPECT_NEAR(found_.rows[2].ready, 4, 0.1);
  EXPECT_NEAR(found_.rows[2].queued, 2.1, 0.1);
  EXPECT_EQ(found_.rows[2].lock, 0u);
}

TEST_F(Periods, OneLimitIsOnePeriod) {
  Add(1, 0, 50, ACTIVITY_RUNS, kReserve);
  Add(3, 0, 50, ACTIVITY_BLOCKED, kReserve);
  Use(0, 50, 1);
  Find(50);
  ASSERT_EQ(found_.num, 1u);
  ExpectPeriod(0, 0, 50, PERIOD_LIMIT_LOCK);
}

// The JVM says that four threads are runnable, and the kernel says that none uses a CPU or waits
// for one: they wait until a class is initialized.
TEST_F(Periods, ThreadsThatStandAreNotReady) {
  Add(2, 0, 10, ACTIVITY_RUNNABLE, kRun);
  Add(4, 10, 20, ACTIVITY_RUNNABLE, kReserve);
  Use(0, 20, 0.02);
  Find(20);
  ASSERT_EQ(found_.num, 1u);
  ExpectPeriod(0, 0, 20, PERIOD_LIMIT_REST);
  EXPECT_NEAR(found_.rows[0].ready, 0.02, 0.01);
}

// Consumers of credits: others release the semaphore, and it is no lock.
TEST_F(Periods, ThreadsThatWaitForSignalsAreNotBlocked) {
  for (size_t i = 0; i < small_.model.locks.num; i++) {
    struct lock *lock = &small_.model.locks.rows[i];
    if (lock->object != 0xA1) continue;
    lock->sort = LOCK_SEMAPHORE;
    lock->releases = 1;
    lock->returns = 0;
    lock->least = 0;
  }
  Add(3, 0, 20, ACTIVITY_BLOCKED, kReserve);
  Add(1, 0, 10, ACTIVITY_RUNS, kRun);
  Use(0, 10, 1);
  Find(20);
  ASSERT_EQ(found_.num, 2u);
  ExpectPeriod(0, 0, 10, PERIOD_LIMIT_THREADS);
  ExpectPeriod(1, 10, 20, PERIOD_LIMIT_REST);
  EXPECT_EQ(found_.rows[1].blocked, 0);
}

// Less than a twentieth of the recording.
TEST_F(Periods, SplintersAreNone) {
  Add(1, 0, 2, ACTIVITY_RUNS, kRun);
  Add(3, 2, 98, ACTIVITY_BLOCKED, kReserve);
  Add(4, 98, 100, ACTIVITY_IO, kPrice);
  Use(0, 100, 0.1);
  Find(100);
  EXPECT_EQ(found_.num, 1u);
}

TEST_F(Periods, AShortRecordingHasNone) {
  Add(1, 0, 1, ACTIVITY_RUNS, kRun);
  Add(3, 1, 1.9, ACTIVITY_BLOCKED, kReserve);
  Find(1.9);
  EXPECT_EQ(found_.num, 0u);
}

// How many threads are blocked, and where, is not another limit; another lock is.
TEST_F(Periods, AnotherLockIsAnotherLimit) {
  Add(1, 0, 10, ACTIVITY_BLOCKED, kReserve);
  Add(4, 10, 20, ACTIVITY_BLOCKED, kReserve);
  Add(4, 20, 30, ACTIVITY_BLOCKED, kPrice);
  Find(30);
  ASSERT_EQ(found_.num, 2u);
  ExpectPeriod(0, 0, 20, PERIOD_LIMIT_LOCK);
  ExpectPeriod(1, 20, 30, PERIOD_LIMIT_LOCK);
  EXPECT_EQ(found_.rows[0].lock, 0xA1u);
  EXPECT_EQ(found_.rows[1].lock, 0u) << "threads are blocked there on several locks";
  EXPECT_EQ(found_.rows[1].place, place(0x10, 88));
}

// Threads that lack CPUs are the limit, but the report also names the lock.
TEST_F(Periods, BlockedThreadsAreToldBesideAnotherLimit) {
  Add(1, 0, 10, ACTIVITY_SLEEPS, kRun);
  Add(4, 10, 30, ACTIVITY_RUNS, kRun);
  Add(6, 10, 30, ACTIVITY_BLOCKED, kReserve);
  Use(10, 30, 1, 3);
  Find(30);
  ASSERT_EQ(found_.num, 2u);
  ExpectPeriod(1, 10, 30, PERIOD_LIMIT_CROWD);
  EXPECT_FALSE(found_.rows[0].are_blocked);
  EXPECT_TRUE(found_.rows[1].are_blocked);
  EXPECT_EQ(found_.rows[1].lock, 0xA1u);
}

// A lock is named if threads were blocked for it most of the time.
TEST_F(Periods, ASmallPartOfTheBlockedTimeNamesNoLock) {
  Add(1, 0, 10, ACTIVITY_RUNS, kRun);
  Add(2, 10, 30, ACTIVITY_BLOCKED, kReserve);
  Add(3, 10, 30, ACTIVITY_BLOCKED, kPrice);
  Find(30);
  ASSERT_EQ(found_.num, 2u);
  ExpectPeriod(1, 10, 30, PERIOD_LIMIT_LOCK);
  EXPECT_EQ(found_.rows[1].lock, 0u);
}

// What other programs do changes all the time.
TEST_F(Periods, SomeLoadOfOthersIsNoOtherLimit) {
  Add(1, 0, 30, ACTIVITY_RUNS, kRun);
  Use(0, 10, 0.9, 0.1);
  Use(10, 20, 0.55, 0.45);
  Use(20, 30, 0.9, 0.1);
  Find(30);
  EXPECT_EQ(found_.num, 1u);
}

TEST_F(Periods, AProgramThatGetsNoCpuIsStarved) {
  Add(1, 0, 30, ACTIVITY_RUNS, kRun);
  Use(0, 20, 0.95, 0.05);
  Use(20, 30, 0.1, 0.9);
  Find(30);
  ASSERT_EQ(found_.num, 2u);
  ExpectPeriod(0, 0, 20, PERIOD_LIMIT_THREADS);
  ExpectPeriod(1, 20, 30, PERIOD_LIMIT_STARVED);
  EXPECT_NEAR(found_.rows[1].queued, 0.9, 0.05);
}

TEST_F(Periods, CanBeIoRestAndPauses) {
  Add(2, 0, 10, ACTIVITY_IO, kReserve);
  Add(1, 10, 20, ACTIVITY_SLEEPS, kPrice);
  Add(1, 20, 30, ACTIVITY_RUNS, kRun);
  Use(0, 10, 0.5);
  Use(10, 20, 0.1);
  Use(20, 30, 0.5);
  for (int i = 0; i < 20; i++) spending_pause(&s_, At(20 + i * 0.5), At(20.2 + i * 0.5));
  Find(30);
  ASSERT_EQ(found_.num, 3u);
  ExpectPeriod(0, 0, 10, PERIOD_LIMIT_IO);
  ExpectPeriod(1, 10, 20, PERIOD_LIMIT_REST);
  ExpectPeriod(2, 20, 30, PERIOD_LIMIT_PAUSES);
  EXPECT_NEAR(found_.rows[0].io, 2, 0.1);
  EXPECT_EQ(found_.rows[1].place, place(0x10, 88));
  EXPECT_NEAR(found_.rows[2].paused, 0.4, 0.03);
}

// The JIT compiler, the garbage collector or native threads use the CPUs.
TEST_F(Periods, JavaThreadsAreNotTheWholeProcess) {
  Add(1, 0, 20, ACTIVITY_SLEEPS, kPrice);
  Use(0, 10, 1.5);
  Add(1, 10, 20, ACTIVITY_RUNS, kRun);
  Use(10, 20, 1.95);
  Find(20);
  ASSERT_GE(found_.num, 1u);
  EXPECT_STREQ(period_limit_keys[found_.rows[0].limit], "threads");
  EXPECT_EQ(found_.rows[0].place, 0u);
  EXPECT_NE(found_.rows[found_.num - 1].place, 0u);
}

// Epoll is idle: such threads are in no figure.
TEST_F(Periods, ThreadsThatWaitForWorkCountNowhere) {
  Add(50, 0, 30, ACTIVITY_IO, "1;00000014;FFFFFFFF");
  Add(1, 15, 30, ACTIVITY_RUNS, kRun);
  Use(15, 30, 1);
  Find(30);
  ASSERT_EQ(found_.num, 2u);
  ExpectPeriod(0, 0, 15, PERIOD_LIMIT_REST);
  ExpectPeriod(1, 15, 30, PERIOD_LIMIT_THREADS);
  EXPECT_EQ(found_.rows[0].io, 0);
  EXPECT_EQ(found_.rows[0].place, 0u);
}

TEST_F(Periods, OfALongRecordingAreFound) {
  Add(1, 0, 3000, ACTIVITY_RUNS, kRun);
  Add(3, 3000, 3400, ACTIVITY_BLOCKED, kReserve);
  Add(1, 3400, 7000, ACTIVITY_RUNS, kRun);
  Use(0, 3000, 1);
  Use(3400, 7000, 1);
  Find(7000);
  ASSERT_EQ(found_.num, 3u);
  EXPECT_NEAR(Seconds(found_.rows[1].begin), 3000, 82);  // two slices
  EXPECT_NEAR(Seconds(found_.rows[1].end), 3400, 82);
}

TEST_F(Periods, NoMemoryIsReported) {
  Add(1, 0, 10, ACTIVITY_RUNS, kRun);
  Add(3, 10, 20, ACTIVITY_BLOCKED, kReserve);
  spending_end(&s_, At(20));
  for (unsigned long nth = 1;; nth++) {
    struct periods out;
    scarce_fail(nth);
    bool good = TryFind(20, &out);
    bool is_enough = scarce_num() < nth;
    scarce_fail(0);
    EXPECT_EQ(good, is_enough) << nth;
    if (is_enough) break;
  }
}

}  // namespace
