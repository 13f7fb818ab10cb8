#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

class CmdThreads : public testing::Test {
 protected:
  CmdThreads() { WriteSmallDump(&files_); }
  Outcome RunThreads(std::vector<std::string> words) {
    words.insert(words.begin(), "threads");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_threads, words);
  }

  DumpFiles files_;
};

TEST_F(CmdThreads, PrintsStatesCallsAndTimeline) {
  Outcome o = RunThreads({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out.find("Threads: shares"), 0u) << o.out;
  size_t at = 0;
  for (const char *part :
       {"worker-1", "How often", "worker-1", "Timeline", "worker-1", "One character is "}) {
    at = o.out.find(part, at + 1);
    ASSERT_NE(at, std::string::npos) << part << " in\n" << o.out;
  }
}

TEST_F(CmdThreads, SaysWhereTheTimeOfShortCallsIs) {
  EXPECT_FALSE(Has(RunThreads({}).out, "told apart"));
  AddShortCalls(&files_);
  EXPECT_TRUE(Has(RunThreads({}).out,
                  "\nCalls shorter than 10ms are not told apart here. Their sums are in orca locks "
                  "and orca waits.\n"));
  EXPECT_FALSE(Has(RunThreads({"--thread=worker-1"}).out, "told apart"));
  files_.Write(DUMP_COUNTS, "102.0000000000,TaskQueued,000000A1,9,9000000,5000000,0\n");
  EXPECT_FALSE(Has(RunThreads({}).out, "told apart"));
}

TEST_F(CmdThreads, SupportsFiltersAndTop) {
  Outcome o = RunThreads({"--thread=main"});
  EXPECT_EQ(o.out.find("Shown     4 of 22 events, 0 of 7 samples match --thread main\n"), 0u);
  EXPECT_EQ(o.out.find("worker"), std::string::npos);
  EXPECT_NE(RunThreads({"--top=1"}).out.find("    and 3 more\n"), std::string::npos);
}

TEST_F(CmdThreads, PrintsCsvAndJson) {
  std::string csv = RunThreads({"--format=csv"}).out;
  EXPECT_EQ(csv.find("thread,hash,lived_ns,"), 0u);
  EXPECT_EQ(csv.find("Timeline"), std::string::npos);
  EXPECT_NE(RunThreads({"--format=json", "--thread=nobody"}).out.find(",\"threads\":[]}\n"),
            std::string::npos);
}

TEST_F(CmdThreads, AcceptsAnEmptyDump) {
  for (enum dump_file file : {DUMP_EVENTS, DUMP_SAMPLES, DUMP_INFO}) files_.Write(file, "");
  Outcome o = RunThreads({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "");
}

}  // namespace
