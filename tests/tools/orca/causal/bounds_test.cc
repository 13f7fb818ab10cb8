#include "tools/orca/causal/bounds.h"

#include "tests/tools/orca/causal/told_trace.h"
#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

// The bounds of a recording that a test tells line by line.
class ToldBounds : public ToldTrace {
 public:
  explicit ToldBounds(const std::string &text, const std::string &options = "")
      : ToldTrace(text, options) {
    EXPECT_TRUE(bounds_find(&b, &trace));
  }
  ~ToldBounds() { bounds_free(&b); }

  uint32_t LockId(const std::string &name) {
    for (size_t i = 0; i < model.locks.num; i++) {
      const struct lock &lock = model.locks.rows[i];
      if (lock.object == Hash(name)) return lock.id;
    }
    ADD_FAILURE() << name;
    return 0;
  }
  double LockTime(const std::string &name) {
    return double(bounds_lock_time(&b.locks, LockId(name)));
  }

  struct bounds b = {};
};

// main runs until a time: what it waited for says nothing of its speed.
TEST(Bounds, AreUnknownOfARunThatTakesAsLongAsTheProgramWants) {
  std::string lines =
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadSleep\n"
      "2.0 main ThreadSlept\n"
      "5.0 main Cpu 3900\n"
      "5.0 main ThreadEnded\n";
  EXPECT_TRUE(ToldBounds(lines).b.known);
  ToldBounds told(lines, "\nclock.loops=000000A1;00000000;00000010\noptions=out,events=all,");
  EXPECT_TRUE(told.b.is_timed);
  EXPECT_FALSE(told.b.known);
  EXPECT_FALSE(told.b.pool.known);
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

TEST(Bounds, AreThePathOfTheRun) {
  ToldBounds told(kTwoLocks, "locks=all,");
  ASSERT_TRUE(told.b.known);
  EXPECT_TRUE(told.b.of_run);
  EXPECT_EQ(told.b.threads, 1u);
  EXPECT_EQ(told.b.work, ToldTrace::Ticks(5.0));
  ASSERT_GT(told.b.num_stretches, 2u);
  EXPECT_EQ(told.b.stretches[0].begin, told.At(0.0));
  EXPECT_EQ(told.b.stretches[told.b.num_stretches - 1].end, told.At(5.0));
  EXPECT_EQ(told.b.stretches[0].thread, told.Hash("main"));
}

// The lock with most blocked time need not be on the path.
TEST(Bounds, HaveTheTimeOfEachLockOnThePath) {
  ToldBounds told(kTwoLocks, "locks=all,");
  EXPECT_EQ(told.model.locks.rows[0].object, told.Hash("long"));
  EXPECT_NEAR(told.LockTime("short"), double(ToldTrace::Ticks(1.0)), 2e6);
  EXPECT_EQ(told.LockTime("long"), 0);
}

TEST(Bounds, AddUpTheTimeOfALock) {
  struct bounds b = {};
  ASSERT_TRUE(tally_add(&b.locks, 3, 0, 1, 70));
  ASSERT_TRUE(tally_add(&b.locks, 3, 0, 1, 5));
  tally_sort(&b.locks);
  EXPECT_EQ(bounds_lock_time(&b.locks, 3), 75u);
  EXPECT_EQ(bounds_lock_time(&b.locks, 2), 0u);
  bounds_free(&b);
  EXPECT_EQ(b.locks.num, 0u);
}

// Both locks of the second piece are of one group, so its 5 count once; the third has other groups.
TEST(Bounds, CountTimeOnceThatLocksOfAGroupHaveTogether) {
  const uint32_t ids[] = {0, 7, 7, 8};
  struct bounds_nested nested[] = {{1, 1, 5}, {1, 2, 5}, {2, 1, 10}, {2, 3, 10}};
  struct bounds b = {};
  struct tally merged = {};
  b.nested = nested;
  b.num_nested = 4;
  ASSERT_TRUE(tally_add(&b.locks, 1, 0, 1, 20));
  ASSERT_TRUE(tally_add(&b.locks, 2, 0, 1, 5));
  ASSERT_TRUE(tally_add(&b.locks, 3, 0, 1, 10));
  tally_sort(&b.locks);
  ASSERT_TRUE(bounds_merge_locks(&b, ids, &merged));
  EXPECT_EQ(bounds_lock_time(&merged, 7), 20u);
  EXPECT_EQ(bounds_lock_time(&merged, 8), 10u);
  tally_free(&merged);
  tally_free(&b.locks);
}

// main waits for the lock `outer`, whose owner waits for the lock `inner`.
TEST(Bounds, HaveTheLocksThatShareTime) {
  ToldBounds told(
      "0.0 main ThreadStarted\n"
      "0.0 a ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "0.5 a LockAcquire outer\n"
      "0.500001 a LockAcquired outer\n"
      "0.6 b LockAcquire inner\n"
      "0.600001 b LockAcquired inner\n"
      "1.0 a LockAcquire inner b\n"
      "1.1 main LockAcquire outer a\n"
      "3.0 b LockRelease inner\n"
      "3.0001 a LockAcquired inner\n"
      "4.0 a LockRelease outer\n"
      "4.0001 main LockAcquired outer\n"
      "5.0 main Cpu 2100\n"
      "5.0 a Cpu 3000\n"
      "5.0 b Cpu 5000\n"
      "5.0 main ThreadEnded\n",
      "locks=all,");
  ASSERT_TRUE(bounds_has_path(&told.b));
  const uint32_t id = told.LockId("outer");
  std::vector<uint32_t> ids(told.model.locks.num_ids + 1, id);
  struct tally merged = {};
  ASSERT_TRUE(bounds_merge_locks(&told.b, ids.data(), &merged));
  EXPECT_GT(told.LockTime("inner"), 0);
  EXPECT_EQ(double(bounds_lock_time(&merged, id)), told.LockTime("outer"));
  tally_free(&merged);
}

TEST(Bounds, AddUpTheTimeInWhichAMethodRuns) {
  struct bounds b = {};
  b.num_parts = 4;
  b.parts[0] = {PATH_RUNS, false, place_t{7} << 32 | 1, 50};
  b.parts[1] = {PATH_RUNS, true, place_t{7} << 32 | 2, 30};
  b.parts[2] = {PATH_SLEEPS, false, place_t{7} << 32 | 3, 20};
  b.parts[3] = {PATH_RUNS, false, 0, 10};
  EXPECT_EQ(bounds_method_time(&b, 7), 80u);
  EXPECT_EQ(bounds_method_time(&b, 0), 0u);
}

// The method has 80 of the 100 in which the path ran.
TEST(Bounds, ShareTheWaitForACpuAmongMethods) {
  struct bounds b = {};
  b.num_parts = 4;
  b.parts[0] = {PATH_QUEUED, false, place_t{9} << 32 | 1, 200};
  b.parts[1] = {PATH_RUNS, false, place_t{7} << 32 | 1, 80};
  b.parts[2] = {PATH_QUEUED, false, 0, 50};
  b.parts[3] = {PATH_RUNS, false, place_t{8} << 32 | 1, 20};
  EXPECT_EQ(bounds_method_wait(&b, 7), 200u);
  EXPECT_EQ(bounds_method_wait(&b, 8), 50u);
  EXPECT_EQ(bounds_method_wait(&b, 9), 0u) << "it waited, but it did not run";
  b.num_parts = 1;
  EXPECT_EQ(bounds_method_wait(&b, 7), 0u);
}

TEST(Bounds, AreUnknownIfThePathIs) {
  ToldBounds told(
      "0.0 main ThreadStarted\n"
      "1.0 main LatchAwait l\n"
      "4.0 main LatchAwaited l\n"
      "5.0 main ThreadEnded\n");
  EXPECT_FALSE(told.b.known);
}

TEST(Bounds, TakeTheTrace) {
  ToldBounds told(kTwoLocks, "locks=all,");
  EXPECT_EQ(told.trace.ops, nullptr);
}

TEST(Bounds, AreUnknownIfTheTraceIsTooLong) {
  ToldTrace told(kTwoLocks, "locks=all,");
  struct bounds b = {};
  told.trace.is_too_long = true;
  ASSERT_TRUE(bounds_find(&b, &told.trace));
  EXPECT_FALSE(b.known);
  bounds_free(&b);
}

// A service does not end. Each of its threads that works counts, and not the one that sleeps.
TEST(Bounds, OfAServiceAreThoseOfItsWorkingThreads) {
  ToldBounds told(
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
  ASSERT_TRUE(told.b.known);
  EXPECT_FALSE(told.b.of_run);
  EXPECT_FALSE(bounds_has_path(&told.b));
  EXPECT_EQ(told.b.num_stretches, 0u);
  EXPECT_EQ(told.b.threads, 2u);
  EXPECT_EQ(told.b.work, ToldTrace::Ticks(20.0));
  EXPECT_NEAR(told.LockTime("l"), double(ToldTrace::Ticks(4.0)), 2e6);
}

// --- which recordings have bounds -----------------------------------------------------------

TEST(BoundsCanBeKnown, OfACompleteShortRecording) {
  ToldTrace told(kTwoLocks, "locks=all,");
  EXPECT_TRUE(bounds_can_be_known(&told.model));
  told.model.recording.all_events = BOUNDS_LINES + 1;
  EXPECT_FALSE(bounds_can_be_known(&told.model));
}

TEST(BoundsCanBeKnown, NotIfLinesMayBeMissing) {
  ToldTrace told(kTwoLocks, "locks=all,threshold=1ms,");
  EXPECT_FALSE(bounds_can_be_known(&told.model));
}

TEST(BoundsCanBeKnown, NotWithAFilter) {
  ToldTrace told(kTwoLocks, "locks=all,");
  told.model.matcher.active = true;
  EXPECT_FALSE(bounds_can_be_known(&told.model));
}

// --- what changes would gain ----------------------------------------------------------------

// main and b take turns at a lock, and sleep 1 s each time while they hold it. Without the lock
// both take half of the time.
std::string TellTurns() {
  std::string text = "0.0 main ThreadStarted\n0.0 b ThreadStarted\n";
  char line[400];
  for (int i = 0; i < 10; i++) {
    const char *me = i % 2 == 0 ? "b" : "main", *other = i % 2 == 0 ? "main" : "b";
    if (i == 0) text += "0.01 b LockAcquire l\n0.010001 b LockAcquired l\n";
    snprintf(line, sizeof line,
             "%d.02 %s ThreadSleep\n%d.03 %s LockAcquire l %s\n%d.95 %s ThreadSlept\n"
             "%d.96 %s LockRelease l\n%d.9601 %s LockAcquired l\n",
             i, me, i, other, me, i, me, i, me, i, other);
    text += line;
  }
  return text +
         "10.0 b LockRelease l\n10.1 b ThreadEnded\n10.1 main Cpu 100\n10.1 b Cpu 100\n"
         "10.2 main ThreadEnded\n";
}

TEST(BoundsGains, AreThatOfTheLockWithMostTimeOnThePath) {
  ToldBounds told(TellTurns(), "locks=all,");
  const struct bounds_gain &gain = told.b.without_lock;
  ASSERT_TRUE(gain.known);
  EXPECT_EQ(told.b.lock_id, told.LockId("l"));
  EXPECT_GT(gain.gain.least, 1.5);
  EXPECT_LT(gain.gain.most, 2.5);
  EXPECT_GT(gain.gain.middle, gain.gain.least);
  EXPECT_LT(gain.gain.middle, gain.gain.most);
  EXPECT_NEAR(double(gain.work) / double(gain.time), gain.gain.middle, 0.01);
  EXPECT_NEAR(double(gain.work), double(ToldTrace::Ticks(10.2)), 0.1 * TICKS_PER_S);
  EXPECT_EQ(gain.limit, LIMIT_SLEEP);
  EXPECT_FALSE(told.b.faster_method.known) << "main and b use hardly any CPU time";
}

TEST(BoundsGains, AreUnknownWithoutALockOrAMethodOnThePath) {
  ToldBounds told(
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadSleep\n"
      "2.0 main ThreadSlept\n"
      "5.0 main Cpu 3900\n"
      "5.0 main ThreadEnded\n");
  EXPECT_TRUE(told.b.known);
  EXPECT_FALSE(told.b.without_lock.known);
  EXPECT_FALSE(told.b.faster_method.known);
}

TEST(BoundsGains, AreUnknownOfALongRecording) {
  ToldTrace told(TellTurns(), "locks=all,");
  struct bounds b = {};
  told.model.recording.all_events = BOUNDS_GAIN_LINES + 1;
  ASSERT_TRUE(bounds_find(&b, &told.trace));
  EXPECT_TRUE(b.known);
  EXPECT_FALSE(b.without_lock.known);
  bounds_free(&b);
}

// The bounds of a program that the exact machine ran.
class BoundsOfPrograms : public testing::Test {
 protected:
  ~BoundsOfPrograms() override { bounds_free(&b_); }

  void Find(const machine::Program &p) {
    struct builder why = {};
    struct model model = {};
    struct trace trace = {};
    Recorded r(p);
    time_ = r.time;
    struct dump *dump = dump_open(r.files.Prefix().c_str(), &why);
    ASSERT_NE(dump, nullptr) << std::string(why.data, why.len);
    builder_free(&why);
    EXPECT_TRUE(model_read(&model, dump, nullptr, ALL_ANALYSES));
    EXPECT_TRUE(trace_read(&trace, &model, BOUNDS_LINES));
    EXPECT_TRUE(bounds_find(&b_, &trace));
    model_free(&model);
    dump_close(dump);
  }

  struct bounds b_ = {};
  double time_ = 0;
};

TEST_F(BoundsOfPrograms, TellWhatAFasterMethodGains) {
  machine::Program p;
  p.cpus = 2;
  p.threads = {Rounds(20, {{machine::kCompute, 0, 30}, {machine::kSleep, 0, 10}})};
  Find(p);
  ASSERT_TRUE(b_.known);
  const struct bounds_gain &gain = b_.faster_method;
  ASSERT_TRUE(gain.known);
  EXPECT_FALSE(b_.without_lock.known);
  EXPECT_NEAR(time_, 800, 5);
  double wanted = 800.0 / 500;
  EXPECT_GE(wanted, gain.gain.least);
  EXPECT_LE(wanted, gain.gain.most);
  EXPECT_EQ(gain.limit, LIMIT_METHOD);
  EXPECT_FALSE(gain.shares_cpus);
}

// Twelve threads share one CPU, so the path runs for less than a tenth of its time.
TEST_F(BoundsOfPrograms, TellWhatAFasterMethodGainsThatWaitsForACpu) {
  machine::Program p;
  p.cpus = 1;
  p.threads.assign(12, Rounds(20, {{machine::kCompute, 0, 5}}));
  Find(p);
  ASSERT_TRUE(b_.known);
  ASSERT_TRUE(b_.faster_method.known);
  EXPECT_GT(b_.faster_method.gain.least, 1.7);
}

// What computes is not on the path, so to change it gains nothing.
TEST_F(BoundsOfPrograms, ForetellNoGainOfAMethodOutsideOfThePath) {
  machine::Program p;
  p.cpus = 2;
  p.threads = {Rounds(20, {{machine::kSleep, 0, 40}}), Rounds(20, {{machine::kCompute, 0, 20}})};
  Find(p);
  ASSERT_TRUE(b_.known);
  EXPECT_FALSE(b_.faster_method.known);
}

// --- pools ---

using machine::Op;
using machine::Program;

// The bounds of a program that the exact machine ran.
class BoundsPools : public testing::Test {
 protected:
  ~BoundsPools() override {
    bounds_free(&bounds_);
    model_free(&model_);
    dump_close(dump_);
  }

  const struct bounds_pool &Find(const Program &p) {
    struct builder why = {};
    machine::Machine m;
    time_ = m.Run(p);
    EXPECT_GT(time_, 0);
    m.Write(&files_, machine::kAllLocks);
    dump_ = dump_open(files_.Prefix().c_str(), &why);
    EXPECT_NE(dump_, nullptr) << std::string(why.data, why.len);
    builder_free(&why);
    EXPECT_TRUE(model_read(&model_, dump_, nullptr, ALL_ANALYSES));
    struct trace trace = {};
    EXPECT_TRUE(trace_read(&trace, &model_, BOUNDS_LINES));
    EXPECT_TRUE(bounds_find(&bounds_, &trace));
    EXPECT_TRUE(bounds_.known);
    EXPECT_TRUE(bounds_.of_run);
    return bounds_.pool;
  }

  // The time of a program, as the machine knows it.
  static double TimeOf(const Program &p) {
    machine::Machine m;
    return m.Run(p);
  }

  static double Ms(ticks_t time) { return double(time) / TICKS_PER_S * 1000; }

  DumpFiles files_;
  double time_ = 0;
  struct dump *dump_ = nullptr;
  struct model model_ = {};
  struct bounds bounds_ = {};
};

TEST_F(BoundsPools, AreThoseOfAPoolThatIsTooSmall) {
  Program p = PoolProgram(24, 4, {{machine::kSleep, 0, 10}});
  const struct bounds_pool &pool = Find(p);
  ASSERT_TRUE(pool.known);
  EXPECT_STREQ(pool.title, "pool-1");
  EXPECT_EQ(pool.threads, 4u);
  EXPECT_NEAR(Ms(pool.queued), 4 * (10 + 20 + 30 + 40 + 50), 1);
  EXPECT_NEAR(Ms(pool.ran), 24 * 10, 1);
  EXPECT_NEAR(Ms(pool.path), 50, 1);  // the last task waited for five others
  ASSERT_TRUE(pool.gain.known);
  double wanted = time_ / TimeOf(machine::WithPool(p, 0, 8));
  EXPECT_NEAR(wanted, 2, 0.01);
  EXPECT_GE(wanted, pool.gain.gain.least);
  EXPECT_LE(wanted, pool.gain.gain.most);
  EXPECT_EQ(pool.gain.limit, LIMIT_SLEEP);
}

TEST_F(BoundsPools, GainNothingOnFullCpus) {
  Program p = PoolProgram(24, 4, {{machine::kCompute, 0, 10}});
  const struct bounds_pool &pool = Find(p);
  ASSERT_TRUE(pool.known);
  ASSERT_TRUE(pool.gain.known);
  EXPECT_NEAR(TimeOf(machine::WithPool(p, 0, 8)), time_, 1);
  EXPECT_LT(pool.gain.gain.most, 1.06);  // a range has at least 5 % on both sides
  EXPECT_GT(pool.gain.gain.least, 0.94);
  EXPECT_EQ(pool.gain.limit, LIMIT_CPU);
}

TEST_F(BoundsPools, GainNothingIfAllTasksNeedOneLock) {
  // After the release the thread leaves the lock to a waiter.
  Program p = PoolProgram(
      24, 4,
      {{machine::kLock}, {machine::kSleep, 0, 10}, {machine::kUnlock}, {machine::kSleep, 0, 1}});
  const struct bounds_pool &pool = Find(p);
  ASSERT_TRUE(pool.known);
  ASSERT_TRUE(pool.gain.known);
  EXPECT_NEAR(TimeOf(machine::WithPool(p, 0, 8)), time_, 1);
  EXPECT_LT(pool.gain.gain.most, 1.06);  // a range has at least 5 % on both sides
  EXPECT_GT(pool.gain.gain.least, 0.94);
  EXPECT_EQ(pool.gain.limit, LIMIT_LOCK);
  EXPECT_EQ(pool.gain.next_lock, 0xA0u);
  EXPECT_TRUE(bounds_.without_lock.known);
  EXPECT_GT(bounds_.without_lock.gain.least, 3);
}

// Each task finds a free thread.
TEST_F(BoundsPools, AreUnknownIfThePoolIsLargeEnough) {
  EXPECT_FALSE(Find(PoolProgram(4, 4, {{machine::kSleep, 0, 10}})).known);
}

// Tasks wait, but the program ends with a thread that takes longer.
TEST_F(BoundsPools, AreUnknownIfThePoolIsNotOnThePath) {
  Program p = PoolProgram(24, 4, {{machine::kSleep, 0, 10}});
  p.threads.push_back({{machine::kSleep, 0, 400}});
  EXPECT_FALSE(Find(p).known);
  EXPECT_EQ(bounds_.num_crowded, 0u) << "50 of 400 ms";
}

TEST_F(BoundsPools, AreAlsoThoseWhoseTasksWaitedForLong) {
  Program p = PoolProgram(24, 4, {{machine::kSleep, 0, 10}});
  p.threads.push_back({{machine::kSleep, 0, 150}});
  EXPECT_FALSE(Find(p).known);
  ASSERT_EQ(bounds_.num_crowded, 1u);
  const struct bounds_pool &pool = bounds_.crowded[0];
  EXPECT_TRUE(pool.is_crowded);
  EXPECT_STREQ(pool.title, "pool-1");
  EXPECT_EQ(pool.tasks, 24u);
  EXPECT_NEAR(Ms(pool.longest), 50, 1);
  EXPECT_EQ(pool.workers.num, 4u);
  EXPECT_EQ(pool.queued_at.num, 1u);
  EXPECT_EQ(pool.path, 0u);
}

// Only the time after a task was queued counts.
TEST_F(BoundsPools, CountTheTimeInTheQueueOnly) {
  Program p;
  p.pools = {1};
  p.tasks = {{0, {{machine::kSleep, 0, 100}}}, {0, {{machine::kSleep, 0, 10}}}};
  p.threads = {
      {{machine::kSubmit, 0}, {machine::kSleep, 0, 60}, {machine::kSubmit, 1}, {machine::kGet, 1}}};
  const struct bounds_pool &pool = Find(p);
  ASSERT_TRUE(pool.known);
  EXPECT_EQ(pool.threads, 1u);
  EXPECT_NEAR(Ms(pool.path), 40, 1);
  EXPECT_NEAR(time_, 110, 1);
}

}  // namespace
