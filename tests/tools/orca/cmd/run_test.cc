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

TEST_F(CmdRun, SaysThatNothingWasRecorded) {
  EXPECT_EQ(orca_.RunShell("orca run true"), 0);
  EXPECT_EQ(orca_.err, "orca: run: no JVM wrote a recording to orca-%p\n");
  EXPECT_EQ(orca_.out, "");
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
               {"orca run -o", "PREFIX is missing after -o"},
               {"orca run -x java", "there is no option -x"},
               {"orca run -o out,interval=soon java", "option interval takes"},
               {"orca run -o out,frob=1 java", "there is no option \"frob=1\""}};
  for (const auto &c : cases) {
    EXPECT_EQ(orca_.RunShell(c.line), 2) << c.line;
    EXPECT_EQ(orca_.err.find("orca: run: "), 0u) << orca_.err;
    EXPECT_TRUE(orca_.ErrHas(c.says)) << orca_.err;
    EXPECT_EQ(orca_.out, "");
  }
}

TEST_F(CmdRun, PrintsTheUsage) {
  EXPECT_EQ(orca_.RunShell("orca run --help"), 0);
  EXPECT_EQ(orca_.out.find("usage: orca run"), 0u);
}

}  // namespace
