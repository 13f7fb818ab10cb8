#include "tools/orca/cmd/run_files.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

TEST(RunFiles, AreWhatTheCommandsPrint) {
  DumpFiles files;
  WriteSmallDump(&files);
  std::string report = files.Folder() + "/r.txt", html = files.Folder() + "/r.html";
  EXPECT_TRUE(run_files_write(files.Prefix().c_str(), report.c_str(), html.c_str()));
  EXPECT_EQ(ReadFile(report), RunCommand(cmd_report, {"report", files.Prefix()}).out);
  EXPECT_EQ(ReadFile(html), RunCommand(cmd_html, {"html", "-o", "-", files.Prefix()}).out);
  std::filesystem::remove(report);
  std::filesystem::remove(html);
}

TEST(RunFiles, AreLeftOutIfNotWanted) {
  EXPECT_TRUE(run_files_write("/no/such/dump", nullptr, nullptr));
}

TEST(RunFiles, SaysWhatCannotBeWritten) {
  DumpFiles files;
  WriteSmallDump(&files);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(run_files_write(files.Prefix().c_str(), "/no/r.txt", "/no/r.html"));
  EXPECT_FALSE(run_files_write(files.Prefix().c_str(), files.Path(DUMP_EVENTS).c_str(), nullptr));
  EXPECT_FALSE(run_files_write("/no/such/dump", "/no/r.txt", nullptr));
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
