#include "tools/orca/cmd/commands.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/tools/orca/attach/fake_jvm.h"
#include "tests/tools/orca/cmd/command.h"

namespace {

/* A JVM that has loaded the agent. */
FakeJvmPlan MakePlanWithAgent(const std::string &reply,
                              const std::string &answer = "0\nreturn code: 0\n") {
  FakeJvmPlan plan;
  plan.agent = "liborca.so";
  plan.reply = reply;
  plan.answer = answer;
  return plan;
}

std::string GetPid(const FakeJvm &jvm) { return std::to_string(jvm.Pid()); }

/* Returns the arguments after "@start,reply=…,". */
std::string GetArguments(const FakeJvm &jvm) {
  std::string request = jvm.Request();
  size_t at = request.find(',', request.find(",reply=") + 1);
  return at == std::string::npos ? "nothing" : request.substr(at + 1);
}

std::string GetWorkingDirectory() {
  char folder[4096];
  return getcwd(folder, sizeof folder);
}

TEST(CmdAttach, StartsARecordingAndPrintsHowToEndIt) {
  FakeJvm jvm(MakePlanWithAgent("recording into /data/x.*\n"));
  Outcome o = RunCommand(cmd_attach, {"attach", GetPid(jvm), "/data/x,interval=5ms"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "recording into /data/x.*\norca stop " + GetPid(jvm) + " ends the recording\n");
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(GetArguments(jvm), "/data/x,interval=5ms|");
}

TEST(CmdAttach, SaysThatTheRecordingEndsByItself) {
  FakeJvm jvm(MakePlanWithAgent("recording into /data/x.*\n"));
  EXPECT_EQ(RunCommand(cmd_attach, {"attach", GetPid(jvm), "/data/x,duration=1.5h"}).out,
            "recording into /data/x.*\nthe recording ends by itself after 1.5h; orca stop " +
                GetPid(jvm) + " ends it earlier\n");
  EXPECT_EQ(GetArguments(jvm), "/data/x,duration=1.5h|");
}

TEST(CmdAttach, PrintsThePrefixIfTheAgentDoesNot) {
  FakeJvm jvm(MakePlanWithAgent(""));
  EXPECT_EQ(RunCommand(cmd_attach, {"attach", GetPid(jvm), "/data/x,depth=9"}).out,
            "process " + GetPid(jvm) + " records into /data/x.*\norca stop " + GetPid(jvm) +
                " ends the recording\n");
}

TEST(CmdAttach, ResolvesARelativePrefix) {
  FakeJvm jvm(MakePlanWithAgent(""));
  RunCommand(cmd_attach, {"attach", GetPid(jvm), "x,interval=5ms"});
  EXPECT_EQ(GetArguments(jvm), GetWorkingDirectory() + "/x,interval=5ms|");
  RunCommand(cmd_attach, {"attach", GetPid(jvm)});
  EXPECT_EQ(GetArguments(jvm), GetWorkingDirectory() + "/orca-%p|");
  RunCommand(cmd_attach, {"attach", GetPid(jvm), "interval=5ms"});
  EXPECT_EQ(GetArguments(jvm), GetWorkingDirectory() + "/orca-%p,interval=5ms|");
}

TEST(CmdAttach, RefusesAWorkingDirectoryWithAComma) {
  FakeJvm jvm(MakePlanWithAgent(""));
  std::string here = GetWorkingDirectory(), folder = MakeFolder() + "/a,b";
  ASSERT_EQ(mkdir(folder.c_str(), 0777), 0);
  ASSERT_EQ(chdir(folder.c_str()), 0);
  Outcome relative = RunCommand(cmd_attach, {"attach", GetPid(jvm), "x"});
  Outcome absolute = RunCommand(cmd_attach, {"attach", GetPid(jvm), "/x"});
  ASSERT_EQ(chdir(here.c_str()), 0);
  EXPECT_EQ(relative.status, 1);
  EXPECT_EQ(relative.err,
            "orca: attach: the working directory contains a comma, which ends a PREFIX; give a "
            "PREFIX that begins with /\n");
  EXPECT_EQ(absolute.status, 0);
}

TEST(CmdAttach, PassesThePrefixUnchangedIntoAnotherRoot) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = MakePlanWithAgent("");
  plan.root = MakeFolder();
  plan.inside = true;
  ASSERT_EQ(mkdir((plan.root + "/tmp").c_str(), 0777), 0);
  FakeJvm jvm(plan);
  Outcome o = RunCommand(cmd_attach, {"attach", GetPid(jvm), "x"});
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(GetArguments(jvm), "seen=/proc/" + GetPid(jvm) + ",x|");
}

TEST(CmdAttach, SaysHowLongTheFilesOfAnotherRootCanBeSeen) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = MakePlanWithAgent("");
  plan.root = MakeFolder();
  plan.inside = true;
  plan.reply = "the files are /proc/{PID}/root/x.*";
  ASSERT_EQ(mkdir((plan.root + "/tmp").c_str(), 0777), 0);
  FakeJvm jvm(plan);
  std::string pid = GetPid(jvm);
  EXPECT_EQ(RunCommand(cmd_stop, {"stop", pid}).out,
            "the files are /proc/" + pid + "/root/x.*\nprocess " + pid +
                " has another file system: /proc/" + pid + "/... exists only while it runs\n");
}

