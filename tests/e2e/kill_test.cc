/* Tests that a JVM that is killed leaves valid files: after chosen numbers of calls, and with
   ORCA_KILLS=N at N random moments. */
#include <signal.h>

#include <filesystem>
#include <iostream>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
#include "tests/support/eventually.h"
#include "tests/support/setting.h"
#include "tests/support/text.h"

namespace {

constexpr const char *kOneSet = "", *kSets = ",maxsize=64KB", *kLastSets = ",maxsize=64KB,keep=3";

/* The recording is readable. A JVM that is killed while it starts may leave none, and `orca` says
   so in one line, or leave files that do not say yet when the recording began. */
void ExpectReport(const Calls &calls, bool has_begun) {
  Result report = calls.RunOrcaOnFiles("report");
  EXPECT_TRUE(report.status == 0 || !has_begun) << report.err;
  if (report.status == 0) {
    bool has_start = Has(ReadFile(calls.prefix() + ".info"), "start.utc=");
    if (has_begun || has_start) ExpectAccepted(calls.prefix(), calls.dir());
    return;
  }
  EXPECT_EQ(report.signal, 0);
  EXPECT_EQ(SplitLines(report.err).size(), 1u) << report.err;
  EXPECT_EQ(report.out, "");
}

/* The program counts a call before it makes it. */
void ExpectNoMoreThanBegun(const Calls &calls) {
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

class KillTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Kills the program when it has begun so many calls. 0: while the JVM starts, `ms` after the
     agent has made the first file. */
  static void RunAndKill(const std::string &options, uint64_t num, uint64_t ms = 0) {
    SCOPED_TRACE(testing::Message()
                 << "killed after " << num << " calls, " << ms << " ms" << options);
    Calls calls;
    calls.StartOnly(GetParam(), options);
    if (num > 0) {
      EXPECT_TRUE(Eventually([&] { return calls.ReadBegun() >= num; }));
    } else {
      EXPECT_TRUE(calls.process().WaitForBytes(calls.prefix() + ".orca", 0, kPatienceSeconds));
      calls.process().WaitUpTo(static_cast<double>(ms) / 1000);
    }
    calls.process().Signal(SIGKILL);
    Result result = calls.process().Wait(kPatienceSeconds);
    EXPECT_EQ(result.signal, SIGKILL);
    ExpectQuietOutput(result);
    for (const std::string &set : FindSets(calls.prefix())) ExpectNoFaults(ReadDump(set), set);
    ExpectReport(calls, num > 0);
    /* With keep, entries were deleted whose exits are left. */
    if (!Has(options, "keep")) ExpectNoMoreThanBegun(calls);
  }
};

TEST_P(KillTest, LeavesAReadableRecording) {
  RunAndKill(kOneSet, 0);
  RunAndKill(kSets, 0, 100);
  RunAndKill(kSets, 1);
  RunAndKill(kOneSet, 3000);
  RunAndKill(kLastSets, 10000);
  RunAndKill(kSets, 30000);
  RunAndKill(kLastSets, 100000);
}

/* The output says how to repeat the moments. */
TEST_P(KillTest, LeavesAReadableRecordingAtRandomMoments) {
  uint64_t kills = ReadSetting("ORCA_KILLS", 0);
  if (kills == 0) GTEST_SKIP() << "ORCA_KILLS is not set";
  uint64_t seed = ReadSetting("ORCA_SEED", std::random_device()());
  std::cout << "ORCA_SEED=" << seed << std::endl;
  std::mt19937 random(static_cast<unsigned>(seed));
  auto draw = [&](uint64_t most) {
    return std::uniform_int_distribution<uint64_t>(0, most)(random);
  };
  const char *options[] = {kOneSet, kSets, kLastSets};
  for (uint64_t i = 0; i < kills && !HasFailure(); i++) {
    /* One of four dies while the JVM starts. */
    uint64_t num = i % 4 == 0 ? 0 : 1 + draw(100000);
    RunAndKill(options[i % std::size(options)], num, draw(500));
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, KillTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
