#include "tools/orca/cmd/commands.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/tools/orca/attach/fake_jvm.h"
#include "tests/tools/orca/cmd/command.h"

namespace {

using Command = int (*)(int, char **);

/* A JVM with the agent in it. */
FakeJvmPlan WithAgent(const std::string &reply, const std::string &answer = "0\nreturn code: 0\n") {
  FakeJvmPlan plan;
  plan.agent = "liborca.so";
  plan.reply = reply;
  plan.answer = answer;
  return plan;
}

std::string Pid(const FakeJvm &jvm) { return std::to_string(jvm.Pid()); }

/* What the agent was told behind "@start,reply=…,". */
std::string About(const FakeJvm &jvm) {
  std::string request = jvm.Request();
  size_t at = request.find(',', request.find(",reply=") + 1);
  return at == std::string::npos ? "nothing" : request.substr(at + 1);
}

std::string Here() {
  char folder[4096];
  return getcwd(folder, sizeof folder);
}

TEST(CmdAttach, StartsAndSaysHowToStop) {
  FakeJvm jvm(WithAgent("recording into /data/x.*\n"));
  Outcome o = RunCommand(cmd_attach, {"attach", Pid(jvm), "/data/x,interval=5ms"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "recording into /data/x.*\norca stop " + Pid(jvm) + " ends it\n");
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(About(jvm), "/data/x,interval=5ms|");
}

TEST(CmdAttach, SaysItselfWhereTheFilesAre) {
  FakeJvm jvm(WithAgent(""));
  EXPECT_EQ(
      RunCommand(cmd_attach, {"attach", Pid(jvm), "/data/x,depth=9"}).out,
      "process " + Pid(jvm) + " records into /data/x.*\norca stop " + Pid(jvm) + " ends it\n");
}

TEST(CmdAttach, ARelativePrefixLiesWhereWeAre) {
  FakeJvm jvm(WithAgent(""));
  RunCommand(cmd_attach, {"attach", Pid(jvm), "x,interval=5ms"});
  EXPECT_EQ(About(jvm), Here() + "/x,interval=5ms|");
  RunCommand(cmd_attach, {"attach", Pid(jvm)});
  EXPECT_EQ(About(jvm), Here() + "/orca-%p|");
  RunCommand(cmd_attach, {"attach", Pid(jvm), "interval=5ms"});
  EXPECT_EQ(About(jvm), Here() + "/orca-%p,interval=5ms|");
}

TEST(CmdAttach, NotInAFolderThatOptionsCannotName) {
  FakeJvm jvm(WithAgent(""));
  std::string here = Here(), folder = MakeFolder() + "/a,b";
  ASSERT_EQ(mkdir(folder.c_str(), 0777), 0);
  ASSERT_EQ(chdir(folder.c_str()), 0);
  Outcome relative = RunCommand(cmd_attach, {"attach", Pid(jvm), "x"});
  Outcome absolute = RunCommand(cmd_attach, {"attach", Pid(jvm), "/x"});
  ASSERT_EQ(chdir(here.c_str()), 0);
  EXPECT_EQ(relative.status, 1);
  EXPECT_EQ(relative.err,
            "orca: attach: options end at a comma, as the working directory has one; give a "
            "PREFIX that begins with /\n");
  EXPECT_EQ(absolute.status, 0);
}

TEST(CmdAttach, InAnotherRootThePrefixIsTheProcesss) {
  if (!CanBeOthers()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = WithAgent("");
  plan.root = MakeFolder();
  plan.inside = true;
  ASSERT_EQ(mkdir((plan.root + "/tmp").c_str(), 0777), 0);
  FakeJvm jvm(plan);
  Outcome o = RunCommand(cmd_attach, {"attach", Pid(jvm), "x"});
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(About(jvm), "x|");
  EXPECT_NE(
      o.out.find("sees other files than we do: its files are in /proc/" + Pid(jvm) + "/root\n"),
      std::string::npos)
      << o.out;
}

TEST(CmdAttach, AWrongOptionIsRefusedBeforeTheJvmHearsOfIt) {
  FakeJvm jvm(WithAgent(""));
  Outcome o = RunCommand(cmd_attach, {"attach", Pid(jvm), "x,depth=0"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err, "orca: attach: option depth takes a number from 1 to 2048, not \"0\"\n");
  EXPECT_EQ(jvm.NumQuits(), 0);
}

TEST(CmdAttach, WithoutALibraryToBring) {
  FakeJvm jvm;
  Outcome o = RunCommand(cmd_attach, {"attach", Pid(jvm), "x"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err, "orca: attach: the agent liborca.so is neither beside orca nor in ../agent\n");
}

TEST(CmdAttach, TheAgentRefuses) {
  FakeJvm jvm(WithAgent("it records already\ninto /x.*\n", "0\nreturn code: -1\n"));
  Outcome o = RunCommand(cmd_attach, {"attach", Pid(jvm), "x"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, "orca: attach: it records already\norca: attach: into /x.*\n");
}

TEST(CmdAttach, TheAgentRefusesWithoutAWord) {
  FakeJvm jvm(WithAgent("", "0\nreturn code: -1\n"));
  EXPECT_EQ(RunCommand(cmd_attach, {"attach", Pid(jvm), "x"}).err,
            "orca: attach: the agent refused with -1; why stands on stderr of process " + Pid(jvm) +
                "\n");
}

TEST(CmdAttach, TheJvmRefuses) {
  FakeJvm jvm(WithAgent("", "-1\nDynamic agent loading is not enabled.\n"));
  Outcome o = RunCommand(cmd_attach, {"attach", Pid(jvm), "x"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(
      o.err,
      "orca: attach: the JVM did not load the agent: Dynamic agent loading is not enabled.\n");
}

const struct Word {
  const char *name, *word;
  Command command;
} kWords[] = {
    {"stop", "@stop", cmd_stop}, {"status", "@status", cmd_status}, {"flush", "@flush", cmd_flush}};

TEST(CmdStopStatusFlush, HandOnTheWordAndPrintTheReply) {
  FakeJvm jvm(WithAgent("all well"));
  for (const Word &w : kWords) {
    Outcome o = RunCommand(w.command, {w.name, Pid(jvm)});
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.out, "all well\n");
    EXPECT_EQ(o.err, "");
    EXPECT_NE(jvm.Request().find("/liborca.so|true|" + std::string(w.word) + ",reply=/tmp/"),
              std::string::npos)
        << jvm.Request();
  }
}

TEST(CmdStopStatusFlush, DoNotBringTheAgent) {
  FakeJvm jvm;
  for (const Word &w : kWords) {
    Outcome o = RunCommand(w.command, {w.name, Pid(jvm)});
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err,
              "orca: " + std::string(w.name) + ": there is no agent in process " + Pid(jvm) + "\n");
  }
  EXPECT_EQ(jvm.NumQuits(), 0);
}

const struct {
  const char *name;
  Command command;
} kAll[] = {
    {"attach", cmd_attach}, {"stop", cmd_stop}, {"status", cmd_status}, {"flush", cmd_flush}};

TEST(CmdAll, WrongUseIsOneLineAndTheUsage) {
  const std::string gone = "2147483647";
  for (const auto &c : kAll) {
    std::string start = std::string("orca: ") + c.name + ": ";
    std::string usage = std::string("\nusage: orca ") + c.name + " PID";
    auto wrong = [&](std::vector<std::string> args, const std::string &line) {
      args.insert(args.begin(), c.name);
      Outcome o = RunCommand(c.command, args);
      EXPECT_EQ(o.status, 2);
      EXPECT_EQ(o.err.find(start + line + usage), 0u) << o.err;
    };
    wrong({}, "which process? PID is missing");
    for (const char *bad : {"x", "0", "-1", "2147483648", "1.5", ""}) {
      wrong({bad}, "PID is a number, not " + std::string(bad));
    }
    wrong({"1", "x", "y"},
          std::string("this is one word too many: ") + (c.command == cmd_attach ? "y" : "x"));
    Outcome o = RunCommand(c.command, {c.name, gone});
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.err, start + "there is no process " + gone + "\n");
  }
}

TEST(CmdAll, Help) {
  for (const auto &c : kAll) {
    Outcome o = RunCommand(c.command, {c.name, "--help"});
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.out.find(std::string("usage: orca ") + c.name + " PID"), 0u);
  }
}

}  // namespace
