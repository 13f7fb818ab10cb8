/* Tests recordings of a busy program that signals disturb, or that starts other programs. */
#include <signal.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

constexpr uint64_t kBytes = 4 << 20; /* of a file, until a program counts as busy */
constexpr double kSeconds = 120;

class SignalsTest : public testing::TestWithParam<Jdk> {};

/* Expects that nothing was dropped, though threads wait for room in the queue at every moment. */
void ExpectComplete(Session *session) {
  session->Wait(kSeconds);
  EXPECT_EQ(session->result().status, 128 + SIGTERM) << session->result().err;
  auto info = session->dump().info;
  EXPECT_EQ(info["end.reason"], "signal TERM");
  EXPECT_EQ(info["events.dropped"], "0");
  EXPECT_EQ(info.count("events.lost"), 0u);
  EXPECT_GT(session->dump().events.size(), 1000u);
  session->ExpectQuiet();
  session->ExpectChecked(kSeconds);
}

TEST_P(SignalsTest, TerminatingABusyProgramDropsNoEvent) {
  Session session(GetParam(), Program({"ending.Endings", "crowd"}));
  ASSERT_TRUE(session.process().WaitForLine("end", kSeconds));
  ASSERT_TRUE(session.process().WaitForBytes(session.prefix() + ".orca", kBytes, kSeconds));
  session.process().Signal(SIGTERM);
  ExpectComplete(&session);
}

TEST_P(SignalsTest, StoppingAndContinuingDropsNoEvent) {
  Session session(GetParam(), Program({"ending.Endings", "flood"}));
  ASSERT_TRUE(session.process().WaitForLine("end", kSeconds));
  for (uint64_t i = 1; i <= 3; i++) {
    session.process().Signal(SIGSTOP);
    session.process().WaitUpTo(0.5); /* in which nothing happens */
    session.process().Signal(SIGCONT);
    std::string events = session.prefix() + ".orca";
    ASSERT_TRUE(session.process().WaitForBytes(events, i * (kBytes / 4), kSeconds));
  }
  session.process().Signal(SIGTERM);
  ExpectComplete(&session);
}

/* A child inherits neither the files nor their locks, and ends. */
TEST_P(SignalsTest, ProgramsThatItStartsDoNotTouchTheFiles) {
  Session session(GetParam(), Program({"ending.Endings", "children"}));
  session.WaitOnly(kSeconds);
  std::string out = session.result().out;
  EXPECT_EQ(session.result().status, 0) << session.result().err;
  EXPECT_NE(out.find("/proc/"), std::string::npos) << "the list of a child's files: " << out;
  EXPECT_EQ(out.find(session.prefix()), std::string::npos) << out;
  session.ExpectChecked(kSeconds);
}

/* The limit of file sizes: the kernel sends SIGXFSZ, which would end a program that does not handle
   it. */
TEST_P(SignalsTest, AFileThatIsTooLargeEndsOnlyTheRecording) {
  Scratch scratch;
  std::string prefix = scratch.dir() + "/dump";
  std::vector<std::string> java =
      JavaCommand(GetParam(), {AgentFlag(prefix)}, {"ending.Endings", "flood"});
  std::vector<std::string> command = {"bash", "-c", "ulimit -f 200 && exec \"$@\"", "bash"};
  command.insert(command.end(), java.begin(), java.end());
  Process process(command, JavaEnvironment(), scratch.dir());
  ASSERT_TRUE(process.WaitForLine("end", kSeconds));
  EXPECT_TRUE(
      Eventually([&] { return !FindOrcaLines(ReadFile(scratch.dir() + "/stderr")).empty(); }));
  process.Signal(SIGTERM);
  Result result = process.Wait(kSeconds);
  EXPECT_EQ(result.status, 128 + SIGTERM) << result.signal << result.err;
  std::vector<std::string> lines = FindOrcaLines(result.err);
  ASSERT_EQ(lines.size(), 1u) << result.err;
  EXPECT_EQ(lines[0], "orca: cannot write " + prefix +
                          ".orca: File too large; recording stops, the program goes on");
  EXPECT_EQ(ReadDump(prefix).faults, std::vector<std::string>());
  Result report = RunOrcaOn("report", {}, prefix, scratch.dir(), kSeconds);
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_NE(report.out.find("ended because"), std::string::npos) << report.out;
}

class ProcessTest : public testing::TestWithParam<Jdk> {
 protected:
  static void ExpectComplete(const Calls &calls, uint64_t num) {
    EXPECT_EQ(CountExits(ReadFile(calls.prefix() + ".orca")), num);
    EXPECT_EQ(ReadInfoNumber(calls.prefix(), "events.dropped"), 0u);
    EXPECT_EQ(calls.ReadMessages().size(), 0u) << ReadFile(calls.dir() + "/stderr");
    ExpectAccepted(calls.prefix(), calls.dir());
  }
};

/* Native code may fork and not call exec. The child has the descriptors of the files, and none of
   the agent's threads. */
TEST_P(ProcessTest, AForkWithoutExecChangesNothing) {
  Calls calls;
  calls.AddFlag("-agentpath:" + Runfile("tests/e2e/libforking.so"));
  calls.Start(GetParam(), "");
  EXPECT_TRUE(Eventually([&] { return calls.ReadBegun() > 50000; }));
  ExpectComplete(calls, calls.End());
  EXPECT_GT(ReadInfoNumber(calls.prefix(), "events.written"), 0u);
}

/* With -Xrs the JVM handles no signals: SIGTERM kills it like SIGKILL. */
TEST_P(ProcessTest, WithoutSignalHandlersOfTheJvm) {
  Calls calls;
  calls.AddFlag("-Xrs");
  calls.Start(GetParam(), "");
  calls.ExpectRunning();
  ExpectComplete(calls, calls.End());
  calls.Reset();
  calls.Start(GetParam(), "");
  EXPECT_TRUE(calls.process().WaitForBytes(calls.prefix() + ".orca", 100000, kSeconds));
  calls.process().Signal(SIGTERM);
  EXPECT_EQ(calls.process().Wait(kSeconds).signal, SIGTERM);
  uint64_t exits = CountExits(ReadFile(calls.prefix() + ".orca"));
  EXPECT_GT(exits, 0u);
  EXPECT_LE(exits, calls.ReadBegun());
  ExpectAccepted(calls.prefix(), calls.dir());
}

INSTANTIATE_TEST_SUITE_P(Jvm, ProcessTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(Jvm, SignalsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
