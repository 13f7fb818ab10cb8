/* Tests recordings that begin and end while the program runs. */
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

class AttachTest : public testing::TestWithParam<Jdk> {};

void ExpectDone(const Result &result, const std::string &word) {
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find(word), std::string::npos) << result.out;
  EXPECT_EQ(result.err, "");
}

/* Expects one line on stderr that contains `word`, and no output. */
void ExpectRefused(const Result &result, int status, const std::string &word) {
  EXPECT_EQ(result.status, status);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(SplitLines(result.err).size(), 1u) << result.err;
  EXPECT_EQ(FindOrcaLines(result.err).size(), 1u) << result.err;
  EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
}

void Attach(const Phases &program, const std::string &name, const std::string &options = "") {
  ExpectDone(program.RunOrca("attach", {program.Prefix(name) + options}),
             "recording into " + program.Prefix(name));
}

void Stop(const Phases &program) { ExpectDone(program.RunOrca("stop"), "stopped"); }

/* The jcmd of JDK 8 has no command JVMTI.agent_load. */
bool CanJcmdLoad(const Jdk &jdk) {
  return jdk.version >= 9 && access((jdk.home + "/bin/jcmd").c_str(), X_OK) == 0;
}

TEST_P(AttachTest, RecordsWhatRunsBetweenAttachAndStop) {
  Phases program(GetParam());
  program.Run("calls");
  EXPECT_FALSE(program.HasAgent());
  EXPECT_EQ(program.Record("dump").info["end.reason"], "stop");
  std::string before = ReadFile(program.Prefix("dump.orca"));
  program.Run("calls");
  program.Run("residents");
  EXPECT_EQ(ReadFile(program.Prefix("dump.orca")), before);
  program.End();
  EXPECT_EQ(ReadFile(program.Prefix("dump.orca")), before);
}

/* A recording announces older threads, and has no end event without its begin event. */
TEST_P(AttachTest, RecordsThreadsThatStartedBefore) {
  Phases program(GetParam());
  Attach(program, "dump");
  Story residents = program.Run("residents");
  EXPECT_EQ(residents.threads.size(), 6u); /* five residents, and the thread that releases them */
  Stop(program);
  Dump dump = program.ExpectDump(program.Prefix("dump"), residents);
  EXPECT_TRUE(std::any_of(dump.events.begin(), dump.events.end(), [](const Event &e) {
    return e.kind == EVENT_THREAD_STARTED && e.name == "main";
  }));
  program.End();
}

/* --- many recordings ------------------------------------------------------------------ */

TEST_P(AttachTest, RecordsManyTimesAndLeavesNoFileOpen) {
  Phases program(GetParam());
  long files = program.RecordRounds([&] { return program.process().CountOpenFiles(); });
  EXPECT_TRUE(Eventually([&] { return program.process().CountOpenFiles() <= files; }));
  program.End();
}

/* The first recording changes java.lang.Object, whose native methods it does not record. The
   program has compiled its calls of these before. Only newer JVMs, such as 25, could lose calls so
   (docs/jvm-facts.md). */
TEST_P(AttachTest, RecordsNativesThatAnEarlierRecordingLeftOut) {
  Phases program(GetParam(), {AgentFlag("start=later")});
  program.Order("attach", {program.Prefix("waits") + ",events=wait"});
  Stop(program);
  program.Record("all");
  program.End();
}

/* --- other commands ---------------------------------------------------------------------- */

TEST_P(AttachTest, StatusReportsTheRecording) {
  Phases program(GetParam());
  ExpectRefused(program.RunOrca("status"), 1, "no agent");
  Attach(program, "dump");
  ExpectDone(program.RunOrca("status"), "recording into " + program.Prefix("dump"));
  Stop(program);
  ExpectDone(program.RunOrca("status"), "nothing is being recorded");
  program.End();
}

TEST_P(AttachTest, ASnapshotWritesAllEventsOfTheRecordingToo) {
  Phases program(GetParam());
  Attach(program, "dump");
  Story first = program.Run("calls");
  program.ExpectDump(program.TakeSnapshot(), first);
  program.ExpectDump(program.Prefix("dump"), first);
  Story second = program.Run("calls");
  Stop(program);
  program.ExpectDump(program.Prefix("dump"), first);
  program.ExpectDump(program.Prefix("dump"), second);
  ExpectRefused(program.RunOrca("snapshot", {program.Prefix("late")}), 1,
                "nothing is being recorded");
  program.End();
}

TEST_P(AttachTest, AllowsOneRecordingAtATime) {
  Phases program(GetParam());
  ExpectRefused(program.RunOrca("stop"), 1, "no agent");
  Attach(program, "dump");
  ExpectRefused(program.RunOrca("attach", {program.Prefix("second")}), 1, "already recording");
  EXPECT_FALSE(std::filesystem::exists(program.Prefix("second.orca")));
  Story story = program.Run("calls");
  Stop(program);
  ExpectRefused(program.RunOrca("stop"), 1, "nothing is being recorded");
  program.ExpectDump(program.Prefix("dump"), story);
  program.End();
}

/* A refused command does not affect the next one. */
TEST_P(AttachTest, RefusesInvalidArguments) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  Result unknown = program.RunOrca("attach", {prefix + ",colour=blue"});
  ExpectRefused(unknown, 2, "colour");
  EXPECT_FALSE(program.HasAgent());
  ExpectRefused(program.RunOrca("attach", {prefix + ",engine=callbacks"}), 1, "engine=callbacks");
  EXPECT_FALSE(std::filesystem::exists(prefix + ".orca"));
  ExpectRefused(program.RunOrca("attach", {"/proc/dump"}), 1, "/proc/dump");
  ExpectRefused(program.RunOrca("attach", {program.Prefix("no/folder/dump")}), 1, "no/folder/dump");
  program.Run("calls");
  program.Record("dump");
  program.End();
}

