/* Runs tools/soak for some seconds: its checks pass, and they notice events that are missing. What
   needs longer, as growth, is judged by hand (docs/services.md). */
#include <regex>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

constexpr double kSeconds = 240; /* some 15 suffice on a quiet machine */

Result Soak(const Jdk &jdk, const std::string &time, const std::string &agent_options) {
  Scratch scratch;
  std::vector<std::string> command = {
      Runfile("tools/soak"), time,         "--built",
      Runfile(""),           "--jdk",      std::to_string(jdk.version),
      "--agent-options",     agent_options};
  return RunProcess(command, {{"ORCA_JDKS", jdk.home}}, scratch.dir(), kSeconds);
}

bool Matches(const std::string &text, const std::string &pattern) {
  return std::regex_search(text, std::regex(pattern));
}

class SoakTest : public testing::TestWithParam<Jdk> {};

TEST_P(SoakTest, FindsNoFaultInSomeSeconds) {
  Result result = Soak(GetParam(), "10s", "profile=service,maxsize=256KB,keep=3");
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(Matches(result.out, R"(\nanswers: the same, of 2,000 requests\n)"))
      << result.out << result.err;
  EXPECT_TRUE(Matches(result.out, R"(\norca check: .*, all right; 3 sets; the \d+ sets before)"))
      << result.out << result.err;
  EXPECT_TRUE(Matches(result.out, R"(\nsleeps in the files: (\d+) of \1 in [1-9]\d* whole sec)"))
      << result.out << result.err;
  EXPECT_TRUE(Matches(result.out, R"(\ntable\.written\.threads +\d)")) << result.out << result.err;
  EXPECT_TRUE(Matches(result.out, R"(\ndisk: at most .*; bound: 0\.8 MB, 3\.8 MB\n)"))
      << result.out << result.err;
  EXPECT_EQ(result.out.find("FAULT"), std::string::npos) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(Jvm, SoakTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

TEST(SoakTest, NoticesEventsThatAreMissing) {
  Result result = Soak(FindJdks()[0], "5s", "profile=service,events=all-sleep");
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_TRUE(Matches(result.out, R"(\nFAULT: the files contain no whole second\n)"))
      << result.out << result.err;
}

TEST(SoakTest, RefusesWhatIsNoTime) {
  Result result = Soak(FindJdks()[0], "5", "profile=service");
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("'5' is no time; write 20s, 5m or 1h"), std::string::npos)
      << result.err;
}

}  // namespace
