#include "agent/base/version.h"
#include "tests/tools/orca/cmd/orca_program.h"

namespace {

class Main : public testing::Test {
 protected:
  OrcaProgram orca_;
};

TEST_F(Main, ListsTheCommandsInItsHelp) {
  for (const char *line : {"orca help", "orca --help", "orca -h", "orca help help"}) {
    EXPECT_EQ(orca_.RunShell(line), 0) << line;
    for (const char *name : {"usage: orca COMMAND", "\n  run ", "\n  report ", "\n  methods ",
                             "\n  export ", "\n  check "}) {
      EXPECT_TRUE(orca_.OutHas(name)) << line << " prints\n" << orca_.out;
    }
  }
}

TEST_F(Main, PrintsTheHelpOfACommand) {
  EXPECT_EQ(orca_.RunShell("orca help report"), 0);
  EXPECT_EQ(orca_.out.find("usage: orca report"), 0u);
  EXPECT_EQ(orca_.RunShell("orca help frob"), 2);
}

TEST_F(Main, PrintsTheOptionsOfTheAgent) {
  EXPECT_EQ(orca_.RunShell("orca help options"), 0);
  EXPECT_TRUE(orca_.OutHas("\n  threshold=0        shortest pair")) << orca_.out;
}

TEST_F(Main, PrintsTheVersion) {
  EXPECT_EQ(orca_.RunShell("orca version"), 0);
  EXPECT_EQ(orca_.out, "orca " ORCA_VERSION "\n");
  EXPECT_EQ(orca_.RunShell("orca --version"), 0);
  EXPECT_EQ(orca_.out, "orca " ORCA_VERSION "\n");
}

TEST_F(Main, RefusesWrongUse) {
  EXPECT_EQ(orca_.RunShell("orca"), 2);
  EXPECT_TRUE(orca_.ErrHas("usage: orca COMMAND"));
  EXPECT_EQ(orca_.RunShell("orca frob"), 2);
  EXPECT_EQ(orca_.err, "orca: there is no command \"frob\"; \"orca help\" lists the commands\n");
  EXPECT_EQ(orca_.out, "");
}

TEST_F(Main, FailsOnAFullDisk) {
  EXPECT_EQ(orca_.RunShell("orca help >/dev/full"), 1);
  EXPECT_EQ(orca_.err, "orca: cannot write the output: No space left on device\n");
  EXPECT_EQ(orca_.RunShell("orca help >&-"), 1);
}

TEST_F(Main, ReadsAPackAndLeavesNoFiles) {
  orca_.Write("shop.orca", "1.0000000000,ThreadStarted,00000001,main\n");
  orca_.Write("shop.info", "pid=4711\n");
  EXPECT_EQ(orca_.RunShell("orca pack shop && rm shop.orca shop.info && mkdir tmp"), 0)
      << orca_.err;
  EXPECT_EQ(orca_.out.find("the pack is shop.tar.gz: 2 files, "), 0u) << orca_.out;
  EXPECT_EQ(orca_.RunShell("export TMPDIR=$PWD/tmp; orca report shop.tar.gz | grep 'pid 4711'"), 0)
      << orca_.err;
  EXPECT_EQ(orca_.RunShell("export TMPDIR=$PWD/tmp; orca log shop.tar.gz | true; ls tmp"), 0);
  EXPECT_EQ(orca_.RunShell("for i in $(seq 500); do [ -z \"$(ls tmp)\" ] && break; sleep 0.01; "
                           "done; ls tmp"),
            0);
  EXPECT_EQ(orca_.out, "");
}

TEST_F(Main, RestoresTheWorkingDirectoryUnderBazelRun) {
  orca_.Write("here.orca", "");
  EXPECT_EQ(
      orca_.RunShell("export BUILD_WORKING_DIRECTORY=$PWD; dir=$PWD; cd /; $dir/orca report here "
                     "| grep 'In short'"),
      0)
      << orca_.err;
  EXPECT_EQ(orca_.RunShell("BUILD_WORKING_DIRECTORY=/no/such/folder orca report here"), 1);
  EXPECT_TRUE(orca_.ErrHas("orca: cannot go to /no/such/folder")) << orca_.err;
}

}  // namespace
