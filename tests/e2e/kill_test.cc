/* Tests that a JVM that is killed at a random moment leaves valid files. */
#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <iostream>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

constexpr int kKills = 6; /* --runs_per_test, or for KilledCallsTest ORCA_KILLS, for more */

/* Random moments. The output of the test says how to repeat them. */
class Moments {
 public:
  Moments() {
    const char *seed = getenv("ORCA_SEED");
    unsigned number = seed == nullptr ? std::random_device()() : static_cast<unsigned>(atol(seed));
    std::cout << "ORCA_SEED=" << number << std::endl;
    random_.seed(number);
  }
  uint64_t Draw(uint64_t most) { return std::uniform_int_distribution<uint64_t>(0, most)(random_); }

 private:
  std::mt19937 random_;
};

class KillTest : public testing::TestWithParam<Setup> {};

/* Kills the program when it has written so many bytes; 0: while the JVM starts, after `ms`. */
void RunAndKill(const Setup &setup, uint64_t bytes, uint64_t ms) {
  SCOPED_TRACE(testing::Message() << "killed after " << bytes << " bytes, " << ms << " ms");
  Session session(setup, Program({"ending.Endings", "flood"}));
  if (bytes > 0) {
    EXPECT_TRUE(session.process().WaitForBytes(session.prefix() + ".orca", bytes, 60));
  } else {
    session.process().WaitUpTo(static_cast<double>(ms) / 1000);
  }
  session.process().Signal(SIGKILL);
  session.Wait();
  EXPECT_EQ(session.result().signal, SIGKILL);
  session.ExpectQuiet();
  /* The agent makes all files before it writes the first lines of .info. */
  bool has_start = ReadFile(session.prefix() + ".info").find("start.utc=") != std::string::npos;
  EXPECT_TRUE(has_start || bytes == 0);
  if (has_start) session.ExpectChecked();
}

TEST_P(KillTest, LeavesOnlyCompleteLines) {
  Moments moments;
  for (int i = 0; i < kKills && !HasFailure(); i++) {
    uint64_t bytes = i % 3 == 0 ? 0 : 1 + moments.Draw(8 << 20);
    RunAndKill(GetParam(), bytes, moments.Draw(500));
  }
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
    bool has_start = ReadFile(calls.prefix() + ".info").find("start.utc=") != std::string::npos;
    EXPECT_FALSE(has_start) << report.err << " " << FindSets(calls.prefix()).size();
    EXPECT_EQ(FindSets(calls.prefix()).size(), std::filesystem::exists(calls.prefix() + ".orca"));
  }

  /* The program counts a call before it makes it. */
  static void ExpectNoMoreThanBegun(const Calls &calls) {
    uint64_t exits = 0, entries = 0, begun = calls.ReadBegun();
    for (const std::string &set : FindSets(calls.prefix())) {
      std::string lines = ReadFile(set + ".orca");
      exits += CountExits(lines);
      for (size_t at = 0; (at = lines.find(",MethodEntry,", at)) != std::string::npos; at++)
        entries++;
    }
    EXPECT_LE(entries, begun);
    EXPECT_LE(exits, entries);
  }
};

TEST_P(KilledCallsTest, EachRecordingIsReadable) {
  Moments moments;
  const std::string options[] = {"", ",maxsize=64KB", ",maxsize=64KB,keep=3"};
  for (int i = 0; i < ReadNumKills() && !HasFailure(); i++) {
    /* One of four dies while the JVM starts. */
    uint64_t num = i % 4 == 0 ? 0 : 1 + moments.Draw(100000), ms = moments.Draw(500);
    const std::string &chosen = options[i % std::size(options)];
    SCOPED_TRACE(testing::Message()
                 << "killed after " << num << " calls, " << ms << " ms" << chosen);
    Calls calls;
    calls.StartOnly(GetParam(), chosen);
    if (num > 0) {
      EXPECT_TRUE(Eventually([&] { return calls.ReadBegun() >= num; }));
    } else {
      calls.process().WaitUpTo(static_cast<double>(ms) / 1000);
    }
    calls.process().Signal(SIGKILL);
    EXPECT_EQ(calls.process().Wait(60).signal, SIGKILL);
    ExpectReport(calls);
    /* With keep, entries were deleted whose exits are left. */
    if (chosen.find("keep") == std::string::npos) ExpectNoMoreThanBegun(calls);
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, KilledCallsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(Jvm, KillTest, testing::ValuesIn(FindSetups()),
                         [](const auto &info) { return SetupName(info.param); });

}  // namespace
