#include "tools/orca/cmd/commands.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/two_runs.h"

namespace {

Outcome RunHtml(std::vector<std::string> args) {
  args.insert(args.begin(), "html");
  return RunCommand(cmd_html, args);
}

class CmdHtml : public testing::Test {
 protected:
  CmdHtml() { WriteSmallDump(&files_); }
  ~CmdHtml() override {
    unlink((files_.Prefix() + ".html").c_str());
    unlink((files_.Folder() + "/page").c_str());
  }

  DumpFiles files_;
};

TEST_F(CmdHtml, WritesThePage) {
  std::string name = files_.Folder() + "/page";
  Outcome o = RunHtml({files_.Prefix(), "-o", name});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out + o.err, "the page is " + name + "\n");
  EXPECT_EQ(ReadFile(name).find("<!doctype html>"), 0u);
  EXPECT_EQ(RunHtml({"-o=-", files_.Prefix()}).out, ReadFile(name));
}

TEST_F(CmdHtml, WritesToPrefixHtmlByDefault) {
  EXPECT_EQ(RunHtml({files_.Path(DUMP_INFO)}).status, 0);
  EXPECT_EQ(ReadFile(files_.Prefix() + ".html").find("<!doctype html>"), 0u);
}

TEST_F(CmdHtml, SupportsFilters) {
  Outcome o = RunHtml({"-o=-", "--thread", "main", files_.Prefix()});
  EXPECT_EQ(o.status, 0);
  EXPECT_NE(o.out.find("\"4 of 22 events, 0 of 7 samples match --thread main\""),
            std::string::npos);
  o = RunHtml({"--thread=nobody", files_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err.find("orca: html: no thread is nobody; there are "), 0u);
  EXPECT_NE(access((files_.Prefix() + ".html").c_str(), F_OK), 0);  // it made no page
}

class CmdHtmlOfTwo : public testing::Test {
 protected:
  CmdHtmlOfTwo() {
    WriteRun(&a_, {});
    WriteRun(&b_, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
  }
  ~CmdHtmlOfTwo() override { unlink((b_.Prefix() + ".diff.html").c_str()); }

  DumpFiles a_, b_;
};

TEST_F(CmdHtmlOfTwo, WritesOnePage) {
  Outcome o = RunHtml({a_.Prefix(), b_.Prefix()});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out + o.err, "the page is " + b_.Prefix() + ".diff.html\n");
  std::string page = ReadFile(b_.Prefix() + ".diff.html");
  EXPECT_NE(page.find("B uses 0.30 CPUs more than A"), std::string::npos);
  EXPECT_EQ(RunHtml({"-o=-", a_.Prefix(), b_.Prefix()}).out, page);
}

// As with orca diff, a thread that exists in one of the runs is a match.
TEST_F(CmdHtmlOfTwo, FailsOnlyIfNeitherRunMatches) {
  Outcome o = RunHtml({"--thread=worker-3", a_.Prefix(), b_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_NE(o.err.find("orca: html: " + a_.Prefix() + ": no thread is worker-3"), std::string::npos)
      << o.err;
  EXPECT_NE(o.err.find("orca: html: " + b_.Prefix() + ": no thread is worker-3"), std::string::npos)
      << o.err;
  EXPECT_NE(access((b_.Prefix() + ".diff.html").c_str(), F_OK), 0);
  a_.Append(DUMP_EVENTS, "109.9000000000,ThreadStarted,00000009,worker-3\n");
  o = RunHtml({"--thread=worker-3", "-o=-", a_.Prefix(), b_.Prefix()});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out.find("<!doctype html>"), 0u);
}

TEST_F(CmdHtmlOfTwo, RefusesToOverwriteEitherRecording) {
  for (const DumpFiles *files : {&a_, &b_}) {
    Outcome o = RunHtml({"-o", files->Path(DUMP_EVENTS), a_.Prefix(), b_.Prefix()});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("which is a file of the recording"), std::string::npos) << o.err;
  }
  EXPECT_EQ(RunHtml({"-o=-", a_.Prefix(), b_.Prefix()}).status, 0);
}

TEST_F(CmdHtml, HasNoFormats) {
  ExpectMisuses(cmd_html, "html", {{{"--format=json", "x"}, "there is no option --format=json"}});
}

}  // namespace
