#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

class CmdLog : public testing::Test {
 protected:
  CmdLog() { WriteSmallDump(&files_); }
  Outcome RunLog(std::vector<std::string> words) {
    words.insert(words.begin(), "log");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_log, words);
  }

  DumpFiles files_;
};

TEST_F(CmdLog, PrintsALineForEachEvent) {
  Outcome o = RunLog({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(CountLines(o.out), 22);
  EXPECT_EQ(o.out.find("0.000000000   main "), 0u) << o.out;
}

TEST_F(CmdLog, PrintsTwoThreadsAroundAMoment) {
  Outcome o =
      RunLog({"--thread=worker-1", "--thread", "main", "--around", "5.2", "--within=400ms"});
  EXPECT_EQ(CountLines(o.out), 2);
  EXPECT_TRUE(Has(o.out, "5.000000000   worker-1          ObjectNotifyAll")) << o.out;
  EXPECT_TRUE(Has(o.out, "5.500000000   main              ObjectWaited")) << o.out;
}

TEST_F(CmdLog, SupportsTopAbsoluteAndStack) {
  EXPECT_EQ(CountLines(RunLog({"--top=3"}).out), 3);
  EXPECT_EQ(RunLog({"--absolute"}).out.find("100.0000000000      main"), 0u);
  EXPECT_TRUE(Has(RunLog({"--stack", "--lock=000000A1"}).out, "\n        at Inventory.reserve "));
}

TEST_F(CmdLog, PrintsCsvAndJson) {
  std::string csv = RunLog({"--format=csv", "--event=sleep"}).out;
  EXPECT_EQ(
      csv,
      "time_ns,timestamp,thread,thread_hash,event,object,object_hash,took_ns,owner,woken_by,"
      "state_before,state_after,method,thrown,cpu_ns,started_by,cause,cause_timestamp\n"
      "6000000000,106.0000000000,worker-1,00000002,ThreadSleep,,,,,,running,sleeping,,,,,,\n"
      "6500000000,106.5000000000,worker-1,00000002,ThreadSlept,,,500000000,,,sleeping,running,,"
      ",,,,\n");
  std::string json = RunLog({"--format=json", "--event=sleep"}).out;
  EXPECT_EQ(json.find("{\"schema\":2,\"source\":{\"prefix\":"), 0u) << json;
  EXPECT_TRUE(Has(json, ",\"events\":[{\"time_ns\":6000000000,")) << json;
  EXPECT_TRUE(Has(json, "}\n,{\"time_ns\":6500000000,")) << json;
  EXPECT_EQ(json.substr(json.size() - 4), "\n]}\n");
  EXPECT_TRUE(Has(RunLog({"--format=json", "--thread=nobody"}).out, ",\"events\":[]}\n"));
}

TEST_F(CmdLog, SaysThatNoThreadMatches) {
  Outcome o = RunLog({"--thread=worker-3"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err,
            "orca: log: no thread is worker-3; there are worker-1, worker-2, poller, main\n");
}

TEST_F(CmdLog, FailsWithBrokenLinesButPrintsTheRest) {
  files_.Append(DUMP_EVENTS, "rubbish\n109.5000000000,ThreadEnded,00000003\n");
  Outcome o = RunLog({});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(CountLines(o.out), 23);
  EXPECT_TRUE(Has(o.err, "out.orca:23: "));
}

TEST_F(CmdLog, RefusesWrongFilters) {
  EXPECT_EQ(RunLog({"--event", "Frob"}).status, 2);
  EXPECT_EQ(RunLog({"--around", "soon"}).status, 2);
}

}  // namespace
