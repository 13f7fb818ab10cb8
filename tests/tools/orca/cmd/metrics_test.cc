#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

class CmdMetrics : public testing::Test {
 protected:
  CmdMetrics() { WriteSmallDump(&files_); }
  Outcome Run(std::vector<std::string> words) {
    words.insert(words.begin(), "metrics");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_metrics, words);
  }

  DumpFiles files_;
};

TEST_F(CmdMetrics, PrintsTheRecording) {
  Outcome o = Run({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_TRUE(Has(o.out, "\norca_deadlocks 1\n")) << o.out;
  EXPECT_TRUE(Has(o.out, "site=\"Inventory.reserve:42\"} 2.750000000\n")) << o.out;
}

TEST_F(CmdMetrics, ReplacesAFile) {
  std::string file = files_.Folder() + "/orca.prom";
  std::ofstream(file) << "old";
  Outcome o = Run({"--follow", "--label", "service=shop", "--label=zone=a\"b", "-o", file});
  EXPECT_EQ(o.status, 0) << o.err;  // the recording has ended, so this ends too
  EXPECT_EQ(o.out, "");
  const std::string text = ReadFile(file);
  EXPECT_TRUE(Has(text, "\norca_deadlocks{service=\"shop\",zone=\"a\\\"b\"} 1\n")) << text;
  struct stat st;
  ASSERT_EQ(stat(file.c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0644u);
  size_t num_files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(files_.Folder()))
    num_files += Has(entry.path().filename().string(), "orca.prom");
  EXPECT_EQ(num_files, 1u);  // no temporary file is left
  std::filesystem::remove(file);
}

TEST_F(CmdMetrics, RefusesWrongWords) {
  EXPECT_EQ(Run({"-o", files_.Folder() + "/missing/orca.prom"}).err,
            "orca: metrics: cannot write " + files_.Folder() +
                "/missing/orca.prom: No such file or directory\n");
  for (const char *label : {"service", "=shop", "9a=b", "class=a", "site=a", "state=x", "a-b=c"}) {
    Outcome o = Run({"--label", label});
    EXPECT_EQ(o.status, 2) << label;
    EXPECT_TRUE(Has(o.err, std::string("and state, not ") + label + ";")) << o.err;
  }
  ExpectMisuses(cmd_metrics, "metrics",
                {{{"--every", "x"}, "--every takes a number of seconds from 1, not x"}});
}

}  // namespace
