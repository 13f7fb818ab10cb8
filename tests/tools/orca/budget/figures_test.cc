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
