/* Tests that the program is not affected if an allocation of the agent fails. Each run lets another
   allocation fail: some of them by default, all with --test_env=ORCA_EVERY_ALLOCATION=1. */
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

constexpr double kSeconds = 60;
constexpr unsigned long kRuns = 25;
constexpr unsigned long kLast = 20; /* the most allocations at the end of a recording */

class MemoryTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Runs the program and lets the `nth` allocation fail; 0: none. Returns the number of
   * allocations. */
  unsigned long Run(unsigned long nth) {
    Scratch scratch;
    std::string prefix = scratch.dir() + "/dump", number = scratch.dir() + "/number";
    std::string agent = "-agentpath:" + Runfile("agent/liborca_scarce.so") + "=" + prefix;
    std::map<std::string, std::string> environment = JavaEnvironment();
    environment["ORCA_FAIL_ALLOCATION"] = std::to_string(nth);
    environment["ORCA_ALLOCATIONS_TO"] = number;
    Result result =
        RunProcess(JavaCommand(GetParam(), {"-Xverify:all", agent + ",owners=all,walk=async"},
                               {"counted.Medley"}),
                   environment, scratch.dir(), kSeconds);
    unsigned long num = 0;
    std::ifstream(number) >> num;
    EXPECT_EQ(result.status, 0) << "signal " << result.signal << "\n" << result.err;
    EXPECT_TRUE(ReadStory(result.out).complete) << result.out;
    EXPECT_EQ(FindOrcaLines(result.out), std::vector<std::string>());
    bool has_failed = nth != 0 && nth <= num;
    ExpectMessage(result.err, has_failed);
    ExpectCounted(ReadDump(prefix).info, has_failed, /* at_end */ nth + kLast > num);
    Result check = RunOrcaOn("check", {}, prefix, scratch.dir());
    EXPECT_EQ(check.signal, 0); /* the check may miss lines that the failure dropped */
    EXPECT_TRUE(has_failed || check.status == 0) << check.out << check.err;
    return num;
  }

 private:
  /* Expects the counter memory.failed. It is missing if nothing was recorded. `at_end`: the end of
     .info may be written already. */
  static void ExpectCounted(const std::map<std::string, std::string> &info, bool has_failed,
                            bool at_end) {
    auto count = info.find("memory.failed");
    if (count == info.end() || (has_failed && at_end)) return;
    EXPECT_EQ(count->second, has_failed ? "1" : "0");
  }

  /* Expects one message about the failure. There may be other messages about its consequences. */
  static void ExpectMessage(const std::string &err, bool has_failed) {
    std::vector<std::string> lines = FindOrcaLines(err);
    auto is_message = [](const std::string &line) {
      return line.find("there is no memory for ") != std::string::npos &&
             line.find(" more bytes") != std::string::npos;
    };
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), is_message), has_failed) << err;
    EXPECT_TRUE(has_failed || lines.empty()) << err;
  }
};

TEST_P(MemoryTest, ProgramContinuesAfterAFailedAllocation) {
  unsigned long num = Run(0);
  ASSERT_GT(num, kRuns);
  unsigned long runs = getenv("ORCA_EVERY_ALLOCATION") == nullptr ? kRuns : num;
  for (unsigned long i = 0; i < runs; i++) {
    unsigned long nth = 1 + i * (num - 1) / (runs - 1);
    SCOPED_TRACE(nth);
    Run(nth);
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, MemoryTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
