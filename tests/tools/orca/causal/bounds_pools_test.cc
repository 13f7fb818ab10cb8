#include "tools/orca/causal/bounds.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

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

Program PoolProgram(int num, int threads, const std::vector<Op> &body) {
  Program p;
  p.pools = {threads};
  p.threads.resize(1);
  for (int i = 0; i < num; i++) {
    p.tasks.push_back({0, body});
    p.threads[0].push_back({machine::kSubmit, i});
  }
  for (int i = 0; i < num; i++) p.threads[0].push_back({machine::kGet, i});
  return p;
}

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
  p.threads.push_back({{machine::kSleep, 0, 200}});
  EXPECT_FALSE(Find(p).known);
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
