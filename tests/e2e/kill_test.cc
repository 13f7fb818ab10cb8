/* Tests that a JVM that is killed at a random moment leaves valid files. */
#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
#include "tests/e2e/text_file.h"

namespace {

constexpr int kKills = 6;       /* --runs_per_test, or for KilledCallsTest ORCA_KILLS, for more */
constexpr double kLatest = 1.5; /* the latest kill, in seconds after the start */

class KillTest : public testing::TestWithParam<Setup> {};

void RunAndKill(const Setup &setup, double after) {
  SCOPED_TRACE(testing::Message() << "killed " << after << " s after its start");
  Session session(setup, Program({"ending.Endings", "flood"}));
  session.process().WaitUpTo(after);
  session.process().Signal(SIGKILL);
  session.Wait();
  EXPECT_EQ(session.result().signal, SIGKILL);
  session.ExpectQuiet();
  /* The agent creates .info last, so all other files exist too. */
  if (std::filesystem::exists(session.prefix() + ".info")) session.ExpectChecked();
}

TEST_P(KillTest, LeavesOnlyCompleteLines) {
  std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
  std::uniform_real_distribution<double> moment(0.02, kLatest);
  for (int i = 0; i < kKills && !HasFailure(); i++) RunAndKill(GetParam(), moment(random));
}

/* --- what is left --------------------------------------------------------------------------- */

int ReadNumKills() {
  const char *kills = getenv("ORCA_KILLS");
  return kills == nullptr ? kKills : atoi(kills);
}

class KilledCallsTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Expects a report, or one line which says that there is no recording yet. */
  static void ExpectReport(const Calls &calls) {
    Result report = calls.RunOrcaOnFiles("report");
    if (report.status == 0) {
      ExpectAccepted(calls.prefix(), calls.dir());
      return;
    }
    EXPECT_EQ(report.signal, 0);
    EXPECT_EQ(SplitLines(report.err).size(), 1u) << report.err;
    EXPECT_EQ(report.out, "");
    bool has_start = ReadTextFile(calls.prefix() + ".info").find("start.utc=") != std::string::npos;
    EXPECT_FALSE(has_start) << report.err << " " << FindSets(calls.prefix()).size();
    EXPECT_EQ(FindSets(calls.prefix()).size(), std::filesystem::exists(calls.prefix() + ".orca"));
  }

  /* The program counts a call before it makes it. */
  static void ExpectNoMoreThanBegun(const Calls &calls) {
    uint64_t exits = 0, entries = 0, begun = calls.ReadBegun();
    for (const std::string &set : FindSets(calls.prefix())) {
      std::string lines = ReadTextFile(set + ".orca");
      exits += CountExits(lines);
      for (size_t at = 0; (at = lines.find(",MethodEntry,", at)) != std::string::npos; at++)
        entries++;
    }
    EXPECT_LE(entries, begun);
    EXPECT_LE(exits, entries);
  }
};

TEST_P(KilledCallsTest, EachRecordingIsReadable) {
  std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
  std::uniform_real_distribution<double> moment(0, kLatest);
  const std::string options[] = {"", ",maxsize=64KB", ",maxsize=64KB,keep=3"};
  int reports = 0;
  /* On a busy machine the first ones may be killed before they begin, so each later one lives
     longer, until one has begun. */
  double patience = 1;
  auto is_next = [&](int i) {
    return i < ReadNumKills() || (reports == 0 && i < 10 * ReadNumKills());
  };
  for (int i = 0; is_next(i) && !HasFailure(); i++) {
    double after = moment(random) * patience;
    const std::string &chosen = options[i % std::size(options)];
    SCOPED_TRACE(testing::Message() << "killed " << after << " s after its start" << chosen);
    Calls calls;
    calls.StartOnly(GetParam(), chosen);
    calls.process().WaitUpTo(after);
    calls.process().Signal(SIGKILL);
    EXPECT_EQ(calls.process().Wait(60).signal, SIGKILL);
    ExpectReport(calls);
    /* With keep, entries were deleted whose exits are left. */
    if (chosen.find("keep") == std::string::npos) ExpectNoMoreThanBegun(calls);
    reports += calls.ReadBegun() > 0;
    if (reports == 0) patience *= 1.5;
  }
  EXPECT_GT(reports, 0) << "each one was killed too early";
}

INSTANTIATE_TEST_SUITE_P(Jvm, KilledCallsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(Jvm, KillTest, testing::ValuesIn(FindSetups()),
                         [](const auto &info) { return SetupName(info.param); });

}  // namespace
