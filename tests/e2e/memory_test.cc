/* Each allocation of the agent fails once, in a run of its own: the program runs on as if nothing
   were. By default some of them fail; with --test_env=ORCA_EVERY_ALLOCATION=1 each. */
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
constexpr unsigned long kLast = 20; /* allocations of the end of a recording, at most */

class MemoryTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Runs the program while the `nth` allocation fails, 0: none. Returns how many there were. */
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
    bool failed = nth != 0 && nth <= num;
    ExpectSaid(result.err, failed);
    ExpectCounted(ReadDump(prefix).info, failed, /* at_end */ nth + kLast > num);
    Result check = RunOrcaOn("check", {}, prefix, scratch.dir());
    EXPECT_EQ(check.signal, 0); /* what the failure left out it may miss */
    EXPECT_TRUE(failed || check.status == 0) << check.out << check.err;
    return num;
  }

 private:
  /* Where nothing was recorded there is no count. `at_end`: the end of .info may be written. */
  static void ExpectCounted(const std::map<std::string, std::string> &info, bool failed,
                            bool at_end) {
    auto count = info.find("memory.failed");
    if (count == info.end() || (failed && at_end)) return;
    EXPECT_EQ(count->second, failed ? "1" : "0");
  }

  /* The failure is said once; what it means for the recording may be said too. */
  static void ExpectSaid(const std::string &err, bool failed) {
    std::vector<std::string> lines = FindOrcaLines(err);
    auto said = [](const std::string &line) {
      return line.find("there is no memory for ") != std::string::npos &&
             line.find(" bytes more") != std::string::npos;
    };
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), said), failed) << err;
    EXPECT_TRUE(failed || lines.empty()) << err;
  }
};

TEST_P(MemoryTest, AnAllocationFails) {
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