/* --- whose files ------------------------------------------------------------------------- */

/* JEP 451: a JVM may forbid agents that attach, and then also commands to one that it has. */
TEST_P(AttachTest, NamesTheFlagIfTheJvmForbidsIt) {
  if (GetParam().version < 9) GTEST_SKIP() << "this JDK does not have the flag";
  const std::string forbids = "-XX:-EnableDynamicAgentLoading",
                    waits = "-agentpath:" + Runfile("agent/liborca.so") + "=start=later";
  for (const std::vector<std::string> &flags : {std::vector{forbids}, {forbids, waits}}) {
    Phases program(GetParam(), flags);
    ExpectRefused(program.RunOrca("attach", {program.Prefix("dump")}), 1,
                  "start it with -XX:+EnableDynamicAgentLoading");
    EXPECT_FALSE(std::filesystem::exists(program.Prefix("dump.orca")));
    program.End();
  }
}

TEST_P(AttachTest, OnlyTheUserMayReadTheFiles) {
  Phases program(GetParam());
  program.Record("dump");
  int files = 0;
  for (const auto &file : std::filesystem::directory_iterator(program.Prefix(""))) {
    if (file.path().stem() != "dump" || !file.is_regular_file()) continue;
    EXPECT_EQ(file.status().permissions(), std::filesystem::perms(0600)) << file.path();
    files++;
  }
  EXPECT_EQ(files, 7);
  program.End();
}

TEST_P(AttachTest, RefusesToWriteThroughALink) {
  Phases program(GetParam());
  std::string precious = program.Prefix("precious");
  std::ofstream(precious) << "mine\n";
  std::filesystem::create_symlink(precious, program.Prefix("soft.samples"));
  std::filesystem::create_hard_link(precious, program.Prefix("hard.orca"));
  ExpectRefused(program.RunOrca("attach", {program.Prefix("soft")}), 1,
                "cannot write " + program.Prefix("soft.samples") +
                    ": it is a symbolic link; delete it or choose another prefix");
  ExpectRefused(program.RunOrca("attach", {program.Prefix("hard")}), 1,
                program.Prefix("hard.orca") + ": it has further names (hard links)");
  EXPECT_EQ(ReadFile(precious), "mine\n");
  program.Record("dump");
  program.End();
}

/* The agent writes its answer only into a file like that of its client. */
TEST_P(AttachTest, AnswersIntoNoLink) {
  if (!CanJcmdLoad(GetParam())) GTEST_SKIP() << "no jcmd that loads agents";
  Phases program(GetParam());
  std::string precious = program.Prefix("precious");
  std::ofstream(precious) << "mine\n";
  std::filesystem::create_symlink(precious, program.Prefix("soft"));
  std::filesystem::create_hard_link(precious, program.Prefix("hard"));
  for (const char *reply : {"soft", "hard"}) {
    ExpectDone(program.RunJcmd({"JVMTI.agent_load", Runfile("agent/liborca.so"),
                                "'@status,reply=" + program.Prefix(reply) + "'"}),
               "return code: 0");
    EXPECT_EQ(ReadFile(precious), "mine\n") << reply;
  }
  program.End();
}

/* --- other ways to load the agent -------------------------------------------------------- */

TEST_P(AttachTest, JcmdLoadsTheAgent) {
  if (!CanJcmdLoad(GetParam())) GTEST_SKIP() << "no jcmd that loads agents";
  Phases program(GetParam());
  Result result = program.RunJcmd({"JVMTI.agent_load", Runfile("agent/liborca.so"),
                                   "'" + program.Prefix("dump") + ",interval=0,depth=9'"});
  ExpectDone(result, "return code: 0");
  Story story = program.Run("calls");
  Stop(program);
  Dump dump = program.ExpectDump(program.Prefix("dump"), story);
  EXPECT_EQ(dump.samples, 0u);
  program.Record("second");
  program.End();
}

/* A client with another file system says how it sees the process: seen=/proc/PID. */
TEST_P(AttachTest, NamesFilesAsTheClientSeesThem) {
  if (!CanJcmdLoad(GetParam())) GTEST_SKIP() << "no jcmd that loads agents";
  Phases program(GetParam());
  std::string reply = program.Prefix("reply"), seen = ",reply=" + reply + ",seen=/proc/4711";
  auto ask = [&](const std::string &command, const std::string &arguments) {
    std::ofstream(reply).close();
    Result result = program.RunJcmd(
        {"JVMTI.agent_load", Runfile("agent/liborca.so"), "'" + command + seen + arguments + "'"});
    ExpectDone(result, "return code: 0");
    return ReadFile(reply);
  };
  std::string files = "/proc/4711/root" + program.Prefix("dump") + ".*";
  EXPECT_EQ(ask("@start", "," + program.Prefix("dump")), "recording into " + files);
  EXPECT_EQ(ask("@snapshot", "," + program.Prefix("snap"))
                .find("the snapshot /proc/4711/root" + program.Prefix("snap") + ".* has "),
            0u);
  EXPECT_EQ(ask("@status", "").find("recording into " + files + "\n"), 0u);
  EXPECT_EQ(ask("@stop", ""), "stopped; the files are " + files);
  program.End();
}

TEST_P(AttachTest, RecordsAfterAnAgentFromTheStart) {
  Scratch scratch;
  std::string prefix = scratch.dir() + "/start";
  Phases program(GetParam(), {AgentFlag(prefix)});
  Story story = program.Run("calls");
  Stop(program);
  program.Run("calls");
  program.Record("dump");
  program.ExpectDump(prefix, story);
  program.End();
}

INSTANTIATE_TEST_SUITE_P(Jvm, AttachTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
