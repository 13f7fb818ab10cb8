/* Tests orca set: options that change while a recording runs. The program counts its own events. */
#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/session.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

class SetTest : public testing::TestWithParam<Jdk> {
 protected:
  static void Refuse(const Phases &program, const std::vector<std::string> &words,
                     const std::string &reason) {
    Result result = program.RunOrca("set", words);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(SplitLines(result.err).size(), 1u) << result.err;
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
  }
  /* Returns the values of the key `change`, without their times: "set,threshold=1ms". Expects that
     the times are in order. */
  static std::vector<std::string> ReadChanges(const std::string &prefix) {
    std::vector<std::string> all;
    double last = 0;
    for (const std::string &line : SplitLines(ReadFile(prefix + ".info"))) {
      if (line.rfind("change=", 0) != 0) continue;
      size_t comma = line.find(','), second = line.find(',', comma + 1);
      double from = std::stod(line.substr(7)), to = std::stod(line.substr(comma + 1));
      EXPECT_LE(last, from);
      EXPECT_LE(from, to);
      last = from;
      all.push_back(line.substr(second + 1));
    }
    return all;
  }
  /* The 12 locks of three phases: each one is acquired 300 times, and nobody waits. Only the 4 of
     the second phase have times at which they were held. */
  static void ExpectCountedLocks(const std::string &json) {
    size_t acquired = 0, quiet = 0, held = 0;
    const Json view = ReadJson(json);
    for (const Json &lock : view["locks"].items) {
      acquired += lock["acquired"].text == "300";
      quiet += lock["waited"].text == "0";
      held += lock["held_ns"].kind == Json::kNumber;
    }
    EXPECT_EQ(acquired, 12u) << json;
    EXPECT_EQ(quiet, 12u) << json;
    EXPECT_EQ(held, 4u) << json;
  }
  static int CountSleeps(const Story &story, const Dump &dump) {
    int count = 0;
    for (const Event &e : dump.events) {
      count += e.kind == EVENT_THREAD_SLEEP && story.threads.count(e.thread) != 0;
    }
    return count;
  }
};

/* Each story has the options of its time, and all stories are complete. */
TEST_P(SetTest, ChangesWhichAcquisitionsAreRecorded) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",interval=0"});
  Story before = program.Run("locks");
  program.Order("set", {"locks=all"});
  Story all = program.Run("locks");
  program.Order("set", {"locks=waits"});
  Story after = program.Run("locks");
  program.Order("stop");
  LeaveOut(GROUP_LOCK, &before);
  LeaveOut(GROUP_LOCK, &after);
  for (const Story &story : {before, all, after}) program.ExpectDump(prefix, story);
  EXPECT_EQ(ReadChanges(prefix), (std::vector<std::string>{"set,locks=all", "set,locks=waits"}));
  ExpectCountedLocks(program.RunOrcaOn("locks", {"--all", "--format", "json"}, prefix).out);
  std::string report = program.RunOrcaOn("report", {}, prefix).out;
  EXPECT_NE(report.find("\nChanged   locks=all since "), std::string::npos) << report;
  program.End();
}

TEST_P(SetTest, ChangesGroupsOfEvents) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",interval=0,events=all-semaphore-wait-monitor"});
  auto without = [&](std::vector<enum event_group> groups) {
    Story story = program.Run("calls");
    for (enum event_group group : groups) LeaveOut(group, &story);
    return story;
  };
  std::vector<Story> stories = {without({GROUP_SEMAPHORE, GROUP_WAIT, GROUP_MONITOR})};
  program.Order("set", {"events=all-notify-sleep"});
  stories.push_back(without({GROUP_NOTIFY, GROUP_SLEEP}));
  program.Order("set", {"events=all-monitor"});
  stories.push_back(without({GROUP_MONITOR}));
  program.Order("stop");
  for (const Story &story : stories) program.ExpectDump(prefix, story);
  program.End();
}

TEST_P(SetTest, ChangesTheThreshold) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",interval=0"});
  Story all = program.Run("naps");
  program.Order("set", {"threshold=30ms"});
  Story some = program.Run("naps");
  program.Order("set", {"threshold=0"});
  Story again = program.Run("naps");
  program.Order("stop");
  Dump dump = program.ExpectDump(prefix, all);
  program.ExpectDump(prefix, again);
  int num = CountSleeps(some, dump);
  EXPECT_GE(num, 3);
  EXPECT_LE(num, 3 + some.slow);
  EXPECT_EQ(dump.info.at("threshold.pairs"), std::to_string(23 - num));
  EXPECT_EQ(ReadChanges(prefix),
            (std::vector<std::string>{"set,threshold=30ms", "set,threshold=0"}));
  program.End();
}

/* The program takes the identity hashes of the locks of each phase before it acquires them, but not
   that of the sync of its ReentrantReadWriteLock. So with a threshold, that lock is not counted. */
