#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

Outcome RunReport(std::vector<std::string> args) {
  args.insert(args.begin(), "report");
  return RunCommand(cmd_report, args);
}

class CmdReport : public testing::Test {
 protected:
  CmdReport() { WriteSmallDump(&files_); }

  DumpFiles files_;
};

TEST_F(CmdReport, PrintsItsPartsInOrder) {
  Outcome o = RunReport({files_.Prefix()});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  size_t at = 0;
  for (const char *part : {"Command   java -cp shop.jar", "In short", "* DEADLOCK", "* Lock",
                           "* The Java threads used", "Methods by CPU", "Locks, worst", "Waits,",
                           "Threads:", "What is missing"}) {
    at = o.out.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << " in\n" << o.out;
  }
}

TEST_F(CmdReport, SupportsAFileNameAndTop) {
  EXPECT_EQ(RunReport({files_.Path(DUMP_SAMPLES)}).out, RunReport({files_.Prefix()}).out);
  for (std::vector<std::string> top : {std::vector<std::string>{"--top", "1"}, {"--top=1"}}) {
    top.push_back(files_.Prefix());
    Outcome o = RunReport(top);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("    and 3 more\n"), std::string::npos) << o.out;
  }
}

TEST_F(CmdReport, ADeadlockIsAnExitStatusIfTheUserAsks) {
  for (const char *format : {"--format=text", "--format=json"}) {
    Outcome o = RunReport({"--fail-if", "deadlock", format, files_.Prefix()});
    EXPECT_EQ(o.status, 4);
    EXPECT_EQ(o.out, RunReport({format, files_.Prefix()}).out);
  }
  EXPECT_EQ(RunReport({"--fail-if=deadlock", "--thread=main", files_.Prefix()}).status, 0)
      << "main is not in the ring";
  files_.Write(DUMP_EVENTS, "100.0000000000,ThreadStarted,00000001,main\n");
  EXPECT_EQ(RunReport({"--fail-if=deadlock", files_.Prefix()}).status, 0);
  Outcome o = RunReport({"--fail-if=frob", files_.Prefix()});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err, "orca: report: --fail-if takes deadlock, not frob; see orca report --help\n");
}

}  // namespace
