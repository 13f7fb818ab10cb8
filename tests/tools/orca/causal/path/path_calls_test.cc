#include "tools/orca/causal/path/path_calls.h"

#include "tests/tools/orca/causal/told_trace.h"

namespace {

class PathCalls : public testing::Test {
 protected:
  ~PathCalls() override {
    path_calls_free(&calls_);
    path_free(&path_);
  }
  void Walk(ToldTrace *told, const char *pattern) {
    ASSERT_TRUE(path_calls_find(&calls_, &told->trace, pattern));
    ASSERT_TRUE(path_start(&path_, &told->trace));
    ASSERT_TRUE(path_calls_walk(&calls_, &path_));
  }
  struct path_calls calls_ = {};
  struct path path_ = {};
};

// Each thread of a ToldTrace runs in a method of its own name.
TEST_F(PathCalls, AreTheOutermostCallsOfTheMethod) {
  ToldTrace told(
      "0.0 serve ThreadStarted\n"
      "1.0 serve MethodEntry\n"
      "1.5 serve MethodEntry\n"
      "1.6 serve MethodExit\n"
      "2.0 serve MethodExit\n"
      "3.0 serve MethodEntry\n"
      "3.5 serve MethodExit\n"
      "4.0 serve MethodEntry\n"
      "5.0 other ThreadStarted\n"
      "5.0 other MethodEntry\n"
      "5.5 other MethodExit\n");
  Walk(&told, "serve");
  ASSERT_EQ(calls_.num, 2u);  // the last one has no end
  EXPECT_EQ(calls_.works[0].begin, told.At(3.0));
  EXPECT_EQ(calls_.works[1].begin, told.At(1.0));
  EXPECT_EQ(calls_.groups[PATH_ALL_CALLS].calls, 2u);
  EXPECT_EQ(calls_.groups[PATH_ALL_CALLS].table.total, ToldTrace::Ticks(1.5));
}

// What makes the slowest call slow is not what the others spend their time with.
TEST_F(PathCalls, TellTheSlowestFromTheTypicalOnes) {
  std::string text = "0.0 serve ThreadStarted\n0.0 b ThreadStarted\n";
  char line[200];
  for (int i = 0; i < 9; i++) {
    snprintf(line, sizeof line,
             "%d.1 serve MethodEntry\n%d.2 serve ThreadSleep\n%d.3 serve ThreadSlept\n"
             "%d.4 serve MethodExit\n",
             i, i, i, i);
    text += line;
  }
  text +=
      "9.1 serve MethodEntry\n"
      "9.15 b LockAcquire l\n"
      "9.150001 b LockAcquired l\n"
      "9.2 serve LockAcquire l b\n"
      "9.9 b LockRelease l\n"
      "9.9001 serve LockAcquired l\n"
      "9.95 serve MethodExit\n"
      "10.0 serve Cpu 8000\n"
      "10.0 b Cpu 10000\n";
  ToldTrace told(text, "locks=all,");
  Walk(&told, "serve");
  const struct path_group &typical = calls_.groups[PATH_TYPICAL_CALLS];
  const struct path_group &slowest = calls_.groups[PATH_SLOWEST_CALLS];
  EXPECT_EQ(calls_.num, 10u);
  EXPECT_EQ(slowest.calls, 1u);
  EXPECT_EQ(slowest.longest, ToldTrace::Ticks(0.85));
  EXPECT_GE(typical.calls, 2u);
  EXPECT_EQ(typical.longest, ToldTrace::Ticks(0.3));
  ASSERT_GT(slowest.table.num, 0u);
  EXPECT_EQ(slowest.table.rows[0].lock, 1u);
  EXPECT_EQ(slowest.table.reasons[PATH_SLEEPS], 0u);
  EXPECT_NEAR(double(typical.table.reasons[PATH_SLEEPS]) / double(typical.table.total), 1 / 3.,
              0.01);
  for (size_t i = 0; i < typical.table.num; i++) EXPECT_EQ(typical.table.rows[i].lock, 0u);
}

TEST_F(PathCalls, AreNoneWithoutATrackedMethod) {
  ToldTrace told("0.0 serve ThreadStarted\n1.0 serve ThreadEnded\n");
  Walk(&told, "serve");
  EXPECT_EQ(calls_.num, 0u);
  EXPECT_EQ(calls_.groups[PATH_SLOWEST_CALLS].calls, 0u);
}

// A task was in the queue of its pool before a worker took it. The last one has no end.
TEST_F(PathCalls, CanBeTheTasksOfAPool) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 w ThreadStarted\n"
      "1.0 main TaskQueued t\n"
      "1.1 main TaskQueued u\n"
      "3.0 w TaskTaken t\n"
      "3.5 w ThreadSleep\n"
      "4.5 w ThreadSlept\n"
      "5.0 w TaskTaken u\n"
      "6.0 w ThreadSleep\n"
      "7.0 w ThreadSlept\n"
      "7.5 w Cpu 7500\n");
  ASSERT_TRUE(path_tasks_find(&calls_, &told.trace));
  ASSERT_TRUE(path_start(&path_, &told.trace));
  ASSERT_TRUE(path_calls_walk(&calls_, &path_));
  ASSERT_EQ(calls_.num, 1u);
  EXPECT_EQ(calls_.works[0].queued, told.At(1.0));
  EXPECT_EQ(calls_.works[0].begin, told.At(3.0));
  EXPECT_EQ(calls_.works[0].end, told.At(5.0));
  const struct path_group &all = calls_.groups[PATH_ALL_CALLS];
  EXPECT_EQ(all.longest, ToldTrace::Ticks(4.0));
  EXPECT_EQ(all.table.total, ToldTrace::Ticks(4.0));
  EXPECT_EQ(all.table.reasons[PATH_IN_QUEUE], ToldTrace::Ticks(2.0));
  EXPECT_EQ(all.table.reasons[PATH_SLEEPS], ToldTrace::Ticks(1.0));
  ASSERT_NE(path_tasks_pool(&calls_, PATH_SLOWEST_CALLS), nullptr);
  EXPECT_STREQ(path_tasks_pool(&calls_, PATH_SLOWEST_CALLS)->title, "w");
}

}  // namespace
