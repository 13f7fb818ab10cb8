#include "tools/orca/causal/trace/trace_pools.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Op;
using machine::Program;

// The pools of a program that the exact machine ran.
class TracePools : public testing::Test {
 protected:
  ~TracePools() override {
    trace_pools_free(&pools_);
    trace_free(&trace_);
    model_free(&model_);
    dump_close(dump_);
  }

  void Read(const Program &p) {
    machine::Machine m;
    ASSERT_GT(m.Run(p), 0);
    m.Write(&files_, machine::kAllLocks);
    ReadFiles();
  }

  void ReadFiles() {
    struct builder why = {};
    dump_ = dump_open(files_.Prefix().c_str(), &why);
    ASSERT_NE(dump_, nullptr) << std::string(why.data, why.len);
    builder_free(&why);
    ASSERT_TRUE(model_read(&model_, dump_, nullptr, ALL_ANALYSES));
    ASSERT_TRUE(trace_read(&trace_, &model_, TRACE_MAX_OPS));
    ASSERT_TRUE(trace_pools_find(&pools_, &trace_));
  }

  // Six tasks of 10 ms in a pool of two threads.
  static Program SixTasks() {
    Program p;
    p.cpus = 4;
    p.pools = {2};
    std::vector<Op> ops;
    for (int i = 0; i < 6; i++) {
      p.tasks.push_back({0, {{machine::kSleep, 0, 10}}});
      ops.push_back({machine::kSubmit, i});
    }
    for (int i = 0; i < 6; i++) ops.push_back({machine::kGet, i});
    p.threads = {ops};
    return p;
  }

  static double Ms(ticks_t time) { return double(time) / TICKS_PER_S * 1000; }

  DumpFiles files_;
  struct dump *dump_ = nullptr;
  struct model model_ = {};
  struct trace trace_ = {};
  struct trace_pools pools_ = {};
};

TEST_F(TracePools, KnowEachTaskAndItsTimeInTheQueue) {
  Read(SixTasks());
  ASSERT_EQ(pools_.num, 1u);
  const struct trace_pool &pool = pools_.pools[0];
  EXPECT_STREQ(pool.title, "pool-1");
  EXPECT_EQ(pool.threads, 2u);
  EXPECT_EQ(pool.tasks, 6u);
  EXPECT_NEAR(Ms(pool.queued), 2 * 10 + 2 * 20, 0.5);
  EXPECT_NEAR(Ms(pool.ran), 6 * 10, 0.5);
  EXPECT_NEAR(Ms(pool.waiting), 20, 0.5);
  EXPECT_TRUE(trace_pool_is_full(&pool));
  EXPECT_TRUE(pool.is_in_order);
  EXPECT_FALSE(pool.is_timed);
  ASSERT_EQ(pools_.num_tasks, 6u);
  for (size_t i = 0; i < 6; i++) {
    const struct trace_task &task = pools_.tasks[i];
    EXPECT_EQ(trace_.ops[task.queue_op - 1].object, 0x1000 + i);
    EXPECT_EQ(trace_pools_task(&pools_, task.queue_op), i + 1);
    EXPECT_EQ(trace_pools_task(&pools_, task.first_op), i + 1);
    EXPECT_NEAR(Ms(task.begin - task.queued), 10. * double(i / 2), 0.1);
    EXPECT_NEAR(Ms(task.end - task.begin), 10, 0.1);
    EXPECT_NE(task.end_op, 0u);
  }
  EXPECT_EQ(trace_.ops[pools_.tasks[0].first_op - 1].kind, unsigned(TRACE_STARTED));
}

// Tasks that come one by one are in the queue only until the thread wakes up.
TEST_F(TracePools, WithoutABusyThreadIsNotFull) {
  Program p;
  p.pools = {1};
  std::vector<Op> ops;
  for (int i = 0; i < 10; i++) {
    p.tasks.push_back({0, {{machine::kSleep, 0, 5}}});
    ops.push_back({machine::kSubmit, i});
    ops.push_back({machine::kGet, i});
    ops.push_back({machine::kSleep, 0, 5});
  }
  p.threads = {ops};
  Read(p);
  ASSERT_EQ(pools_.num, 1u);
  EXPECT_EQ(pools_.pools[0].tasks, 10u);
  EXPECT_FALSE(trace_pool_is_full(&pools_.pools[0]));
  EXPECT_NEAR(pools_.pools[0].hand_off / TICKS_PER_S * 1000, 0.02, 0.001);
}

