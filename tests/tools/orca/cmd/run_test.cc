#include <string.h>

#include "tests/tools/orca/cmd/orca_program.h"

namespace {

class CmdRun : public testing::Test {
 protected:
  OrcaProgram orca_;
};

TEST_F(CmdRun, PassesTheAgentToJavaAsAnOption) {
  EXPECT_EQ(orca_.RunShell("orca run -- java -jar 'a b.jar'"), 0) << orca_.err;
  EXPECT_TRUE(orca_.OutHas("agent=" + orca_.folder + "/liborca.so given=" + orca_.folder +
                           "/orca-%p options= -agentpath:"))
      << orca_.out;
  EXPECT_TRUE(orca_.OutHas("-jar a b.jar\n"));
  EXPECT_TRUE(orca_.OutHas("\n  orca report orca-")) << orca_.out;
}

TEST_F(CmdRun, PassesTheAgentToOtherCommandsInTheEnvironment) {
  EXPECT_EQ(
      orca_.RunShell("JAVA_TOOL_OPTIONS=-ea orca run -o 'my run,interval=5ms' sh -c 'java x'"), 0)
      << orca_.err;
  EXPECT_TRUE(orca_.OutHas("options=-agentpath:" + orca_.folder + "/liborca.so=" + orca_.folder +
                           "/my' 'run,interval=5ms -ea x\n"))
      << orca_.out;
  EXPECT_TRUE(orca_.OutHas("\n  orca report 'my run' ")) << orca_.out;
}

TEST_F(CmdRun, PrintsTheFirstScreenAfterTheOutputOfTheProgram) {
  EXPECT_EQ(orca_.RunShell("orca run -oout java; echo behind"), 0);
  size_t at = 0;
  for (const char *part :
       {"given=", "Command   java", "\nIn short\n", "\nWhat to do next\n  orca threads out ",
        "\n  orca html out ", "\n  orca report out ", "\nbehind\n"}) {
    at = orca_.out.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << " in\n" << orca_.out;
  }
  EXPECT_FALSE(orca_.OutHas("JVMs")) << orca_.out;
}

TEST_F(CmdRun, PrintsTheJvmThatWorkedMostAndALineForEachOther) {
  EXPECT_EQ(orca_.RunShell("orca run -oout sh -c 'CPU=2 java a; CPU=9 java b; CPU=4 java c'"), 0);
  size_t first =
      orca_.out.find("\n3 JVMs were recorded. This one worked most, with 9.00 s of 15.0 s");
  ASSERT_NE(first, std::string::npos) << orca_.out;
  size_t at = first;
  for (const char *part :
       {"\nCommand   java b\n", "\n  orca report out-", "\nThe other JVMs", "\n  orca report out-",
        "  4.00 s  java c\n", "  orca report out ", "  2.00 s  java a\n"}) {
    at = orca_.out.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << " in\n" << orca_.out;
  }
}

TEST_F(CmdRun, NamesTheProgramAsTheUserCalledIt) {
  EXPECT_EQ(orca_.RunShell("./orca run -oout java"), 0);
  EXPECT_TRUE(orca_.OutHas("\n  ./orca report out ")) << orca_.out;
  EXPECT_EQ(orca_.RunShell("mkdir 'a b'; cp orca liborca.so 'a b'; $PWD/a\\ b/orca run -oout java"),
            0);
  EXPECT_TRUE(orca_.OutHas("\n  'a b/orca' report out ")) << orca_.out;
}

TEST_F(CmdRun, DoesNotShowRecordingsOfOtherRuns) {
  EXPECT_EQ(orca_.RunShell("orca run -oout sh -c 'java a; java b' >first; orca run -oout java c"),
            0);
  EXPECT_FALSE(orca_.OutHas("JVMs")) << orca_.out;
  EXPECT_TRUE(orca_.OutHas("\nCommand   java c\n")) << orca_.out;
}

TEST_F(CmdRun, LetsTheAgentPassItselfOnToChildrenOfAJava) {
  orca_.WriteScript("java", "echo run=$ORCA_RUN tool=$ORCA_RUN_TOOL_OPTIONS\n");
  EXPECT_EQ(orca_.RunShell("JAVA_TOOL_OPTIONS=-ea orca run -oout java"), 0);
  EXPECT_TRUE(orca_.OutHas("tool=-agentpath:" + orca_.folder + "/liborca.so=" + orca_.folder +
                           "/out -ea\n"))
      << orca_.out;
  EXPECT_FALSE(orca_.OutHas("run= ")) << orca_.out;
}

TEST_F(CmdRun, ReturnsTheExitStatusOfTheCommand) {
  EXPECT_EQ(orca_.RunShell("EXIT=7 orca run java"), 7);
  EXPECT_TRUE(orca_.OutHas("\n  orca report "));
  EXPECT_EQ(orca_.RunShell("orca run sh -c 'java; kill -9 $$'"), 128 + 9);
  EXPECT_TRUE(orca_.OutHas("\n  orca report "));
}

TEST_F(CmdRun, ForwardsSignals) {
  orca_.WriteScript("server",
                    "java\ntrap 'exit 43' TERM\n: >ready\nwhile :; do sleep 0.01; done\n");
  EXPECT_EQ(orca_.RunShell("orca run server & pid=$!; while [ ! -e ready ]; do sleep 0.01; done; "
                           "kill $pid; wait $pid"),
            43);
  EXPECT_TRUE(orca_.OutHas("\n  orca report ")) << orca_.out;
}

TEST_F(CmdRun, TheHelpHasTheLimitOfStopAt) {
  EXPECT_EQ(orca_.RunShell("orca run --help | tr -s ' \\n' ' '"), 0);
  EXPECT_TRUE(orca_.OutHas("only if no other thread of the program does anything")) << orca_.out;
}

TEST_F(CmdRun, SaysThatNothingWasRecorded) {
  EXPECT_EQ(orca_.RunShell("orca run true"), 0);
  EXPECT_EQ(orca_.err,
            "orca: run: no JVM wrote a recording to orca-%p; a JVM with an agent of its own writes "
            "where its options say, and -o PREFIX gives all JVMs the agent of this command\n");
  EXPECT_EQ(orca_.out, "");
  EXPECT_EQ(orca_.RunShell("orca run -oout true"), 0);
  EXPECT_EQ(orca_.err, "orca: run: no JVM wrote a recording to out\n");
}

// The folders are those of Bazel: the outputs of the test, and a program that Bazel built.
TEST_F(CmdRun, LeavesAReportInTheOutputsOfABazelTest) {
  std::string bin = "bazel-out/k8/bin/tools", outputs = "bazel-out/k8/testlogs/app/t/test.outputs";
  EXPECT_EQ(orca_.RunShell("mkdir -p " + bin + " " + outputs + "; cp orca liborca.so " + bin +
                           "; export TEST_TARGET=//app:t TEST_UNDECLARED_OUTPUTS_DIR=$PWD/" +
                           outputs + "; " + bin + "/orca run java"),
            0)
      << orca_.err;
  EXPECT_TRUE(orca_.OutHas("\n  " + bin + "/orca report bazel-testlogs/app/t/test.outputs/orca-"))
      << orca_.out;
  EXPECT_TRUE(
      orca_.OutHas("\nThe report is bazel-testlogs/app/t/test.outputs/report.txt\n"
                   "The page is   bazel-testlogs/app/t/test.outputs/report.html\n"
                   "If Bazel packs outputs, they are in outputs.zip there.\n"))
      << orca_.out;
  EXPECT_EQ(orca_.Read(outputs + "/report.txt").find("Command   java\n"), 0u);
  EXPECT_EQ(orca_.Read(outputs + "/report.html").find("<!doctype html>"), 0u);
  EXPECT_EQ(orca_.RunShell("ls " + outputs + "; grep -h ^pid " + outputs + "/*.info"), 0);
  EXPECT_TRUE(orca_.OutHas("Z.info\n")) << "the default names the time: " << orca_.out;
}

// As `bazel run --run_under` does: the command is in its own folder, and files are in the user's.
TEST_F(CmdRun, LeavesTheCommandItsFolderUnderBazelRun) {
  orca_.WriteScript("where", "pwd\njava\n");
  EXPECT_EQ(orca_.RunShell("mkdir user app; export BUILD_WORKING_DIRECTORY=$PWD/user; "
                           "orca=$PWD/orca where=$PWD/where; export PATH=$PWD:$PATH; cd app; "
                           "$orca run -o out --report r.txt $where"),
            0)
      << orca_.err;
  EXPECT_EQ(orca_.out.find(orca_.folder + "/app\n"), 0u) << orca_.out;
  EXPECT_TRUE(orca_.OutHas("\n  " + orca_.folder + "/orca report out ")) << orca_.out;
  EXPECT_NE(orca_.Read("user/out.info"), "");
  EXPECT_EQ(orca_.Read("user/r.txt").find("Command   java"), 0u);
}

TEST_F(CmdRun, RunsInTheFolderOfTheUserIfBazelRunStartsIt) {
  EXPECT_EQ(orca_.RunShell("mkdir -p user orca.runfiles/shop; export "
                           "BUILD_WORKING_DIRECTORY=$PWD/user; orca=$PWD/orca; cd "
                           "orca.runfiles/shop; $orca run pwd"),
            0);
  EXPECT_EQ(orca_.out, orca_.folder + "/user\n");
}

TEST_F(CmdRun, WritesTheFilesThatAreAskedFor) {
  EXPECT_EQ(orca_.RunShell("orca run -o out --report r.txt --html=r.html sh -c 'CPU=1 java a; "
                           "CPU=9 java b'"),
            0);
  EXPECT_TRUE(orca_.OutHas("\nThe report is r.txt\nThe page is   r.html\n")) << orca_.out;
  EXPECT_EQ(orca_.Read("r.txt").find("Command   java b\n"), 0u) << "of the one that worked most";
  EXPECT_EQ(orca_.Read("r.html").find("<!doctype html>"), 0u);
}

TEST_F(CmdRun, DoesNotOverwriteTheReportByThePage) {
  EXPECT_EQ(orca_.RunShell("orca run --report x --html x java"), 2);
  EXPECT_TRUE(orca_.ErrHas("--report and --html need different files, not both x")) << orca_.err;
  EXPECT_EQ(orca_.RunShell("orca run --report x --html ./x java"), 2);
  EXPECT_TRUE(orca_.ErrHas("--report and --html need different files, not both ./x")) << orca_.err;
  EXPECT_EQ(orca_.out, "");  // java was not run
}

// The command has done its work, so its exit status counts.
TEST_F(CmdRun, NamesTheFilesThatCannotBeWritten) {
  EXPECT_EQ(orca_.RunShell("EXIT=3 orca run --quiet -oout --report no/r --html /dev/full java"), 3);
  EXPECT_TRUE(orca_.ErrHas("cannot write ")) << orca_.err;
  EXPECT_TRUE(orca_.ErrHas("/no/r: No such file or directory\n")) << orca_.err;
  EXPECT_TRUE(orca_.ErrHas("cannot write /dev/full: No space left on device\n")) << orca_.err;
}

TEST_F(CmdRun, TheDeadlineIsATimeWithAUnit) {
  for (const char *time : {"0", "0s", "60", "-5s", "1d", "abc", "''", "99999999999999999999s"}) {
    EXPECT_EQ(orca_.RunShell(std::string("orca run --deadline ") + time + " java"), 2) << time;
    EXPECT_TRUE(orca_.ErrHas("--deadline takes a time such as 60s, not ")) << orca_.err;
  }
  EXPECT_EQ(orca_.RunShell("orca run --quiet --deadline 1ms --deadline 1h -oout java"), 0)
      << "the last one counts: " << orca_.err;
}

TEST_F(CmdRun, PrintsNothingIfItIsQuiet) {
  EXPECT_EQ(orca_.RunShell("EXIT=3 orca run --quiet -oout --report r.txt sh -c 'java >/dev/null'"),
            3);
  EXPECT_EQ(orca_.out, "");
  EXPECT_EQ(orca_.err, "");
  EXPECT_EQ(orca_.Read("r.txt").find("Command   java"), 0u);
  EXPECT_EQ(orca_.RunShell("orca run --quiet -oout true"), 0);
  EXPECT_EQ(orca_.err, "orca: run: no JVM wrote a recording to out\n");
}

TEST_F(CmdRun, EndsTheCommandAtTheDeadline) {
  EXPECT_EQ(orca_.RunShell("orca run --quiet --deadline 500ms -oout sh -c 'java; exec sleep 100'"),
            124);
  EXPECT_EQ(
      orca_.err.find("orca: run: the command was still running at the deadline and was ended\n"),
      0u)
      << orca_.err;
  EXPECT_TRUE(orca_.OutHas("\n  orca report out ")) << "not quiet: " << orca_.out;
  EXPECT_EQ(orca_.RunShell("EXIT=3 orca run --deadline 1h java"), 3);
  EXPECT_FALSE(orca_.ErrHas("deadline")) << orca_.err;
}

TEST_F(CmdRun, WritesToTheOutputsFolderOfABazelTest) {
  EXPECT_EQ(
      orca_.RunShell("mkdir kept; export TEST_UNDECLARED_OUTPUTS_DIR=$PWD/kept; orca run java"), 0);
  EXPECT_TRUE(orca_.OutHas("\n  orca report kept/orca-")) << orca_.out;
}

TEST_F(CmdRun, FailsIfTheCommandCannotBeStarted) {
  EXPECT_EQ(orca_.RunShell("orca run no-such-command"), 127);
  EXPECT_EQ(orca_.err, "orca: run: cannot start no-such-command: No such file or directory\n");
  EXPECT_EQ(orca_.RunShell("orca run /"), 126);
  EXPECT_EQ(orca_.out, "");
}

TEST_F(CmdRun, FailsWithoutTheAgent) {
  EXPECT_EQ(orca_.RunShell("rm liborca.so; orca run java"), 2);
  EXPECT_EQ(orca_.err,
            "orca: run: the agent liborca.so is neither in the folder of orca nor in ../lib\n");
  EXPECT_EQ(orca_.out, "");  // java was not run
}

TEST_F(CmdRun, DoesNotStartAJvmThatCannotLoadTheAgent) {
  orca_.Write("java", std::string("\x7F\x45LF\1", 5) + std::string(100, '\0')); /* 32 bits */
  EXPECT_EQ(orca_.RunShell("orca run java"), 2);
  EXPECT_EQ(orca_.err,
            "orca: run: the JVM java has 32 bits; the agent needs a JVM that has 64 bits\n");
  EXPECT_EQ(orca_.out, "");
}

TEST_F(CmdRun, DoesNotStartTheCommandIfNoFileCanBeMade) {
  for (const char *prefix : {"none/out", "/none/out"}) {
    EXPECT_EQ(orca_.RunShell(std::string("orca run -o ") + prefix + ",depth=9 java"), 2);
    EXPECT_EQ(orca_.err, std::string("orca: run: cannot write ") + prefix +
                             ".*: No such file or directory; the prefix has to be a path in a "
                             "folder that exists\n");
    EXPECT_EQ(orca_.out, "");
  }
  EXPECT_EQ(orca_.RunShell("mkdir sub; orca run -o sub/out java"), 0) << orca_.err;
  EXPECT_EQ(orca_.RunShell("mkdir sub-%; orca run -o sub-%%/out java"), 0) << orca_.err;
}

TEST_F(CmdRun, RefusesWrongUse) {
  const struct {
    const char *line, *says;
  } cases[] = {{"orca run", "COMMAND is missing"},
               {"orca run --", "COMMAND is missing"},
               {"orca run -o", "a value is missing after -o"},
               {"orca run -x java", "there is no option -x"},
               {"orca run --report", "a value is missing after --report"},
               {"orca run --deadline soon java", "--deadline takes a time such as 60s, not soon"},
               {"orca run --deadline 0 java", "--deadline takes a time such as 60s, not 0"},
               {"orca run --stop-at lunch java", "--stop-at takes deadlock, not lunch"},
               {"orca run -o out,interval=soon java", "option interval takes"},
               {"orca run -o out,frob=1 java", "there is no option \"frob=1\""}};
  for (const auto &c : cases) {
    EXPECT_EQ(orca_.RunShell(c.line), 2) << c.line;
    EXPECT_EQ(orca_.err.find("orca: run: "), 0u) << orca_.err;
    EXPECT_TRUE(orca_.ErrHas(c.says)) << orca_.err;
    EXPECT_EQ(orca_.out, "");
  }
}

}  // namespace
