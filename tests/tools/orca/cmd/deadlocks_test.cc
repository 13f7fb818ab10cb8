#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

bool Has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

class CmdDeadlocks : public testing::Test {
 protected:
  CmdDeadlocks() { WriteSmallDump(&files_); }
  Outcome Deadlocks(std::vector<std::string> words) {
    words.insert(words.begin(), "deadlocks");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_deadlocks, words);
  }

  DumpFiles files_;
};

TEST_F(CmdDeadlocks, BothStacksAndWhoWaits) {
  Outcome o = Deadlocks({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.find("Deadlocks (times: since the start of the recording)\n"), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "\nWho waits for a lock, or for a thread to end, at the end\n")) << o.out;
  EXPECT_TRUE(Has(o.out, "the end of worker-1")) << o.out;
}

TEST_F(CmdDeadlocks, AtAMoment) {
  Outcome o = Deadlocks({"--at", "1.25"});
  EXPECT_TRUE(Has(o.out, "or for a thread to end, at 1.25 s\n")) << o.out;
  EXPECT_TRUE(Has(o.out, "\nworker-1  com.acme.Inventory@000000A1  1.00 s  worker-2")) << o.out;
  files_.Replace(DUMP_INFO, "start.utc=2026-11-20T11:37:36.123456789Z\n", "");
  o = Deadlocks({"--at", "11:37:37"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err,
            "orca: deadlocks: the time 11:37:37: this dump does not tell at what time of day it "
            "began\n");
  o = Deadlocks({"--at", "soon"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(Has(o.err, "--at takes a time such as")) << o.err;
}

TEST_F(CmdDeadlocks, AtAMomentThatIsNotInTheRecording) {
  for (const char *time : {"10.5", "11:37:48", "111.0000000000"}) {
    Outcome o = Deadlocks({"--at", time});
    EXPECT_EQ(o.status, 2) << time;
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err.find(std::string("orca: deadlocks: the time ") + time +
                         " is after the end: the recording lasted 10.0 s"),
              0u)
        << o.err;
  }
  EXPECT_EQ(Deadlocks({"--at=100%"}).status, 0);
}

// A process that still hangs: no end keys, and the last line is being written.
TEST_F(CmdDeadlocks, WhileItHangs) {
  files_.Replace(DUMP_INFO, "end.monotonic=110.0000000000\nend.reason=exit\n", "");
  files_.Append(DUMP_EVENTS, "109.5000000000,MonitorConte");
  Outcome o = Deadlocks({});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(Has(o.out, "held by")) << o.out;
  EXPECT_TRUE(Has(o.out, "when the last line was written\n")) << o.out;
}

TEST_F(CmdDeadlocks, FiltersAndFormats) {
  EXPECT_TRUE(Has(Deadlocks({"--thread=main"}).out, "No deadlock"));
  Outcome o = Deadlocks({"--format=csv"});
  EXPECT_EQ(o.out.find("table,row,column,value\ndeadlocks,1,group,1\n"), 0u) << o.out;
  o = Deadlocks({"--format=json"});
  EXPECT_TRUE(Has(o.out, "\"owner\":\"worker-2\"")) << o.out;
}

TEST_F(CmdDeadlocks, WrongUse) {
  Outcome o = Deadlocks({"--nonsense"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(Has(o.err, "--nonsense")) << o.err;
  EXPECT_EQ(RunCommand(cmd_deadlocks, {"deadlocks"}).status, 2);
  EXPECT_EQ(RunCommand(cmd_deadlocks, {"deadlocks", "/nowhere/at-all"}).status, 2);
}

TEST_F(CmdDeadlocks, WithoutEvents) {
  files_.Write(DUMP_EVENTS, "");
  Outcome o = Deadlocks({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
}

TEST_F(CmdDeadlocks, BrokenLinesAreToldAndTheRestIsUsed) {
  files_.Append(DUMP_EVENTS, "rubbish\n");
  Outcome o = Deadlocks({});
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(Has(o.out, "worker-1")) << o.out;
}

}  // namespace
