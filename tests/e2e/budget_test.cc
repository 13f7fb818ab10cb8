/* Tests `orca budget` on programs that break one budget, and on the same programs mended. */
#include "tests/e2e/budget_case.h"

namespace {

using BudgetTest = BudgetCase;

TEST_P(BudgetTest, FindsADeadlock) {
  auto broken = Record("deadlock", "broken"), mended = Record("deadlock", "mended");
  EXPECT_EQ(FindBroken("", {broken.get()}), Kinds({"deadlock", "order"}));
  EXPECT_EQ(FindBroken("", {mended.get(), broken.get()}), Kinds({"deadlock", "order"}));
  EXPECT_EQ(FindBroken("", {mended.get()}), Kinds());
}

TEST_P(BudgetTest, FindsAnInversionThatDidNotDeadlock) {
  auto broken = Record("order", "broken"), mended = Record("order", "mended");
  EXPECT_EQ(FindBroken("", {mended.get()}), Kinds());
  EXPECT_EQ(FindBroken("", {broken.get()}), Kinds({"order"}));
  auto [jdk, kind] = GetParam();
  std::string lock =
      kind == "monitor" ? "java.lang.Object at budgets.Costs$MonitorGuard.run"
                        : "java.util.concurrent.locks.ReentrantLock at budgets.Costs$LockGuard.run";
  EXPECT_EQ(FindBroken("order: " + lock + " > " + lock + "\n", {broken.get()}), Kinds());
}

TEST_P(BudgetTest, FindsAStringThatIsALock) {
  if (std::get<1>(GetParam()) != "monitor") GTEST_SKIP() << "only monitors can be strings";
  auto broken = Record("value", "broken"), mended = Record("value", "mended");
  EXPECT_EQ(FindBroken("", {broken.get()}), Kinds({"value"}));
  EXPECT_EQ(FindBroken("", {mended.get()}), Kinds());
}

/* Also if only the uses of monitors that had to wait are recorded. */
TEST_P(BudgetTest, FindsASleepWithALock) {
  auto broken = Record("sleep", "broken"), mended = Record("sleep", "mended");
  EXPECT_EQ(FindBroken("", {broken.get()}), Kinds({"sleep"}));
  EXPECT_EQ(FindBroken("", {mended.get()}), Kinds());
  auto plain = Record("sleep", "broken", ",owners=all,locks=all");
  EXPECT_EQ(FindBroken("", {plain.get()}, {"order", "value", "io"}), Kinds({"sleep"}));
}

TEST_P(BudgetTest, FindsIoWithALock) {
  auto broken = Record("io", "broken"), mended = Record("io", "mended");
  EXPECT_EQ(FindBroken("", {broken.get()}), Kinds({"io"}));
  EXPECT_EQ(FindBroken("", {mended.get()}), Kinds());
}

/* The JVM itself sends a signal or two when threads end. */
TEST_P(BudgetTest, CountsSignalsThatNobodyHears) {
  auto broken = Record("unheard", "broken"), mended = Record("unheard", "mended");
  EXPECT_EQ(FindBroken("unheard = 10\n", {broken.get()}), Kinds({"unheard"}));
  EXPECT_EQ(FindBroken("unheard = 10\n", {mended.get()}), Kinds());
  EXPECT_EQ(FindBroken("", {broken.get()}), Kinds()) << "the file has to ask for it";
}

/* Two sets of at most 64 KB cannot hold the events of this program. */
TEST_P(BudgetTest, NoticesLostEvents) {
  auto broken = Record("lost", "broken", std::string(kAll) + ",maxsize=64KB,keep=2");
  auto mended = Record("lost", "mended");
  EXPECT_EQ(FindBroken("", {broken.get()}), Kinds({"lost"}));
  EXPECT_EQ(FindBroken("", {mended.get(), broken.get()}), Kinds({"lost"}));
  EXPECT_EQ(FindBroken("", {mended.get()}), Kinds());
}

/* A file that several runs made is kept by the next run of the same program. */
TEST_P(BudgetTest, AFileOfSeveralRunsIsKeptByTheNext) {
  std::string path = scratch_.dir() + "/made.budget";
  auto one = Record("sleep", "mended"), two = Record("sleep", "mended");
  Result made =
      RunOrcaOn("budget", {"--update", path, one->prefix()}, two->prefix(), scratch_.dir());
  EXPECT_EQ(made.status, 0) << made.out << made.err;
  auto next = Record("sleep", "mended"), worse = Record("sleep", "broken");
  EXPECT_EQ(RunOrcaOn("budget", {path}, next->prefix(), scratch_.dir()).status, 0);
  EXPECT_EQ(RunOrcaOn("budget", {path}, worse->prefix(), scratch_.dir()).status, 3);
}

INSTANTIATE_TEST_SUITE_P(Jvm, BudgetTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::Values("monitor", "lock")),
                         [](const auto &info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param);
                         });

}  // namespace
