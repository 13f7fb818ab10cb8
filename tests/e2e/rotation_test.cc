/* Tests recordings in several sets of files (options maxsize and keep): they must have the same
   content as a recording in one set. */
#include <signal.h>

#include <filesystem>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"

namespace {

constexpr const char *kSmall = ",maxsize=64KB,interval=5ms";

class RotationTest : public testing::TestWithParam<Jdk> {
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
  for (uint64_t after : {1, 150000, 300000}) { /* bytes of some set */
    SCOPED_TRACE(after);
    Session session(GetParam(), Program({"ending.Endings", "flood"}, {}, ",maxsize=500KB"));
    ASSERT_TRUE(session.process().WaitForLine("end", 60));
    ASSERT_TRUE(session.process().WaitForBytes(session.prefix() + ".orca", after, 60));
    session.process().Signal(SIGKILL);
    session.WaitOnly(60);
    EXPECT_EQ(session.result().signal, SIGKILL);
    for (const std::string &set : FindSets(session.prefix())) ExpectNoFaults(ReadDump(set), set);
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
    Process process(JavaCommand(GetParam(), {AgentFlag(prefix + options)}, {"counted.Queues"}),
                    JavaEnvironment(), folder);
    EXPECT_EQ(process.Wait(60).status, 0);
    ExpectAccepted(prefix, scratch.dir());
  }
  EXPECT_EQ(FindSets(prefix).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Jvm, RotationTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
