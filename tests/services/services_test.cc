/* Runs tests/services/run for some seconds: the answers of the services are right, and the files of
   the agents too. The speed is not judged, as the machine may be busy. */
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

constexpr double kSeconds = 240; /* some 25 suffice on a quiet machine */

/* Cells of the table. */
constexpr const char *kEmpty = " +\\|";
constexpr const char *kRatio = " ~?\\d+\\.\\d{3} \\(\\d+\\.\\d\\d\\.\\.\\d+\\.\\d\\d\\) *\\|";

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

/* MeasureShortly runs one round of the service, with more options. */
Result MeasureShortly(const Jdk &jdk, const std::string &service,
                      const std::vector<std::string> &more = {}) {
  std::vector<std::string> words = {service, "--rounds",      "1",  "--seconds", "2", "--warm-up",
                                    "1",     "--connections", "200" /* of idle */};
  words.insert(words.end(), more.begin(), more.end());
  return RunServices(jdk, words);
}

/* ExpectRow expects a row of the service and the agent with these cells after the throughput. */
void ExpectRow(const Result &result, const std::string &service, const std::string &agent,
               const std::string &throughput, const std::string &cells) {
  EXPECT_TRUE(
      Matches(result.out, "\n\\| " + service + " +\\| " + agent + " +\\|" + throughput + cells))
      << service << ", " << agent << "\n"
      << result.out << result.err;
}

/* ExpectTable expects the rows that every run has. is_idle: the CPU time is that of a second, and
   there is no throughput. */
void ExpectTable(const Result &result, const std::string &service, bool is_idle = false) {
  const std::string kThree = std::string(kRatio) + kRatio + kRatio;
  const std::string kNone = std::string(kEmpty) + kEmpty + "\n";
  const std::string throughput = is_idle ? kEmpty : kRatio;
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  ExpectRow(result, service, "without", is_idle ? kEmpty : " [\\d,]+\\.\\d\\d a second +\\|",
            std::string(" \\d+\\.\\d{3} ms a ") + (is_idle ? "second" : "request") +
                " +\\| \\d+\\.\\d{3} ms +\\| \\d+\\.\\d MB +\\|" + kNone);
  ExpectRow(result, service, "service", throughput, kThree + " [\\d,]+ +\\| \\d+ +\\|\n");
  ExpectRow(result, service, "default", throughput, kThree + " [1-9][\\d,]* +\\| 0 +\\|\n");
  ExpectRow(result, service, "A/A", throughput, kThree + kNone);
}

class ServicesTest : public testing::TestWithParam<Jdk> {};

TEST_P(ServicesTest, ADatabaseGivesTheSameAnswersUnderTheAgentAndTheFlightRecorder) {
  if (!std::filesystem::exists("/usr/share/java/h2.jar")) {
    GTEST_SKIP() << "H2 (libh2-java) is not installed";
  }
  Result result =
      MeasureShortly(GetParam(), "h2",
                     {"--agent", "jfr=-XX:StartFlightRecording:settings=default,filename=%d/x.jfr",
                      "--options", "quiet=profile=service,events=all-notify"});
  ExpectTable(result, "h2");
  ExpectRow(result, "h2", "quiet", kRatio,
            std::string(kRatio) + kRatio + kRatio + " [\\d,]+ +\\| \\d+ +\\|\n");
  ExpectRow(result, "h2", "jfr", kRatio,
            std::string(kRatio) + kRatio + kRatio + kEmpty + kEmpty + "\n");
}

TEST_P(ServicesTest, AServerOnVirtualThreadsGivesTheSameAnswersUnderTheAgent) {
  Result result = MeasureShortly(GetParam(), "threads");
  if (GetParam().version >= 21) {
    ExpectTable(result, "threads");
    return;
  }
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(Matches(result.out,
                      "\nthreads: skipped, as it needs JDK 21 or later, and this is JDK "
                      "\\d+; choose another one with --jdk\n"))
      << result.out << result.err;
  EXPECT_FALSE(Matches(result.out, "\n\\| threads")) << result.out;
}

TEST_P(ServicesTest, ACacheGivesTheSameAnswersUnderTheAgent) {
  if (!std::filesystem::exists("/usr/share/java/ehcache.jar")) {
    GTEST_SKIP() << "Ehcache (libehcache-java) is not installed";
  }
  ExpectTable(MeasureShortly(GetParam(), "cache"), "cache");
}

TEST_P(ServicesTest, AnIdleServerGivesTheSameAnswersUnderTheAgent) {
  ExpectTable(MeasureShortly(GetParam(), "idle"), "idle", true);
}

INSTANTIATE_TEST_SUITE_P(Jvm, ServicesTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

TEST(ServicesTest, GoesOnWithTheRoundsOfAFile) {
  Scratch scratch;
  const std::string file = scratch.dir() + "/rounds.json";
  Result first = MeasureShortly(FindJdks()[0], "idle", {"--json", file});
  EXPECT_NE(first.err.find("idle: round 1 of 1\n"), std::string::npos) << first.err;
  ExpectTable(first, "idle", true);
  Result again = MeasureShortly(FindJdks()[0], "idle", {"--json", file});
  EXPECT_EQ(again.status, 0) << again.out << again.err;
  EXPECT_EQ(again.err.find("round"), std::string::npos) << "nothing was missing: " << again.err;
  EXPECT_EQ(again.out.substr(again.out.find("\n| ")), first.out.substr(first.out.find("\n| ")));
  Result other = MeasureShortly(FindJdks()[0], "idle", {"--json", file, "--options", "quiet="});
  EXPECT_EQ(other.status, 1);
  EXPECT_NE(other.err.find("has rounds of another JDK or of other agents; name another file\n"),
            std::string::npos)
      << other.err;
  std::ofstream(file) << "{}";
  Result wrong = MeasureShortly(FindJdks()[0], "idle", {"--json", file});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("has no rounds of this program"), std::string::npos) << wrong.err;
}

TEST(ServicesTest, NoticesAnAgentThatRecordsNothing) {
  Result result = MeasureShortly(FindJdks()[0], "idle", {"--agent", "none=-Dfile=%d/x"});
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_NE(result.err.find(
                "services: idle: round 1: none: the agent has written no file into its folder\n"),
            std::string::npos)
      << result.out << result.err;
}

TEST(ServicesTest, NamesTheAgentWithWhichTheServerDoesNotStart) {
  Result result = MeasureShortly(FindJdks()[0], "idle", {"--agent", "gone=-agentpath:/gone.so"});
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_NE(
      result.err.find(
          "services: idle: round 1: gone: the server ended with exit status 1: Error occurred"),
      std::string::npos)
      << result.out << result.err;
}

TEST(ServicesTest, RefusesWhatIsNoService) {
  Result result = RunServices(FindJdks()[0], {"--service", "mysql"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("there is no service 'mysql', only tomcat, h2, "), std::string::npos)
      << result.err;
}

TEST(ServicesTest, RefusesAnAgentWithoutANewName) {
  for (const char *word : {"-XX:StartFlightRecording", "service=-Dx", "A/A=-Dx"}) {
    Result result = RunServices(FindJdks()[0], {std::string("--agent=") + word});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(std::string("--agent ") + word + " is wrong; write NAME="),
              std::string::npos)
        << result.err;
  }
}

}  // namespace