TEST_F(TracePools, AreNoneWithoutTasks) {
  Program p;
  p.threads = {{{machine::kSleep, 0, 5}}};
  Read(p);
  EXPECT_EQ(pools_.num, 0u);
  EXPECT_EQ(pools_.num_tasks, 0u);
}

TEST_F(TracePools, HaveSeveralQueues) {
  Program p = SixTasks();
  p.pools = {2, 1};
  p.tasks[1].pool = p.tasks[4].pool = 1;
  Read(p);
  ASSERT_EQ(pools_.num, 2u);
  EXPECT_EQ(pools_.pools[0].tasks, 4u);
  EXPECT_EQ(pools_.pools[1].tasks, 2u);
  EXPECT_STREQ(pools_.pools[1].title, "pool-2");
  EXPECT_EQ(pools_.pools[1].threads, 1u);
}

// A task with a delay is not in the queue because the threads are busy.
TEST_F(TracePools, KnowTasksWithDelays) {
  machine::Machine m;
  ASSERT_GT(m.Run(SixTasks()), 0);
  m.Write(&files_, machine::kAllLocks);
  files_.Replace(DUMP_CLASSES, "/ThreadPoolExecutor", "/ScheduledThreadPoolExecutor");
  files_.Replace(DUMP_METHODS, "getTask,()V,000000C6", "getTask,()V,000000C7");
  files_.Replace(DUMP_METHODS, "addWorker,()V,000000C6", "addWorker,()V,000000C7");
  files_.Append(DUMP_CLASSES,
                "100.0000000000,000000C7,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n");
  ReadFiles();
  ASSERT_EQ(pools_.num, 1u);
  EXPECT_TRUE(pools_.pools[0].is_timed);
}

// A lambda without captured variables is one object, however often it is queued.
TEST_F(TracePools, AnObjectThatIsQueuedSeveralTimesIsSeveralTasks) {
  machine::Machine m;
  ASSERT_GT(m.Run(SixTasks()), 0);
  m.Write(&files_, machine::kAllLocks);
  for (const char *task : {"00001001", "00001003", "00001004", "00001005"}) {
    while (files_.Text(DUMP_EVENTS).find(task) != std::string::npos) {
      files_.Replace(DUMP_EVENTS, task, "00001002");
    }
  }
  ReadFiles();
  ASSERT_EQ(pools_.num, 1u);
  EXPECT_EQ(pools_.pools[0].tasks, 6u);
  EXPECT_FALSE(pools_.pools[0].is_mixed);
  EXPECT_TRUE(pools_.pools[0].is_in_order);
  EXPECT_TRUE(trace_pool_is_full(&pools_.pools[0]));
  EXPECT_NEAR(Ms(pools_.pools[0].queued), 2 * 10 + 2 * 20, 0.5);
}

TEST_F(TracePools, APoolThatGrowsIsNotFull) {
  struct trace_pool pool = {};
  pool.threads = 50;
  pool.waiting = pool.full = 60 * TICKS_PER_S;
  pool.living = 49;
  EXPECT_TRUE(trace_pool_is_full(&pool));
  pool.living = 2.8; /* of two threads most of the time */
  EXPECT_FALSE(trace_pool_is_full(&pool));
}

TEST_F(TracePools, MatchTheNamesOfAUser) {
  char worker[] = "worker-…", worker_stem[] = "worker-";
  char pool[] = "pool-1", pool_stem[] = "pool-1-thread-";
  struct trace_pool a = {}, b = {};
  a.title = worker;
  a.stem = worker_stem;
  b.title = pool;
  b.stem = pool_stem;
  for (const char *text : {"worker-…", "worker-", "worker-...", "worker-*", "w*"}) {
    EXPECT_TRUE(trace_pool_matches(&a, text)) << text;
    EXPECT_FALSE(trace_pool_matches(&b, text)) << text;
  }
  for (const char *text : {"pool-1", "pool-1-*", "pool-1-thread-", "pool-?"}) {
    EXPECT_TRUE(trace_pool_matches(&b, text)) << text;
    EXPECT_FALSE(trace_pool_matches(&a, text)) << text;
  }
}

}  // namespace
