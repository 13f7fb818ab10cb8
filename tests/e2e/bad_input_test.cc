/* Tests invalid options and full disks: the agent prints exactly one line on stderr. */
#include <filesystem>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

constexpr double kSeconds = 60;

class BadInputTest : public testing::TestWithParam<Jdk> {
 protected:
  Result Run(const std::vector<std::string> &flags, const std::vector<std::string> &program,
             std::vector<std::string> wrapper = {}) {
    std::vector<std::string> java = JavaCommand(GetParam(), flags, program);
    wrapper.insert(wrapper.end(), java.begin(), java.end());
    return RunProcess(wrapper, JavaEnvironment(), scratch_.dir(), kSeconds);
  }

  /* Expects that the JVM does not start with these options, and that the agent prints one line that
     contains `word`. */
  void ExpectRefused(const std::string &options, const std::string &word) {
    SCOPED_TRACE(options);
    Result result = Run({AgentFlag(options)}, {"ending.Endings", "return"});
    std::vector<std::string> lines = FindOrcaLines(result.err);
    ASSERT_EQ(lines.size(), 1u) << result.err;
    EXPECT_TRUE(Has(lines[0], word)) << lines[0];
    EXPECT_EQ(FindOrcaLines(result.out), std::vector<std::string>());
    EXPECT_FALSE(ReadStory(result.out).complete);
    EXPECT_GT(result.status, 0) << "signal " << result.signal;
  }

  std::string Prefix() const { return scratch_.dir() + "/dump"; }

  Scratch scratch_;
};

/* tests/agent/options/options_test.cc has the other refusals. */
TEST_P(BadInputTest, RefusesUnknownOptions) { ExpectRefused(Prefix() + ",colour=blue", "colour"); }

TEST_P(BadInputTest, RefusesAMissingFolder) {
  ExpectRefused(scratch_.dir() + "/no/such/folder/dump", "/no/such/folder/dump");
  ExpectRefused(scratch_.dir() + "/no/such/folder/dump,start=1h", "/no/such/folder/dump");
}

/* The dump of about 1 MB does not fit on a small disk, which is mounted in a user namespace of its
   own. Only the recording is affected. */
TEST_P(BadInputTest, StopsRecordingOnAFullDisk) {
  std::string disk = scratch_.dir() + "/disk";
  std::filesystem::create_directory(disk);
  std::string mount = "mount -t tmpfs -o size=100k tmpfs '" + disk + "'";
  Result trial = RunProcess({"unshare", "-rm", "sh", "-c", mount}, {}, scratch_.dir(), kSeconds);
  if (trial.status != 0) GTEST_SKIP() << "no tmpfs can be mounted here: " << trial.err;
  Result result = Run({AgentFlag(disk + "/dump")}, {"counted.ManyThreads", "7"},
                      {"unshare", "-rm", "sh", "-c", mount + " && exec \"$0\" \"$@\""});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(ReadStory(result.out).complete);
  EXPECT_EQ(FindOrcaLines(result.err).size(), 1u) << result.err;
  EXPECT_EQ(FindOrcaLines(result.out).size(), 0u) << result.out.substr(0, 1000);
}

INSTANTIATE_TEST_SUITE_P(Jvm, BadInputTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
