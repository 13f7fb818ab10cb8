/* Tests recordings that keep only the last minutes, whatever happens (options maxsize and age). */
#include <unistd.h>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
#include "tests/e2e/text_file.h"

namespace {

class BlackBoxTest : public testing::TestWithParam<Jdk> {
 protected:
  static void Order(const Phases &program, const std::string &command,
                    const std::vector<std::string> &words = {}) {
    Result result = program.RunOrca(command, words);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
  }
  static void ExpectAccepted(const Phases &program, const std::string &prefix) {
    Result check = program.RunOrcaOn("check", {}, prefix);
    EXPECT_EQ(check.status, 0) << check.out << check.err;
  }
  static size_t CountEvents(const Story &story, const Dump &dump) {
    size_t count = 0;
    for (const Event &e : dump.events) count += story.threads.count(e.thread);
    return count;
  }
};

/* The current set goes on until there are descriptors again. */
TEST_P(BlackBoxTest, LosesNothingWithoutDescriptors) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  Order(program, "attach", {prefix + ",maxsize=64KB,interval=0"});
  program.LimitFiles(4);
  size_t before = FindSets(prefix).size();
  std::vector<Story> stories = {program.Run("calls"), program.Run("calls")};
  EXPECT_LE(FindSets(prefix).size(), before + 1); /* one may have begun before the limit */
  before = FindSets(prefix).size();
  program.LimitFiles(0);
  for (int i = 0; i < 50 && FindSets(prefix).size() == before; i++) {
    usleep(100000); /* the writer tries again once a second */
    stories.push_back(program.Run("calls"));
  }
  EXPECT_GT(FindSets(prefix).size(), before);
  Order(program, "stop");
  Dump dump = ReadSets(prefix);
  for (const Story &story : stories) ExpectSame(story, dump);
  EXPECT_GE(std::stoi(dump.info.at("sets.delayed")), 1);
  EXPECT_EQ(dump.info.at("events.dropped"), "0");
  ExpectAccepted(program, prefix);
  std::string messages = ReadTextFile(program.Prefix("stderr"));
  size_t at = messages.find("cannot begin the next set of files");
  EXPECT_NE(at, std::string::npos) << messages;
  EXPECT_EQ(messages.find("cannot begin the next set", at + 1), std::string::npos) << messages;
  program.Kill();
}

TEST_P(BlackBoxTest, KeepsWhatIsYoungerThanTheAge) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  Order(program, "attach", {prefix + ",age=4s,interval=0"});
  Story old = program.Run("calls");
  sleep(6); /* longer than the age and a quarter of it: the program is idle */
  Story recent = program.Run("calls");
  Order(program, "stop");
  Dump dump = ReadSets(prefix);
  EXPECT_EQ(CountEvents(old, dump), 0u);
  ExpectSame(recent, dump);
  EXPECT_GE(std::stoi(dump.info.at("set.number")), 2);
  ExpectAccepted(program, prefix);
  program.End();
}

INSTANTIATE_TEST_SUITE_P(Jvm, BlackBoxTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
