/* Tests invalid options and full disks: the agent prints exactly one line on stderr. */
#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

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

  /* Expects that the JVM does not start with these flags, and that the agent prints one line that
     contains `word`. */
  void ExpectRefused(const std::vector<std::string> &flags, const std::string &word) {
    SCOPED_TRACE(flags.back());
    Result result = Run(flags, {"ending.Endings", "return"});
    std::vector<std::string> lines = FindOrcaLines(result.err);
    ASSERT_EQ(lines.size(), 1u) << result.err;
    EXPECT_NE(lines[0].find(word), std::string::npos) << lines[0];
    EXPECT_EQ(FindOrcaLines(result.out), std::vector<std::string>());
    EXPECT_FALSE(ReadStory(result.out).complete);
    EXPECT_GT(result.status, 0) << "signal " << result.signal;
  }

  void ExpectRefused(const std::string &options, const std::string &word) {
    ExpectRefused(std::vector<std::string>{AgentFlag(options)}, word);
  }

  /* Runs a program whose dump of about 1 MB does not fit on any of the disks below. Expects that
     the program is not affected, and that the agent reports in one line that the disk is full. */
  void ExpectProgramContinues(const std::string &prefix,
                              const std::vector<std::string> &wrapper = {}) {
    Result result = Run({AgentFlag(prefix)}, {"counted.ManyThreads", "7"}, wrapper);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(ReadStory(result.out).complete);
    EXPECT_EQ(FindOrcaLines(result.err).size(), 1u) << result.err;
    EXPECT_EQ(FindOrcaLines(result.out).size(), 0u) << result.out.substr(0, 1000);
  }

  std::string Prefix() const { return scratch_.dir() + "/dump"; }

  Scratch scratch_;
};

TEST_P(BadInputTest, RefusesUnknownOptions) {
  ExpectRefused(Prefix() + ",colour=blue", "colour");
  ExpectRefused(Prefix() + ",interval", "interval");
  ExpectRefused(Prefix() + ",=", "");
}

TEST_P(BadInputTest, RefusesInvalidValues) {
  for (std::string option :
       {"interval=often", "interval=-1ms", "interval=", "budget=101%", "depth=0", "depth=2049",
        "depth=99999999999999999999", "engine=steam", "owners=maybe",
        "overflow=", "events=all+wine", "threshold=1parsec", "start=never"}) {
    ExpectRefused(Prefix() + "," + option, option.substr(0, option.find('=')));
  }
}

TEST_P(BadInputTest, RefusesAMissingFolder) {
  ExpectRefused(scratch_.dir() + "/no/such/folder/dump", "/no/such/folder/dump");
  ExpectRefused(scratch_.dir() + "/no/such/folder/dump,start=1h", "/no/such/folder/dump");
}

TEST_P(BadInputTest, RefusesAFileAsFolder) {
  std::ofstream(scratch_.dir() + "/file") << "in the way\n";
  ExpectRefused(scratch_.dir() + "/file/dump", "/file/dump");
}

TEST_P(BadInputTest, RefusesAFolderWithoutWritePermission) {
  ExpectRefused("/proc/dump", "/proc/dump");
}

TEST_P(BadInputTest, RefusesAFolderInPlaceOfAFile) {
  std::filesystem::create_directory(Prefix() + ".orca");
  ExpectRefused(Prefix(), Prefix());
}

TEST_P(BadInputTest, StopsRecordingAtTheFileSizeLimit) {
  /* 512,000 bytes, enough for the output of the program. */
  ExpectProgramContinues(Prefix(), {"sh", "-c", "ulimit -f 1000; exec \"$0\" \"$@\""});
  EXPECT_EQ(ReadDump(Prefix()).faults, std::vector<std::string>());
}

/* Mounts a small disk in its own user namespace. */
TEST_P(BadInputTest, StopsRecordingOnAFullDisk) {
  std::string disk = scratch_.dir() + "/disk";
  std::filesystem::create_directory(disk);
  std::string mount = "mount -t tmpfs -o size=100k tmpfs '" + disk + "'";
  Result trial = RunProcess({"unshare", "-rm", "sh", "-c", mount}, {}, scratch_.dir(), kSeconds);
  if (trial.status != 0) GTEST_SKIP() << "no tmpfs can be mounted here: " << trial.err;
  ExpectProgramContinues(disk + "/dump",
                         {"unshare", "-rm", "sh", "-c", mount + " && exec \"$0\" \"$@\""});
}

INSTANTIATE_TEST_SUITE_P(Jvm, BadInputTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
