#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

class CmdPath : public testing::Test {
 protected:
  CmdPath() { WriteSmallDump(&files_); }
  Outcome RunPath(std::vector<std::string> words) {
    words.insert(words.begin(), "path");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_path, words);
  }

  DumpFiles files_;
};

// No thread main ended, so it is the path of worker-1, which used the most CPU time. It ends
// blocked on A1, whose owner waits for a lock of worker-1: nobody ends that.
TEST_F(CmdPath, PrintsThePathOfTheBusiestThread) {
  Outcome o = RunPath({});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(Has(o.out, "* What the end of worker-1 waited for, in the 9.90 s up to it: "))
      << o.out;
  EXPECT_TRUE(Has(o.out, "waits for the lock; its owner is not known")) << o.out;
  EXPECT_TRUE(Has(o.out, "  500 ms  sleeps ")) << o.out;
  EXPECT_TRUE(Has(o.out, "\nLocks on the path")) << o.out;
  EXPECT_TRUE(Has(o.out, "com.acme.Inventory@000000A1")) << o.out;
}

TEST_F(CmdPath, TakesThreadAndTimeFromTheFilter) {
  Outcome o = RunPath({"--thread=main", "--from=4.0", "--to=6.0"});
  EXPECT_TRUE(Has(o.out, "* What the end of main waited for, in the 2.00 s up to it: ")) << o.out;
  // worker-1 notified main after a second
  EXPECT_TRUE(Has(o.out, "is woken, but does not run yet")) << o.out;
}

// The main of a server waits for requests all the time.
TEST_F(CmdPath, SaysThatMainServes) {
  const std::string note =
      "\nThread main waited for events from outside, so this is the thread that used";
  const std::vector<std::string> part = {"--from=4.0", "--to=5.5"};
  EXPECT_FALSE(Has(RunPath(part).out, note));
  for (int i = 0; i < 2; i++) {  // ObjectWait, ObjectWaited
    files_.Replace(DUMP_EVENTS, "000000A2,2;00000001;FFFFFFFF;00000011;",
                   "000000A2,3;00000001;FFFFFFFF;00000014;FFFFFFFF;00000011;");
  }
  Outcome o = RunPath(part);
  EXPECT_TRUE(Has(o.out, note)) << o.out;
  EXPECT_TRUE(Has(o.out, "* What the end of worker-1 waited for")) << o.out;
  EXPECT_FALSE(Has(RunPath({"--from=4.0", "--to=5.5", "--thread=main"}).out, note));
}

TEST_F(CmdPath, WritesCsvAndJson) {
  EXPECT_EQ(RunPath({"--format=csv"}).out.find("table,time_ns,reason,place,lock\npath,"), 0u)
      << RunPath({"--format=csv"}).out;
  EXPECT_TRUE(Has(RunPath({"--format=json"}).out, ",\"path\":[{\"time_ns\":"));
}

TEST_F(CmdPath, PrintsThePathsOfCalls) {
  files_.Append(DUMP_EVENTS,
                "109.1000000000,MethodEntry,00000003,1;00000010;00000000\n"
                "109.6000000000,MethodExit,00000003,00000000,-1,1;00000010;00000000\n");
  Outcome o = RunPath({"--calls=price"});
  EXPECT_TRUE(Has(o.out, "\nThe slowest calls\n* 1 call of 500 ms to 500 ms: ")) << o.out;
  EXPECT_TRUE(Has(RunPath({"--calls=price", "--format=json"}).out, "\"slowest_calls\":["));
}

TEST_F(CmdPath, SaysThatTheMethodWasNotTracked) {
  Outcome o = RunPath({"--calls=price"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out,
            "No complete call of such a method was recorded: the option track names the methods to "
            "record.\n");
}

TEST_F(CmdPath, SaysWhatCanBeWrong) {
  files_.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=5");
  EXPECT_TRUE(Has(RunPath({}).out, "\nEvents were dropped, so the path can be wrong.\n"));
}

TEST_F(CmdPath, SaysThatShortWaitsAreOnlySums) {
  files_.Replace(DUMP_INFO, "events=all", "events=all,threshold=10ms");
  EXPECT_TRUE(Has(RunPath({}).out, "\nShort waits were not recorded (option threshold); they "));
  files_.Append(DUMP_COUNTS, "102.0000000000,ThreadSleep,00000000,9,2000000,800000,0\n");
  EXPECT_TRUE(Has(RunPath({}).out,
                  "\nShort waits were not recorded one by one (option threshold); they count as "
                  "running.\n"));
  files_.Append(DUMP_INFO, "change=100.0000000000,105.0000000000,set,threshold=0\n");
  EXPECT_TRUE(Has(RunPath({}).out,
                  "\nShort waits were not recorded one by one all the time (option threshold); "
                  "those that are missing count as running.\n"));
}

}  // namespace
