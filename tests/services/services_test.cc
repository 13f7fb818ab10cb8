/* Runs tests/services/run with a database for some seconds: its answers are right, and the agent's
   files too. The speed is not judged, as the machine may be busy. */
#include <filesystem>
#include <regex>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

constexpr double kSeconds = 240; /* some 15 suffice on a quiet machine */

bool Matches(const std::string &text, const std::string &pattern) {
  return std::regex_search(text, std::regex(pattern));
}

Result RunServices(const Jdk &jdk, const std::vector<std::string> &words) {
  Scratch scratch;
  std::vector<std::string> command = {Runfile("tests/services/run"), "--built", Runfile(""),
                                      "--jdk", std::to_string(jdk.version)};
  command.insert(command.end(), words.begin(), words.end());
  return RunProcess(command, {{"ORCA_JDKS", jdk.home}}, scratch.dir(), kSeconds);
}

class ServicesTest : public testing::TestWithParam<Jdk> {};

TEST_P(ServicesTest, ADatabaseGivesTheSameAnswersUnderTheAgent) {
  if (!std::filesystem::exists("/usr/share/java/h2.jar")) {
    GTEST_SKIP() << "H2 (libh2-java) is not installed";
  }
  Result result =
      RunServices(GetParam(), {"h2", "--rounds", "1", "--seconds", "2", "--warm-up", "1"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(Matches(result.out, R"(\nh2 +without +[\d.]+ ms +[\d,]+\.\d\d\n)")) << result.out;
  EXPECT_TRUE(Matches(result.out, R"(\nh2 +service +\d\.\d{3} \(.*\) .* [\d,]+  \d+\n)"))
      << result.out;
  EXPECT_TRUE(Matches(result.out, R"(\nh2 +default +\d\.\d{3} \(.*\) .* [1-9][\d,]*  0\n)"))
      << result.out;
}

INSTANTIATE_TEST_SUITE_P(Jvm, ServicesTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

TEST(ServicesTest, RefusesWhatIsNoService) {
  Result result = RunServices(FindJdks()[0], {"mysql"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("there is no service 'mysql', only tomcat, h2, "), std::string::npos)
      << result.err;
}

}  // namespace
