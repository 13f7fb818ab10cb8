/* Tests recordings in several sets of files (options maxsize and keep): they must have the same
   content as a recording in one set. */
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"

namespace {

constexpr const char *kSmall = ",maxsize=64KB,interval=5ms";

/* Returns the prefixes of all sets of a recording, in order. */
std::vector<std::string> FindSets(const std::string &prefix) {
  std::vector<std::string> sets;
  std::string name = std::filesystem::path(prefix).filename();
  for (const auto &file :
       std::filesystem::directory_iterator(std::filesystem::path(prefix).parent_path())) {
    std::string stem = file.path().stem();
    bool is_finished = stem.rfind(name + ".", 0) == 0 && file.path().extension() == ".orca";
    if (is_finished) sets.push_back(file.path().parent_path() / stem);
  }
  std::sort(sets.begin(), sets.end());
  sets.push_back(prefix);
  return sets;
}

/* Expects that a set defines all threads, objects, methods and classes that it refers to. */
void ExpectSelfContained(const Dump &set, const std::string &prefix) {
  std::set<uint32_t> named;
  for (const Event &e : set.events) {
    named.insert({e.thread, e.object, e.owner});
    for (size_t at = 0; (at = e.stack.find(';', at)) != std::string::npos; at += 18) {
      uint32_t method = static_cast<uint32_t>(std::stoul(e.stack.substr(at + 1, 8), nullptr, 16));
      ASSERT_EQ(set.methods.count(method), 1u) << prefix << " " << e.stack;
    }
  }
  named.erase(0);
  for (uint32_t object : named) ASSERT_GE(set.objects.count(object), 1u) << prefix << object;
  for (const auto &[hash, id] : set.objects) ASSERT_EQ(set.classes.count(id), 1u) << prefix << id;
  for (const auto &[id, m] : set.methods) ASSERT_EQ(set.classes.count(m.class_id), 1u) << prefix;
}

/* Merges all sets into one dump, without the code of `orca`. */
Dump ReadSets(const std::string &prefix) {
  Dump all;
  for (const std::string &name : FindSets(prefix)) {
    Dump set = ReadDump(name);
    ExpectNoFaults(set, name);
    ExpectSelfContained(set, name);
    size_t repeated = std::stoul(set.info["set.threads"]);
    EXPECT_LE(repeated, set.events.size());
    for (size_t i = 0; i < repeated; i++) EXPECT_EQ(set.events[i].kind, EVENT_THREAD_STARTED);
    all.events.insert(all.events.end(), set.events.begin() + static_cast<ptrdiff_t>(repeated),
                      set.events.end());
    for (const auto &c : set.classes) {
      if (all.classes.count(c.first) == 0) all.classes.insert(c);
    }
    for (const auto &o : set.objects) {
      if (all.objects.count(o.first) == 0) all.objects.insert(o);
    }
    all.methods.insert(set.methods.begin(), set.methods.end());
    for (const auto &[key, count] : set.counts) all.counts[key] += count;
    all.samples += set.samples;
    all.info = set.info;
  }
  return all;
}

class RotationTest : public testing::TestWithParam<Setup> {
 protected:
  static void ExpectEachAccepted(const std::string &prefix) {
    Scratch scratch;
    for (const std::string &set : FindSets(prefix)) ExpectAccepted(set, scratch.dir());
  }
};

TEST_P(RotationTest, AllSetsTogetherMatchTheAccount) {
  Session session(GetParam(), Program({"counted.ManyThreads"}, {},
                                      std::string(kWithoutLocks) + ",maxsize=100KB,interval=5ms"));
  session.Wait();
  EXPECT_EQ(session.result().status, 0) << session.result().err;
  ASSERT_GE(FindSets(session.prefix()).size(), 10u);
  ExpectSame(session.story(), ReadSets(session.prefix()));
  session.ExpectQuiet();
  session.ExpectChecked();
  ExpectEachAccepted(session.prefix());
  EXPECT_EQ(session.RunOrca("report").status, 0);
}

TEST_P(RotationTest, SetsMatchTheAccountOfEachWorkload) {
  for (const char *workload : {"counted.Waits", "counted.Semaphores", "counted.Queues"}) {
    SCOPED_TRACE(workload);
    Session session(GetParam(), Program({workload}, {}, kSmall));
    session.Wait();
    ExpectSame(session.story(), ReadSets(session.prefix()));
    session.ExpectChecked();
  }
}

/* Other threads flood the files while the threads of the account run. */
TEST_P(RotationTest, SetsMatchTheAccountDuringFloods) {
  Session session(GetParam(),
                  Program({"ending.Endings", "daemons"}, {}, std::string(kWithoutLocks) + kSmall));
  session.Wait();
  ExpectSame(session.story(), ReadSets(session.prefix()));
  session.ExpectChecked();
}

/* The threshold delays events, so they are written after samples with later times. */
TEST_P(RotationTest, AcceptsSetsWithDelayedEvents) {
  Session session(GetParam(), Program({"ending.Endings", "daemons"}, {},
                                      std::string(kSmall) + ",threshold=20ms"));
  session.Wait();
  ReadSets(session.prefix());
  session.ExpectQuiet();
  session.ExpectChecked();
  ExpectEachAccepted(session.prefix());
}

TEST_P(RotationTest, KeepsOnlyTheLastSets) {
  Session session(GetParam(), Program({"counted.ManyThreads"}, {},
                                      std::string(kWithoutLocks) + ",maxsize=200KB,keep=3"));
  session.Wait();
  ASSERT_EQ(FindSets(session.prefix()).size(), 3u);
  EXPECT_GE(std::stoi(session.dump().info.at("set.number")), 10);
  session.ExpectQuiet();
  session.ExpectChecked();
  ExpectEachAccepted(session.prefix());
  EXPECT_EQ(session.RunOrca("report").status, 0);
}

TEST_P(RotationTest, ReadsAllSetsOfAKilledProgram) {
  for (double after : {0.5, 0.8, 1.1}) {
    SCOPED_TRACE(after);
    Session session(GetParam(), Program({"ending.Endings", "flood"}, {}, ",maxsize=500KB"));
    session.process().WaitUpTo(after);
    session.process().Signal(SIGKILL);
    session.WaitOnly(60);
    EXPECT_EQ(session.result().signal, SIGKILL);
    if (!std::filesystem::exists(session.prefix() + ".orca")) continue;
    session.ExpectChecked();
    EXPECT_EQ(session.RunOrca("report").status, 0);
  }
}

/* The writer can finish a set at any time while `orca` reads. */
TEST_P(RotationTest, ReadsSetsWhileTheyAreWritten) {
  Session session(GetParam(),
                  Program({"ending.Endings", "flood"}, {}, ",maxsize=1MB,interval=5ms"));
  ASSERT_TRUE(session.process().WaitForLine("end", 60));
  for (int i = 0; i < 4; i++) { /* each report reads more than the last one */
    Result report = session.RunOrca("report", {}, /* seconds */ 300);
    EXPECT_EQ(report.status, 0) << report.out << report.err;
  }
  session.process().Signal(SIGKILL);
  session.WaitOnly(60);
}

TEST_P(RotationTest, RemovesTheSetsOfAnEarlierRecording) {
  Scratch scratch;
  std::string prefix = scratch.dir() + "/again";
  for (const char *options : {",maxsize=64KB", ",maxsize=1GB"}) {
    std::string folder = scratch.dir() + "/" + (options + 9);
    std::filesystem::create_directory(folder);
    Process process(
        JavaCommand(GetParam().jdk, {AgentFlag(prefix + ",engine=" + GetParam().engine + options)},
                    {"counted.Queues"}),
        JavaEnvironment(), folder);
    EXPECT_EQ(process.Wait(60).status, 0);
    ExpectAccepted(prefix, scratch.dir());
  }
  EXPECT_EQ(FindSets(prefix).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Jvm, RotationTest, testing::ValuesIn(FindSetups()),
                         [](const auto &info) { return SetupName(info.param); });

}  // namespace
