/* Tests recordings of a busy program that signals disturb, or that starts other programs. */
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
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
class FileLimitTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Starts a busy program whose files may have so many KiB. */
  void Start(const std::string &options, unsigned limit) {
    std::vector<std::string> java =
        JavaCommand(GetParam(), {AgentFlag(prefix_ + options)}, {"ending.Endings", "flood"});
    std::vector<std::string> command = {
        "bash", "-c", "ulimit -S -f " + std::to_string(limit) + " && exec \"$@\"", "bash"};
    command.insert(command.end(), java.begin(), java.end());
    process_ = std::make_unique<Process>(command, JavaEnvironment(), scratch_.dir());
    ASSERT_TRUE(process_->WaitForLine("end", kSeconds));
  }
  std::string ReadErr() const { return ReadFile(scratch_.dir() + "/stderr"); }
  /* Ends the program, and returns the messages of the agent. */
  std::vector<std::string> End() {
    process_->Signal(SIGTERM);
    Result result = process_->Wait(kSeconds);
    EXPECT_EQ(result.status, 128 + SIGTERM) << result.signal << result.err;
    return FindOrcaLines(result.err);
  }

  Scratch scratch_;
  std::string prefix_ = scratch_.dir() + "/dump";
  std::unique_ptr<Process> process_;
};

TEST_P(FileLimitTest, WithSeveralSetsNothingIsLost) {
  Start(",maxsize=100MB", 2000);
  ASSERT_TRUE(Eventually([&] { return FindSets(prefix_).size() >= 4; }, [&] { return ReadErr(); }));
  std::vector<std::string> lines = End();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0],
            "orca: a file may have 2048000 bytes (ulimit -f), so a set of files ends before that");
  EXPECT_EQ(ReadInfoNumber(prefix_, "events.dropped"), 0u);
  for (const auto &file : std::filesystem::directory_iterator(scratch_.dir())) {
    bool is_of_recording = file.path().filename().string().rfind("dump", 0) == 0;
    EXPECT_TRUE(!is_of_recording || file.file_size() <= 2048000) << file.path();
  }
  ExpectAccepted(prefix_, scratch_.dir(), kSeconds);
}

TEST_P(FileLimitTest, AFileThatIsTooLargeDropsEvents) {
  Start("", 200);
  EXPECT_TRUE(Eventually([&] { return !FindOrcaLines(ReadErr()).empty(); }));
  std::vector<std::string> lines = End();
  ASSERT_EQ(lines.size(), 1u);
  /* Which file is the first to be too large depends on how fast the threads go on. */
  const std::string begin = "orca: cannot write " + prefix_ + ".",
                    reason =
                        ": File too large: a file may have 204800 bytes (ulimit -f); the program "
                        "goes on, and events are dropped and counted until it may be larger; the "
                        "option maxsize makes several smaller files";
  EXPECT_EQ(lines[0].rfind(begin, 0), 0u) << lines[0];
  EXPECT_EQ(lines[0].substr(lines[0].find(": File")), reason);
  EXPECT_EQ(ReadDump(prefix_).faults, std::vector<std::string>());
  Result report = RunOrcaOn("report", {}, prefix_, scratch_.dir(), kSeconds);
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_NE(report.out.find("ended because"), std::string::npos) << report.out;
}

/* The first lines are written by the thread that starts the JVM. */
TEST_P(FileLimitTest, AnInfoThatIsTooLargeKeepsTheJvmFromStarting) {
  std::vector<std::string> java = JavaCommand(
      GetParam(), {AgentFlag(prefix_), "-XX:-UsePerfData", "-Dlong=" + std::string(5000, 'x')},
      {"ending.Endings", "flood"});
  std::vector<std::string> command = {"bash", "-c", "ulimit -S -f 4 && exec \"$@\"", "bash"};
  command.insert(command.end(), java.begin(), java.end());
  Process process(command, JavaEnvironment(), scratch_.dir());
  Result result = process.Wait(kSeconds);
  EXPECT_EQ(result.status, 1) << result.signal << result.err;
  std::vector<std::string> lines = FindOrcaLines(result.err);
  ASSERT_EQ(lines.size(), 1u) << result.err;
  EXPECT_EQ(lines[0],
            "orca: cannot write " + prefix_ + ".info: File too large; nothing is recorded");
}

/* The limit can be raised while the program runs. */
TEST_P(FileLimitTest, RecordsAgainWhenAFileMayBeLarger) {
  Start("", 200);
  EXPECT_TRUE(Eventually([&] { return !FindOrcaLines(ReadErr()).empty(); }));
  struct rlimit limit = {};
  ASSERT_EQ(prlimit(process_->pid(), RLIMIT_FSIZE, nullptr, &limit), 0);
  limit.rlim_cur = limit.rlim_max;
  ASSERT_EQ(prlimit(process_->pid(), RLIMIT_FSIZE, &limit, nullptr), 0);
  ASSERT_TRUE(process_->WaitForBytes(prefix_ + ".orca", kBytes, kSeconds));
  EXPECT_EQ(End().size(), 1u);
  EXPECT_EQ(ReadDump(prefix_).info["end.reason"], "signal TERM");
  ExpectAccepted(prefix_, scratch_.dir(), kSeconds);
}

INSTANTIATE_TEST_SUITE_P(Jvm, FileLimitTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

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
