#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

class CmdHot : public testing::Test {
 protected:
  CmdHot() { WriteSmallDump(&files_); }
  Outcome RunHot(std::vector<std::string> words) {
    words.insert(words.begin(), "hot");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_hot, words);
  }

  DumpFiles files_;
};

TEST_F(CmdHot, PrintsMethodsByCpuTime) {
  Outcome o = RunHot({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.find("Methods by CPU time, 1.00 s in all"), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "\n69 %  690 ms   99 %  990 ms  OrderService.price")) << o.out;
}

TEST_F(CmdHot, PrintsMethodsByOtherTimes) {
  EXPECT_TRUE(Has(RunHot({"--blocked"}).out, "54 %  2.75 s   54 %  2.75 s  Inventory.reserve"));
  EXPECT_TRUE(Has(RunHot({"--waits"}).out, "60 %  3.00 s   60 %  3.00 s  Thread.join"));
  EXPECT_EQ(RunHot({"--wall"}).out.find("Methods by time of the clock, by the samples, 23.0 s"),
            0u);
}

TEST_F(CmdHot, SaysWhereTheTimeOfShortCallsIs) {
  const char kWords[] = "Calls shorter than 10ms are not told apart here. Their sums are in orca ";
  EXPECT_FALSE(Has(RunHot({"--blocked"}).out, "told apart"));
  AddShortCalls(&files_);
  EXPECT_TRUE(Has(RunHot({"--blocked"}).out, kWords));
  EXPECT_TRUE(Has(RunHot({"--waits", "--tree"}).out, kWords));
  EXPECT_FALSE(Has(RunHot({}).out, "told apart"));
  EXPECT_FALSE(Has(RunHot({"--blocked", "--format=csv"}).out, "told apart"));
  files_.Write(DUMP_EVENTS, "");
  EXPECT_FALSE(Has(RunHot({"--blocked"}).out, "The recording contains no"));
}

// Sums of other calls, and those that the filter leaves out, do not hide that there is nothing.
TEST_F(CmdHot, SaysThatThereIsNothingIfOtherCallsHaveSums) {
  AddShortCalls(&files_);
  std::string out = RunHot({"--blocked", "--thread=poller"}).out;
  EXPECT_FALSE(Has(out, "told apart")) << out;
  EXPECT_TRUE(Has(out, "\nThe recording contains no time until they had a lock.\n")) << out;
  files_.Write(DUMP_EVENTS, "");
  files_.Write(DUMP_COUNTS,
               "102.0000000000,TaskQueued,000000A1,9,9000000,5000000,0\n"
               "102.0000000001,MethodEntry,00000000,9,9000000,5000000,0\n"
               "102.0000000002,ThreadSleep,00000000,9,9000000,5000000,0\n");
  EXPECT_EQ(RunHot({"--blocked"}).out, "The recording contains no time until they had a lock.\n");
  EXPECT_EQ(RunHot({"--waits"}).out,
            "Calls shorter than 10ms are not told apart here. Their sums are in orca waits.\n");
}

TEST_F(CmdHot, TakesOneValueAtATime) {
  Outcome o = RunHot({"--wall", "--blocked"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err,
            "orca: hot: --cpu, --wall, --blocked and --waits exclude each other: one was given "
            "before --blocked; see orca hot --help\n");
  EXPECT_EQ(RunHot({"--cpu", "--waits"}).status, 2);
  EXPECT_EQ(RunHot({"--waits", "--waits"}).out, RunHot({"--waits"}).out);
}

TEST_F(CmdHot, PrintsTreesAndThreads) {
  EXPECT_EQ(RunHot({"--tree"}).out.find("Calls by CPU time"), 0u);
  EXPECT_TRUE(Has(RunHot({"--tree", "--by-thread"}).out, "thread worker-1\n"));
  EXPECT_EQ(RunHot({"--by-thread"}).out.find("Threads by CPU time"), 0u);
  EXPECT_EQ(RunHot({"--callers", "get"}).out.find("Callers by CPU time, 300 ms"), 0u);
  EXPECT_FALSE(Has(RunHot({"--tree", "--least", "35%"}).out, "HashMap.get"));
}

TEST_F(CmdHot, FailsForCallersOfAMissingMethod) {
  Outcome o = RunHot({"--callers", "gett"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err.find("orca: hot: no method is gett; there are HashMap.get, "), 0u) << o.err;
  o = RunHot({"--callers", "gett", "--format=json"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out.find("{"), 0u);
  o = RunHot({"--callers", "reserve"});  // exists, but uses no CPU time
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
}

TEST_F(CmdHot, SupportsFiltersAndFormats) {
  EXPECT_EQ(RunHot({"--thread=worker-2", "--waits"}).out,
            "Shown     6 of 22 events, 2 of 7 samples match --thread worker-2\n\n"
            "The recording contains no time in waits, sleeps, joins, parks.\n");
  EXPECT_EQ(RunHot({"--format=csv", "--top=1", "--blocked"}).out,
            "self_ns,total_ns,method,class,hottest_line,main_caller,native_ns,jvm_ns,classes\n"
            "2750000000,2750000000,Inventory.reserve,com.acme.Inventory,Inventory.java:42,"
            "OrderService.run,0,0,1\n");
}

TEST_F(CmdHot, SortsByTotalOrSelf) {
  std::string out = RunHot({"--sort", "total"}).out;
  EXPECT_LT(out.find("  OrderService.price  "), out.find("  OrderService.run  ")) << out;
  EXPECT_LT(out.find("  OrderService.run  "), out.find("  HashMap.get  ")) << out;
  out = RunHot({"--sort=self"}).out;
  EXPECT_LT(out.find("  HashMap.get  "), out.find("  OrderService.run  ")) << out;
  Outcome o = RunHot({"--sort", "name"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(Has(o.err, "hot: --sort takes self or total, not name")) << o.err;
}

TEST_F(CmdHot, RefusesWrongShares) {
  for (const char *share : {"x", "1", "101%", "-1%"}) {
    ExpectMisuses(cmd_hot, "hot",
                  {{{"--least", share, "x"},
                    std::string("--least takes a share such as 0.1%, not ") + share}});
  }
}

}  // namespace
