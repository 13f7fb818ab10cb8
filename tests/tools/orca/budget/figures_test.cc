#include "tools/orca/budget/figures.h"

#include "tests/tools/orca/budget/judged.h"

namespace {

TEST(Figures, AddUpLocksWithTheSameKey) {
  Runs runs;
  runs.Run("a").Lock("A at m", 3, 20).Lock("A at m", 4, 10).Lock("B at m", 1, 1);
  const struct figures &run = runs.runs[0];
  ASSERT_EQ(run.num, 2u);
  const struct figure *lock = figures_find(&run, BUDGET_LOCK, "A at m");
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->number, 7u);
  EXPECT_EQ(lock->longest_ns, 20000000u);
  EXPECT_EQ(figures_find(&run, BUDGET_LOCK, "C at m"), nullptr);
  EXPECT_EQ(figures_find(&run, BUDGET_SLEEP, "A at m"), nullptr);
}

TEST(Figures, MoreWaitsAreOfLocksOfTheSameSort) {
  Runs runs;
  runs.Run("a").More(10, 7, LOCK_MONITOR).More(5, 9, LOCK_READ_SIDE);
  runs.Lock("M", 1, 1).Of(LOCK_MONITOR).Lock("R", 1, 1).Of(LOCK_READ_SIDE);
  struct figure write = runs.runs[0].rows[1];
  write.sorts = 1u << LOCK_WRITE_SIDE;
  EXPECT_TRUE(figures_add(&runs.runs[0], &write));
  runs.Lock("L", 1, 1).Of(LOCK_LOCK).Lock("any", 1, 1).Add(BUDGET_BLOCKED, "");
  const struct figures &run = runs.runs[0];
  EXPECT_EQ(run.rows[1].sorts, 1u << LOCK_READ_SIDE | 1u << LOCK_WRITE_SIDE);
  EXPECT_EQ(figures_more_waits(&run, run.rows[1].sorts).number, 5u);
  EXPECT_EQ(figures_more_waits(&run, 0).number, 15u) << "the sort is not known";
  EXPECT_EQ(figures_more_waits(&run, 0).longest_ns, 9000000u);
  std::vector<bool> least;
  for (size_t i = 0; i < run.num; i++) least.push_back(figures_is_least(&run, &run.rows[i]));
  EXPECT_EQ(least, std::vector<bool>({true, true, false, true, false}));
}

TEST(Figures, ScaleDownTheTimesOfALoadedMachine) {
  struct figures run = {};
  run.scale = 2500;
  EXPECT_EQ(figures_scaled(&run, 100), 40u);
  EXPECT_EQ(figures_scaled(&run, 0), 0u);
  EXPECT_EQ(figures_scaled(&run, UINT64_MAX / 10 * 10), UINT64_MAX / 10 * 4);
}

TEST(Figures, AMissingTextIsEmpty) {
  struct figures run = {};
  struct figure figure = {};
  EXPECT_TRUE(figures_add(&run, &figure));
  EXPECT_STREQ(run.rows[0].key, "");
  EXPECT_STREQ(run.rows[0].text, "");
  EXPECT_STREQ(run.rows[0].path, "");
  figures_free(&run);
  EXPECT_EQ(run.num, 0u);
}

}  // namespace
