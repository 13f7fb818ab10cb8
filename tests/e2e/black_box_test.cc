/* Tests recordings that keep only the last minutes, whatever happens (options maxsize and age). */
#include <unistd.h>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

class BlackBoxTest : public testing::TestWithParam<Jdk> {
 protected:
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
  program.Order("attach", {prefix + ",maxsize=64KB,interval=0"});
  program.LimitFiles(4);
  size_t before = FindSets(prefix).size();
  std::vector<Story> stories = {program.Run("calls"), program.Run("calls")};
  EXPECT_LE(FindSets(prefix).size(), before + 1); /* one may have begun before the limit */
  before = FindSets(prefix).size();
  program.LimitFiles(0);
  EXPECT_TRUE(Eventually([&] { /* the writer tries again once a second */
                               stories.push_back(program.Run("calls"));
                               return FindSets(prefix).size() > before;
  }));
  program.Order("stop");
  Dump dump = ReadSets(prefix);
  for (const Story &story : stories) ExpectSame(story, dump);
  EXPECT_GE(std::stoi(dump.info.at("sets.delayed")), 1);
  EXPECT_EQ(dump.info.at("events.dropped"), "0");
  ExpectAccepted(program, prefix);
  std::string messages = ReadFile(program.Prefix("stderr"));
  size_t at = messages.find("cannot begin the next set of files");
  EXPECT_NE(at, std::string::npos) << messages;
  EXPECT_EQ(messages.find("cannot begin the next set", at + 1), std::string::npos) << messages;
  program.Kill();
}

TEST_P(BlackBoxTest, KeepsWhatIsYoungerThanTheAge) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",age=4s,interval=0"});
  Story old = program.Run("calls");
  sleep(6); /* longer than the age and a quarter of it: the program is idle */
  Story recent = program.Run("calls");
  program.Order("stop");
  Dump dump = ReadSets(prefix);
  EXPECT_EQ(CountEvents(old, dump), 0u);
  ExpectSame(recent, dump);
  EXPECT_GE(std::stoi(dump.info.at("set.number")), 2);
  ExpectAccepted(program, prefix);
  program.End();
}

/* --- orca snapshot ------------------------------------------------------------------------ */

/* A snapshot has all events up to now, each once, and the recording goes on. */
TEST_P(BlackBoxTest, SnapshotsOfSetsAreExact) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",maxsize=100KB,interval=5ms"});
  std::vector<Story> stories;
  for (int i = 1; i <= 3; i++) {
    stories.push_back(program.Run("calls"));
    program.Order("snapshot", {program.Prefix("snap" + std::to_string(i))});
  }
  Story last = program.Run("calls");
  program.Order("stop");
  for (int i = 1; i <= 3; i++) {
    std::string name = program.Prefix("snap" + std::to_string(i));
    SCOPED_TRACE(name);
    Dump snap = ReadSets(name);
    for (int n = 0; n < i; n++) ExpectSame(stories[static_cast<size_t>(n)], snap);
    EXPECT_EQ(CountEvents(last, snap), 0u);
    EXPECT_EQ(snap.info.at("end.reason"), "snapshot");
    ExpectAccepted(program, name);
    EXPECT_EQ(program.RunOrcaOn("report", {}, name).status, 0);
  }
  EXPECT_GT(FindSets(program.Prefix("snap3")).size(), 3u);
  Dump dump = ReadSets(prefix);
  for (const Story &story : stories) ExpectSame(story, dump);
  ExpectSame(last, dump);
  ExpectAccepted(program, prefix);
  program.End();
}

/* The first snapshot ends a set, and the second one leaves it out. */
TEST_P(BlackBoxTest, SnapshotsOfTheLastSecondsLeaveOutWhatEndedBefore) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",age=10m,interval=0"});
  Story old = program.Run("calls");
  program.Order("snapshot", {program.Prefix("snap1")});
  sleep(4);
  Story recent = program.Run("calls");
  Result done = program.RunOrcaOn("snapshot", {"--last", "3s", prefix}, program.Prefix("snap2"));
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out.find("the snapshot " + program.Prefix("snap2") + ".* has 1 set of files, "),
            0u)
      << done.out;
  Dump snap = ReadSets(program.Prefix("snap2"));
  EXPECT_EQ(CountEvents(old, snap), 0u);
  ExpectSame(recent, snap);
  program.Order("snapshot", {program.Prefix("snap3"), "--last", "5m"});
  Dump all = ReadSets(program.Prefix("snap3"));
  ExpectSame(old, all);
  ExpectSame(recent, all);
  program.End();
}

TEST_P(BlackBoxTest, SnapshotsCopyARecordingInOneSet) {
  Phases program(GetParam());
  program.Order("attach", {program.Prefix("dump") + ",interval=5ms"});
  Story first = program.Run("calls");
  program.Order("snapshot", {program.Prefix("snap")});
  Story second = program.Run("calls");
  program.Order("stop");
  Dump snap = program.ExpectDump(program.Prefix("snap"), first);
  EXPECT_EQ(CountEvents(second, snap), 0u);
  EXPECT_EQ(snap.info.at("end.reason"), "snapshot");
  EXPECT_EQ(std::stoul(snap.info.at("events.written")), snap.events.size());
  program.ExpectDump(program.Prefix("dump"), first);
  EXPECT_EQ(program.ExpectDump(program.Prefix("dump"), second).info.at("end.reason"), "stop");
  program.End();
}

TEST_P(BlackBoxTest, RefusesSnapshotsInOneLine) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  auto refuse = [&](const Result &result, const std::string &words) {
    EXPECT_NE(result.status, 0);
    EXPECT_EQ(SplitLines(result.err).size(), 1u) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  };
  refuse(program.RunOrca("snapshot", {program.Prefix("snap")}), "there is no agent in process");
  program.Order("attach", {prefix + ",maxsize=100KB"});
  refuse(program.RunOrca("snapshot", {prefix}), "exists; a snapshot needs a new NAME");
  refuse(program.RunOrca("snapshot", {program.Prefix("no/snap")}), "No such file or directory");
  Story story = program.Run("calls");
  program.Order("stop");
  refuse(program.RunOrca("snapshot", {program.Prefix("snap")}), "nothing is being recorded");
  refuse(program.RunOrcaOn("snapshot", {prefix}, program.Prefix("snap")), "no process records");
  ExpectSame(story, ReadSets(prefix));
  EXPECT_TRUE(FindSets(program.Prefix("snap")).empty());
  program.End();
}

INSTANTIATE_TEST_SUITE_P(Jvm, BlackBoxTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
