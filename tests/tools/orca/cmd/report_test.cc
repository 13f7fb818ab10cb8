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

TEST_F(CmdReport, FailsWithABrokenDumpButPrintsTheReport) {
  files_.Append(DUMP_EVENTS, "rubbish\n");
  Outcome o = RunReport({files_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_NE(o.out.find("* The Java threads used 1.00 s of CPU time"), std::string::npos);
  EXPECT_NE(o.out.find(".orca:23: "), std::string::npos) << o.out;
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

TEST_F(CmdReport, PrintsTheUsage) {
  Outcome o = RunReport({"--help"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.find("usage: orca report"), 0u);
  EXPECT_EQ(o.err, "");
}

TEST_F(CmdReport, RefusesWrongUse) {
  const struct {
    std::vector<std::string> args;
    const char *says;
  } cases[] = {{{}, "PREFIX is missing"},
               {{"--top"}, "--top"},
               {{"--top", "0", "x"}, "--top takes a number from 1, not 0"},
               {{"--top=many", "x"}, "not many"},
               {{"--frob", "x"}, "--frob"},
               {{"x", "y"}, "not also y"},
               {{"/no/such/dump"}, "/no/such/dump"}};
  for (const auto &c : cases) {
    Outcome o = RunReport(c.args);
    EXPECT_EQ(o.status, 2) << c.says;
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err.find("orca: "), 0u) << o.err;
    EXPECT_NE(o.err.find(c.says), std::string::npos) << o.err;
  }
}

}  // namespace
