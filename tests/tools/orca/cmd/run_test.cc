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
  EXPECT_TRUE(orca_.OutHas("\nFiles: orca-")) << orca_.out;
}

TEST_F(CmdRun, PassesTheAgentToOtherCommandsInTheEnvironment) {
  EXPECT_EQ(
      orca_.RunShell("JAVA_TOOL_OPTIONS=-ea orca run -o 'my run,interval=5ms' sh -c 'java x'"), 0)
      << orca_.err;
  EXPECT_TRUE(orca_.OutHas("options=-agentpath:" + orca_.folder + "/liborca.so=" + orca_.folder +
                           "/my' 'run,interval=5ms -ea x\n"))
      << orca_.out;
  EXPECT_TRUE(orca_.OutHas("\nFiles: my run.*\n")) << orca_.out;
}

TEST_F(CmdRun, PrintsTheReportAfterTheOutputOfTheProgram) {
  EXPECT_EQ(orca_.RunShell("orca run -oout java; echo behind"), 0);
  size_t program = orca_.out.find("given="), report = orca_.out.find("In short"),
         files = orca_.out.find("\nFiles: out.*\n"), behind = orca_.out.find("behind\n");
  EXPECT_LT(program, report);
  EXPECT_LT(report, files);
  EXPECT_EQ(files + strlen("\nFiles: out.*\n"), behind) << orca_.out;
}

TEST_F(CmdRun, PrintsTheFilesOfAllJvms) {
  EXPECT_EQ(orca_.RunShell("orca run sh -c 'java; java; java'"), 0);
  EXPECT_TRUE(orca_.OutHas("\nOther JVMs: orca-")) << orca_.out;
  EXPECT_TRUE(orca_.OutHas(".*, orca-")) << orca_.out;
}

TEST_F(CmdRun, ReturnsTheExitStatusOfTheCommand) {
  EXPECT_EQ(orca_.RunShell("EXIT=7 orca run java"), 7);
  EXPECT_TRUE(orca_.OutHas("\nFiles: "));
  EXPECT_EQ(orca_.RunShell("orca run sh -c 'java; kill -9 $$'"), 128 + 9);
  EXPECT_TRUE(orca_.OutHas("\nFiles: "));
}

TEST_F(CmdRun, ForwardsSignals) {
  orca_.WriteScript("server",
                    "java\ntrap 'exit 43' TERM\n: >ready\nwhile :; do sleep 0.01; done\n");
  EXPECT_EQ(orca_.RunShell("orca run server & pid=$!; while [ ! -e ready ]; do sleep 0.01; done; "
                           "kill $pid; wait $pid"),
            43);
  EXPECT_TRUE(orca_.OutHas("\nFiles: ")) << orca_.out;
}

TEST_F(CmdRun, SaysThatNothingWasRecorded) {
  EXPECT_EQ(orca_.RunShell("orca run true"), 0);
  EXPECT_EQ(orca_.err, "orca: run: no JVM wrote a recording to orca-%p\n");
  EXPECT_EQ(orca_.out, "");
}

TEST_F(CmdRun, WritesToTheOutputsFolderOfABazelTest) {
  EXPECT_EQ(
      orca_.RunShell("mkdir kept; export TEST_UNDECLARED_OUTPUTS_DIR=$PWD/kept; orca run java"), 0);
  EXPECT_TRUE(orca_.OutHas("\nFiles: kept/orca-")) << orca_.out;
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
