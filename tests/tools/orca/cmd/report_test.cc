#include "tools/orca/cmd/report.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

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

TEST_F(CmdReport, IsBriefForPrograms) {
  std::string text = RunReport({"--brief", files_.Prefix()}).out;
  size_t deadlock = text.find("\n* DEADLOCK: "), next = text.rfind("\nNext: deadlocks (");
  ASSERT_NE(deadlock, std::string::npos) << text;
  EXPECT_EQ(text[text.find('\n', deadlock + 1) - 1], '.') << "a paragraph is one line: " << text;
  ASSERT_NE(next, std::string::npos) << text;
  EXPECT_EQ(text.find('\n', next + 1), text.size() - 1) << "the last line: " << text;
  EXPECT_EQ(text.find("\nSampled "), std::string::npos) << text;
  std::string json = RunReport({"--brief", "--format=json", files_.Prefix()}).out;
  EXPECT_EQ(json.find("Next: "), std::string::npos) << json;
  std::string filtered = RunReport({"--brief", "--thread=main", files_.Prefix()}).out;
  EXPECT_NE(filtered.find("\nShown "), std::string::npos) << filtered;
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

// The thread main waited for A1 for 1 ms, and worker-1 for A2 for 8 s.
TEST_F(CmdReport, ALockWithHardlyAnyTimeOnThePathHasNoSentence) {
  files_.Write(DUMP_SAMPLES, "");
  files_.Write(
      DUMP_EVENTS,
      "100.0000000000,ThreadStarted,00000001,main\n"
      "100.0000000000,ThreadStarted,00000002,worker-1\n"
      "100.0000000000,ThreadSleep,00000001,1;00000003;FFFFFFFF\n"
      "101.0000000000,ThreadSlept,00000001,1;00000003;FFFFFFFF\n"
      "101.0000000000,MonitorContendedEnter,00000001,000000A1,00000003,1;00000012;00000000\n"
      "101.0010000000,MonitorContendedEntered,00000001,000000A1,1;00000012;00000000\n"
      "101.0010000001,ThreadSleep,00000001,1;00000003;FFFFFFFF\n"
      "102.0000000000,MonitorContendedEnter,00000002,000000A2,00000003,1;00000010;00000000\n"
      "105.0000000000,ThreadSlept,00000001,1;00000003;FFFFFFFF\n"
      "105.0000000001,ThreadSleep,00000001,1;00000012;00000000\n"
      "109.9000000000,ThreadSlept,00000001,1;00000012;00000000\n"
      "109.9000000001,ThreadEnded,00000001\n");
  std::string text = RunReport({files_.Prefix()}).out;
  EXPECT_NE(text.find("    not on the critical path"), std::string::npos) << text;
  EXPECT_NE(text.find("\n* Monitor in OrderService.price:88 (Object@000000A2): worker-1 was"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("\n* Lock com.acme.Inventory@000000A1"), std::string::npos) << text;
}

TEST_F(CmdReport, ADeadlockOfOneRecordingIsTheExitStatusOfAll) {
  const std::string missing = files_.Folder() + "/missing", found = files_.Prefix();
  EXPECT_EQ(RunReport({"--fail-if=deadlock", missing, found}).status, 4);
  EXPECT_EQ(RunReport({"--fail-if=deadlock", found, missing}).status, 4);
  EXPECT_EQ(RunReport({missing, found}).status, 2);
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
  EXPECT_TRUE(Has(RunReport({"--help"}).out, "4 with --fail-if"));
  Outcome o = RunReport({"--fail-if=frob", files_.Prefix()});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err, "orca: report: --fail-if takes deadlock, not frob; see orca report --help\n");
}

// --- files ---

TEST(RunFiles, AreWhatTheCommandsPrint) {
  DumpFiles files;
  WriteSmallDump(&files);
  std::string report = files.Folder() + "/r.txt", html = files.Folder() + "/r.html";
  EXPECT_TRUE(report_write_files(files.Prefix().c_str(), report.c_str(), html.c_str()));
  EXPECT_EQ(ReadFile(report), RunCommand(cmd_report, {"report", files.Prefix()}).out);
  EXPECT_EQ(ReadFile(html), RunCommand(cmd_html, {"html", "-o", "-", files.Prefix()}).out);
  std::filesystem::remove(report);
  std::filesystem::remove(html);
}

TEST(RunFiles, AreLeftOutIfNotWanted) {
  EXPECT_TRUE(report_write_files("/no/such/dump", nullptr, nullptr));
}

TEST(RunFiles, SaysWhatCannotBeWritten) {
  DumpFiles files;
  WriteSmallDump(&files);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(report_write_files(files.Prefix().c_str(), "/no/r.txt", "/no/r.html"));
  EXPECT_FALSE(
      report_write_files(files.Prefix().c_str(), files.Path(DUMP_EVENTS).c_str(), nullptr));
  EXPECT_FALSE(report_write_files("/no/such/dump", "/no/r.txt", nullptr));
  std::string err = testing::internal::GetCapturedStderr();
  EXPECT_EQ(err.find("orca: run: cannot write /no/r.txt: No such file or directory\n"
                     "orca: run: cannot write /no/r.html: No such file or directory\n"),
            0u)
      << err;
  EXPECT_NE(err.find("which is a file of the recording\norca: no recording at /no/such/dump"),
            std::string::npos)
      << err;
}

}  // namespace