TEST_P(SetTest, AThresholdChangesWhichLocksAreCounted) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  const size_t kLock = 1, kSides = 2, kStamped = 1;
  auto count = [&] {
    program.TakeSnapshot();
    size_t num = 0;
    for (const auto &[key, times] : ReadDump(prefix).counts) num += times == 300;
    return num;
  };
  program.Order("attach", {prefix + ",interval=0"});
  program.Run("locks");
  EXPECT_EQ(count(), kLock + kSides + kStamped);
  program.Order("set", {"threshold=30ms"});
  program.Run("locks");
  EXPECT_EQ(count(), 2 * (kLock + kStamped) + kSides);
  program.Order("set", {"threshold=20ms"});
  program.Run("locks");
  EXPECT_EQ(count(), 3 * (kLock + kStamped) + kSides);
  program.Order("set", {"threshold=0"});
  program.Run("locks");
  program.Order("stop");
  Dump dump = ReadDump(prefix);
  size_t num = 0, wholes = 0;
  for (const auto &[key, times] : dump.counts) {
    std::set<std::string> classes = FindSignatures(dump, key.second);
    num += times == 300;
    wholes +=
        times == 300 && classes.count("Ljava/util/concurrent/locks/ReentrantReadWriteLock;") != 0;
  }
  EXPECT_EQ(num, 4 * (kLock + kStamped) + 2 * kSides);
  EXPECT_EQ(wholes, 2 * kSides) << "constructors are hooked again";
  program.End();
}

TEST_P(SetTest, ChangesTheInterval) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",interval=100ms"});
  program.Order("set", {"interval=5ms", "budget=2%"});
  Story story = program.Run("naps");
  program.Order("set", {"interval=50ms"});
  program.Order("stop");
  program.ExpectDump(prefix, story);
  EXPECT_EQ(ReadChanges(prefix),
            (std::vector<std::string>{"set,interval=5ms", "set,budget=2%", "set,interval=50ms"}));
  program.End();
}

TEST_P(SetTest, ChangesTheTrackedMethods) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",interval=0"});
  auto count = [&] {
    program.TakeSnapshot();
    int entries = 0;
    for (const Event &e : ReadDump(prefix).events) entries += e.kind == EVENT_METHOD_ENTRY;
    return entries;
  };
  program.Run("naps");
  EXPECT_EQ(count(), 0);
  program.Order("set", {"track=counted.Changes.naps", "track=counted.Changes.locks"});
  program.Run("naps");
  program.Run("locks");
  EXPECT_EQ(count(), 2);
  program.Order("set", {"track=counted.Changes.locks"});
  program.Run("naps");
  program.Run("locks");
  EXPECT_EQ(count(), 3);
  program.Order("set", {"track="});
  program.Run("locks");
  EXPECT_EQ(count(), 3);
  program.Order("stop");
  program.End();
}

/* A later set of files begins with the options in force. */
TEST_P(SetTest, LaterSetsHaveTheNewOptions) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",interval=0,age=10m"});
  Story first = program.Run("naps");
  program.Order("set", {"locks=all", "trigger=deadlock"});
  program.Order("snapshot", {program.Prefix("snap")});
  Story second = program.Run("locks");
  program.Order("stop");
  Dump dump = ReadDump(prefix);
  ExpectSame(second, dump);
  EXPECT_NE(dump.info.at("options").find(",locks=all,"), std::string::npos);
  EXPECT_NE(dump.info.at("options").find(",trigger=deadlock,"), std::string::npos);
  EXPECT_TRUE(ReadChanges(prefix).empty());
  EXPECT_EQ(ReadChanges(program.Prefix("snap") + ".0001").size() +
                ReadChanges(program.Prefix("snap")).size(),
            2u);
  program.End();
}

TEST_P(SetTest, RefusesInOneLineBeforeAnythingChanges) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  Refuse(program, {"threshold=1ms"}, "there is no agent in process");
  program.Order("attach", {prefix + ",interval=0"});
  Refuse(program, {"threshold=1ms", "budget=0"}, "option budget takes a share such as 1%");
  Refuse(program, {"threshold=1ms", "depth=7"},
         "depth can't change while recording; orca stop, then orca attach with it");
  Refuse(program, {"threshold=1ms,colour=blue"}, "there is no option \"colour=blue\"");
  Refuse(program, {"threshold=1ms", "locks=all"}, "locks=all records each acquisition");
  Story story = program.Run("naps");
  program.Order("stop");
  program.ExpectDump(prefix, story);
  EXPECT_TRUE(ReadChanges(prefix).empty());
  Refuse(program, {"threshold=1ms"}, "nothing is being recorded");
  program.End();
}

INSTANTIATE_TEST_SUITE_P(Jvm, SetTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