TEST(CmdAttach, RefusesAWrongOptionBeforeItContactsTheJvm) {
  FakeJvm jvm(MakePlanWithAgent(""));
  Outcome o = RunCommand(cmd_attach, {"attach", GetPid(jvm), "x,depth=0"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err, "orca: attach: option depth takes a number from 1 to 2048, not \"0\"\n");
  EXPECT_EQ(jvm.NumQuits(), 0);
}

TEST(CmdAttach, RefusesWithoutAnAgentFile) {
  FakeJvm jvm;
  Outcome o = RunCommand(cmd_attach, {"attach", GetPid(jvm), "x"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err,
            "orca: attach: the agent liborca.so is neither in the folder of orca nor in ../lib\n");
}

TEST(CmdAttach, PrintsTheRefusalOfTheAgent) {
  FakeJvm jvm(MakePlanWithAgent("it records already\ninto /x.*\n", "0\nreturn code: -1\n"));
  Outcome o = RunCommand(cmd_attach, {"attach", GetPid(jvm), "x"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, "orca: attach: it records already\norca: attach: into /x.*\n");
}

TEST(CmdAttach, PrintsTheResultOfARefusalWithoutText) {
  FakeJvm jvm(MakePlanWithAgent("", "0\nreturn code: -1\n"));
  EXPECT_EQ(RunCommand(cmd_attach, {"attach", GetPid(jvm), "x"}).err,
            "orca: attach: the agent refused with result -1; the reason is on stderr of process " +
                GetPid(jvm) + "\n");
}

TEST(CmdAttach, PrintsTheRefusalOfTheJvm) {
  FakeJvm jvm(MakePlanWithAgent("", "-1\n/x.so was not loaded.\n"));
  Outcome o = RunCommand(cmd_attach, {"attach", GetPid(jvm), "x"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err, "orca: attach: the JVM did not load the agent: /x.so was not loaded.\n");
}

const struct AgentCommand {
  const char *name, *request;
  const struct command &command;
} kCommands[] = {{"stop", "@stop", cmd_stop}, {"status", "@status", cmd_status}};

TEST(CmdStopStatus, SendTheCommandAndPrintTheReply) {
  FakeJvm jvm(MakePlanWithAgent("all well"));
  for (const AgentCommand &c : kCommands) {
    Outcome o = RunCommand(c.command, {c.name, GetPid(jvm)});
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.out, "all well\n");
    EXPECT_EQ(o.err, "");
    EXPECT_NE(jvm.Request().find("/liborca.so|true|" + std::string(c.request) + ",reply=/tmp/"),
              std::string::npos)
        << jvm.Request();
  }
}

TEST(CmdStopStatus, DoNotLoadTheAgent) {
  FakeJvm jvm;
  for (const AgentCommand &c : kCommands) {
    Outcome o = RunCommand(c.command, {c.name, GetPid(jvm)});
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "orca: " + std::string(c.name) + ": there is no agent in process " +
                         GetPid(jvm) + "\n");
  }
  EXPECT_EQ(jvm.NumQuits(), 0);
}

/* --- snapshot ------------------------------------------------------------------------------ */

TEST(CmdSnapshot, SendsTheNameAndTheTimeAndPrintsTheReply) {
  FakeJvm jvm(MakePlanWithAgent("the snapshot /x.* has 2 sets of files, the last 3.0 s"));
  Outcome o = RunCommand(cmd_snapshot, {"snapshot", GetPid(jvm), "/data/x"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "the snapshot /x.* has 2 sets of files, the last 3.0 s\n");
  EXPECT_EQ(o.err, "");
  EXPECT_NE(jvm.Request().find("|@snapshot,reply=/tmp/"), std::string::npos) << jvm.Request();
  EXPECT_EQ(GetArguments(jvm), "/data/x|");
  RunCommand(cmd_snapshot, {"snapshot", GetPid(jvm), "x", "--last", "5m"});
  EXPECT_EQ(GetArguments(jvm), "last=5m," + GetWorkingDirectory() + "/x|");
  RunCommand(cmd_snapshot, {"snapshot", "--last=1.5h", GetPid(jvm), "/x"});
  EXPECT_EQ(GetArguments(jvm), "last=1.5h,/x|");
}

TEST(CmdSnapshot, PassesTheNameUnchangedIntoAnotherRoot) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = MakePlanWithAgent("");
  plan.root = MakeFolder();
  plan.inside = true;
  ASSERT_EQ(mkdir((plan.root + "/tmp").c_str(), 0777), 0);
  FakeJvm jvm(plan);
  RunCommand(cmd_snapshot, {"snapshot", GetPid(jvm), "x"});
  EXPECT_EQ(GetArguments(jvm), "seen=/proc/" + GetPid(jvm) + ",x|");
}

/* The process that holds the lock of PREFIX.info is asked. */
TEST(CmdSnapshot, FindsTheProcessOfARecording) {
  FakeJvm jvm(MakePlanWithAgent("all well"));
  std::string prefix = MakeFolder() + "/shop", info = prefix + ".info";
  Outcome missing = RunCommand(cmd_snapshot, {"snapshot", prefix, "/x"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.err, "orca: snapshot: there is no recording " + prefix + "\n");
  std::ofstream(info) << "format=1\npid=" << GetPid(jvm) << "\n";
  Outcome ended = RunCommand(cmd_snapshot, {"snapshot", prefix, "/x"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.err, "orca: snapshot: no process records into " + prefix +
                           " now; orca pack keeps a recording that has ended\n");
  int fd = open(info.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  EXPECT_EQ(RunCommand(cmd_snapshot, {"snapshot", prefix, "/x"}).out, "all well\n");
  EXPECT_EQ(GetArguments(jvm), "/x|");
  close(fd);
}

TEST(CmdSnapshot, PrintsTheRefusalOfTheAgent) {
  FakeJvm jvm(
      MakePlanWithAgent("/x.orca exists; a snapshot needs a new NAME", "0\nreturn code: 1\n"));
  Outcome o = RunCommand(cmd_snapshot, {"snapshot", GetPid(jvm), "/x"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err, "orca: snapshot: /x.orca exists; a snapshot needs a new NAME\n");
}

TEST(CmdSnapshot, RefusesWrongUse) {
  ExpectMisuses(cmd_snapshot, "snapshot",
                {{{}, "which recording? PREFIX or PID is missing"},
                 {{"1"}, "NAME is missing after 1"},
                 {{"1", "--last", "5m"}, "NAME is missing after 1"},
                 {{"1", "x", "y"}, "there is an extra argument: y"},
                 {{"1", "x,y"}, "NAME is a path without a comma that does not end with /, not x,y"},
                 {{"1", "x/"}, "NAME is a path without a comma that does not end with /, not x/"},
                 {{"1", ""}, "NAME is a path without a comma that does not end with /, not "},
                 {{"1", "x", "--last", "soon"}, "--last takes a time such as 5m, not soon"},
                 {{"1", "x", "--last", "0"}, "--last takes a time such as 5m, not 0"},
                 {{"1", "x", "--last"}, "a value is missing after --last"},
                 {{"1", "x", "--first", "5m"}, "there is no option --first"}});
}

/* --- set ----------------------------------------------------------------------------------- */

TEST(CmdSet, SendsTheOptionsAndPrintsTheReply) {
  FakeJvm jvm(MakePlanWithAgent("from now on threshold=1ms; recording into /x.*"));
  std::string file = MakeFolder() + "/shop.options";
  std::ofstream(file) << "# slower\ninterval=50ms\n";
  Outcome o = RunCommand(cmd_set, {"set", GetPid(jvm), "threshold=1ms", "budget=2%"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "from now on threshold=1ms; recording into /x.*\n");
  EXPECT_EQ(o.err, "");
  EXPECT_NE(jvm.Request().find("|@set,reply=/tmp/"), std::string::npos) << jvm.Request();
  EXPECT_EQ(GetArguments(jvm), "threshold=1ms,budget=2%|");
  RunCommand(cmd_set, {"set", GetPid(jvm), "track=a.B", "@" + file});
  EXPECT_EQ(GetArguments(jvm), "track=a.B,interval=50ms|");
}

TEST(CmdSet, PrintsTheRefusalOfTheAgent) {
  FakeJvm jvm(MakePlanWithAgent("depth can't change while recording", "0\nreturn code: 1\n"));
  Outcome o = RunCommand(cmd_set, {"set", GetPid(jvm), "depth=7"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err, "orca: set: depth can't change while recording\n");
}

TEST(CmdSet, RefusesAFileThatItCannotRead) {
  Outcome o = RunCommand(cmd_set, {"set", "1", "@/no/file"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err.find("orca: set: the file of options \"/no/file\" cannot be read"), 0u) << o.err;
}

TEST(CmdSet, RefusesWrongUse) {
  ExpectMisuses(
      cmd_set, "set",
      {{{}, "which process? PID is missing"},
       {{"threshold=1ms", "x"}, "PID is a number from 1 to 2147483647, not threshold=1ms"},
       {{"1"}, "what should change? key=value is missing after 1"}});
}

/* --- status -------------------------------------------------------------------------------- */

TEST(CmdStatus, PrintsTheReplyInEachFormat) {
  FakeJvm jvm(MakePlanWithAgent("recording into /x.*\noptions=/x,locks=all\nevents.written=7"));
  std::string text = RunCommand(cmd_status, {"status", GetPid(jvm), "--format", "text"}).out;
  EXPECT_EQ(text.find("recording into /x.*\nOptions   locks=all\nWritten   7 events"), 0u) << text;
  EXPECT_EQ(RunCommand(cmd_status, {"status", "--format=json", GetPid(jvm)}).out,
            "{\"schema\":2,\"state\":\"recording into /x.*\",\"changed\":[],\"escalation\":[],"
            "\"options\":\"/x,locks=all\",\"events.written\":7}\n");
  ExpectMisuses(cmd_status, "status",
                {{{"1", "--format", "keys"}, "--format takes text or json, not keys"},
                 {{"1", "--frob"}, "there is no option --frob"}});
}

const struct {
  const char *name;
  const struct command &command;
} kAll[] = {{"attach", cmd_attach}, {"stop", cmd_stop}, {"status", cmd_status}};

TEST(CmdAll, RefuseWrongUse) {
  const std::string gone = "2147483647";
  for (const auto &c : kAll) {
    SCOPED_TRACE(c.name);
    std::vector<Misuse> misuses = {
        {{}, "which process? PID is missing"},
        {{"-1"}, "there is no option -1"},
        {{"1", "x", "y"},
         std::string("there is an extra argument: ") + (&c.command == &cmd_attach ? "y" : "x")}};
    for (const char *bad : {"x", "0", "2147483648", "1.5", ""}) {
      misuses.push_back({{bad}, "PID is a number from 1 to 2147483647, not " + std::string(bad)});
    }
    ExpectMisuses(c.command, c.name, misuses);
    Outcome o = RunCommand(c.command, {c.name, gone});
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.err, std::string("orca: ") + c.name + ": there is no process " + gone + "\n");
  }
}

}  // namespace
