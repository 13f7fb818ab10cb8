#include "tools/orca/causal/path/path_table.h"

#include "tests/tools/orca/causal/told_trace.h"

namespace {

class PathTable : public testing::Test {
 protected:
  ~PathTable() override {
    path_table_free(&table_);
    path_free(&path_);
  }
  void Read(ToldTrace *told) {
    struct path_work work;
    ASSERT_TRUE(path_start(&path_, &told->trace));
    ASSERT_TRUE(path_main_work(&told->trace, &work));
    ASSERT_TRUE(path_find(&path_, &work));
    ASSERT_TRUE(path_table_add(&table_, &path_));
    ASSERT_TRUE(path_table_end(&table_));
  }
  ticks_t Time(enum path_reason reason, uint32_t lock, uint32_t method) const {
    ticks_t time = 0;
    for (size_t i = 0; i < table_.num; i++) {
      const struct path_row &row = table_.rows[i];
      bool is_there = place_method(row.place) == method;
      if (row.reason == reason && row.lock == lock && is_there) time += row.time;
    }
    return time;
  }
  struct path path_ = {};
  struct path_table table_ = {};
};

constexpr char kOwnerSleeps[] =
    "0.0 main ThreadStarted\n"
    "0.0 b ThreadStarted\n"
    "1.0 b LockAcquire l\n"
    "1.000001 b LockAcquired l\n"
    "1.5 b ThreadSleep\n"
    "2.0 main LockAcquire l b\n"
    "4.0 b ThreadSlept\n"
    "4.5 b LockRelease l\n"
    "4.6 main LockAcquired l\n"
    "6.0 main Cpu 3400\n"
    "6.0 b Cpu 2000\n"
    "6.0 main ThreadEnded\n";

TEST_F(PathTable, SumsUpByReasonPlaceAndLock) {
  ToldTrace told(kOwnerSleeps, "locks=all,");
  Read(&told);
  EXPECT_EQ(table_.total, ToldTrace::Ticks(6.0));
  EXPECT_EQ(Time(PATH_SLEEPS, 1, told.Hash("b")), ToldTrace::Ticks(2.0));
  EXPECT_EQ(Time(PATH_HANDOFF, 1, told.Hash("main")), ToldTrace::Ticks(0.1));
  // No sample tells where they ran.
  EXPECT_EQ(Time(PATH_RUNS, 1, 0) + Time(PATH_OFF_CPU, 1, 0), ToldTrace::Ticks(0.5));
  EXPECT_EQ(table_.rows[0].reason, PATH_RUNS);  // the longest first
}

// Samples of a thread that was not on the path do not count.
TEST_F(PathTable, TakesPlacesOfRunningThreadsFromSamplesOnThePath) {
  ToldTrace told(std::string(kOwnerSleeps) + "6.1 b ThreadEnded\n", "locks=all,");
  struct trace *t = &told.trace;
  stack_id_t of_main = 0, of_b = 0;
  for (size_t i = 0; i < t->num_ops; i++) {
    if (t->ops[i].stack == 0) continue;
    (t->ops[i].thread == told.Row("b") ? of_b : of_main) = t->ops[i].stack;
  }
  ASSERT_NE(of_main, 0u);
  ASSERT_NE(of_b, 0u);
  struct trace_sample samples[] = {{told.At(0.5), 100, told.Row("main"), of_main},
                                   {told.At(0.7), 900, told.Row("b"), of_main},
                                   {told.At(1.2), 300, told.Row("main"), of_b},
                                   {told.At(4.2), 100, told.Row("b"), of_b}};
  ASSERT_EQ(t->num_samples, 0u);
  t->samples = static_cast<struct trace_sample *>(malloc(sizeof samples));
  memcpy(t->samples, samples, sizeof samples);
  t->num_samples = 4;
  Read(&told);
  ticks_t at_main = Time(PATH_RUNS, 0, told.Hash("main")),
          at_b = Time(PATH_RUNS, 0, told.Hash("b"));
  EXPECT_NEAR(double(at_b), 3 * double(at_main), 1e3);
  EXPECT_EQ(at_b + at_main, path_.times[PATH_RUNS] - Time(PATH_RUNS, 1, told.Hash("b")));
}

TEST_F(PathTable, OfNoPathIsEmpty) {
  ToldTrace told("0.0 main ThreadStarted\n1.0 main ThreadEnded\n");
  ASSERT_TRUE(path_start(&path_, &told.trace));
  EXPECT_TRUE(path_table_add(&table_, &path_));
  EXPECT_TRUE(path_table_end(&table_));
  EXPECT_EQ(table_.num, 0u);
}

}  // namespace
