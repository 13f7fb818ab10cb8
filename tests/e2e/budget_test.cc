/* Tests `orca budget` on programs that break one budget, and on the same programs mended. Which one
   it is follows from the program alone (tests/workloads/budgets). */
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/json.h"

namespace {

constexpr char kAll[] = ",monitors=all,locks=all,filter=budgets.*";

/* A JDK, and the kind of the locks: "monitor" or "lock". */
class BudgetTest : public testing::TestWithParam<std::tuple<Jdk, std::string>> {
 protected:
  std::unique_ptr<Session> Record(const std::string &budget, const std::string &state,
                                  const std::string &options = kAll) {
    auto [jdk, kind] = GetParam();
    auto session = std::make_unique<Session>(
        ::Setup{jdk, "weave"}, Program({"budgets.Costs", budget, state, kind}, {}, options));
    session->WaitOnly(60);
    EXPECT_EQ(session->result().status, 0) << session->result().err;
    return session;
  }

  /* Returns the kinds of budgets that the recordings break, each once. */
  std::vector<std::string> FindBroken(const std::string &file,
                                      const std::vector<const Session *> &runs) {
    std::string path = scratch_.dir() + "/locks.budget";
    std::ofstream(path) << file;
    std::vector<std::string> words = {"--format=json", path}, kinds;
    for (size_t i = 0; i + 1 < runs.size(); i++) words.push_back(runs[i]->prefix());
    Result result = RunOrcaOn("budget", words, runs.back()->prefix(), scratch_.dir());
    Json json = ReadJson(result.out);
    for (const Json &budget : json["budgets"].items) {
      /* A time is not proven if the machine is loaded. */
      bool is_time = budget["kind"].text == "lock" || budget["kind"].text == "blocked";
      EXPECT_TRUE(is_time || budget["state"].text != "unproven") << result.out;
      if (budget["state"].text != "broken") continue;
      if (kinds.empty() || kinds.back() != budget["kind"].text)
        kinds.push_back(budget["kind"].text);
    }
    EXPECT_EQ(result.status, kinds.empty() ? 0 : 3) << result.out << result.err;
    return kinds;
  }

  using Kinds = std::vector<std::string>;
  Scratch scratch_;
};

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
  EXPECT_EQ(FindBroken("", {plain.get()}), Kinds({"sleep"}));
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

/* The program waits for 43 times about 20 ms, three of them 600 ms. Limits of a loaded machine
   grow, so one of each pair is far from the figure. */
TEST_P(BudgetTest, JudgesTimesByAllRuns) {
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
