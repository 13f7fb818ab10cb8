/* Tests budgets of times, of which a busy machine needs more. */
#include "tests/e2e/budget_case.h"

namespace {

using BudgetTimedTest = BudgetCase;

/* The program waits for 43 times about 20 ms, three of them 600 ms. Limits of a loaded machine
   grow, so one of each pair is far from the figure. */
TEST_P(BudgetTimedTest, JudgesTimesByAllRuns) {
  auto broken = Record("lock", "broken"), mended = Record("lock", "mended");
  const std::string waits = "lock: * = 0 waits, longest 1h\n";
  const std::string longest = "lock: * = 1000 waits, longest 1ms\n", share = "blocked = 0.1%\n";
  auto [jdk, kind] = GetParam();
  const std::string sleep =
      kind == "monitor"
          ? "sleep: java.lang.Object at budgets.Costs.pause\n"
          : "sleep: java.util.concurrent.locks.ReentrantLock at budgets.Costs.pause\n";
  EXPECT_EQ(FindBroken(sleep + waits, {broken.get(), broken.get()}), Kinds({"lock"}));
  EXPECT_EQ(FindBroken(sleep + longest, {broken.get(), broken.get()}), Kinds({"lock"}));
  EXPECT_EQ(FindBroken(sleep + share, {broken.get(), broken.get()}), Kinds({"blocked"}));
  EXPECT_EQ(
      FindBroken(sleep + "blocked = 90%\nlock: * = 1000 waits, longest 10s\n", {broken.get()}),
      Kinds());
  const std::string usual = "blocked = 5%\nlock: * = 20 waits, longest 100ms\n";
  EXPECT_EQ(FindBroken(sleep + usual, {mended.get()}), Kinds());
  EXPECT_EQ(FindBroken(sleep + usual, {broken.get(), mended.get()}), Kinds());
}

INSTANTIATE_TEST_SUITE_P(Jvm, BudgetTimedTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::Values("monitor", "lock")),
                         [](const auto &info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param);
                         });

}  // namespace
