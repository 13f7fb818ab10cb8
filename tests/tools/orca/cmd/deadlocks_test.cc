#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

class CmdDeadlocks : public testing::Test {
 protected:
  CmdDeadlocks() { WriteSmallDump(&files_); }
  Outcome RunDeadlocks(std::vector<std::string> words) {
    words.insert(words.begin(), "deadlocks");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_deadlocks, words);
  }

  DumpFiles files_;
};

TEST_F(CmdDeadlocks, PrintsDeadlocksAndTheWaitGraph) {
  Outcome o = RunDeadlocks({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.find("Deadlocks (times: since the start of the recording)\n"), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "\nWho waits for a lock, or for a thread to end, at the end\n")) << o.out;
  EXPECT_TRUE(Has(o.out, "the end of worker-1")) << o.out;
}

TEST_F(CmdDeadlocks, PrintsTheWaitGraphOfAMoment) {
  Outcome o = RunDeadlocks({"--at", "1.25"});
  EXPECT_TRUE(Has(o.out, "or for a thread to end, at 1.25 s\n")) << o.out;
  EXPECT_TRUE(Has(o.out, "\nworker-1  com.acme.Inventory@000000A1  1.00 s  worker-2")) << o.out;
  files_.Replace(DUMP_INFO, "start.utc=2026-11-20T11:37:36.123456789Z\n", "");
  o = RunDeadlocks({"--at", "11:37:37"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err,
            "orca: deadlocks: the time 11:37:37 is a time of day, but .info has no start.utc\n");
  o = RunDeadlocks({"--at", "soon"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(Has(o.err, "--at takes a time such as")) << o.err;
}

// The owner of the lock ended without releasing it: no deadlock.
TEST_F(CmdDeadlocks, TellsThreadsThatDoNotGoOn) {
  files_.Write(DUMP_SAMPLES, "");
  files_.Write(DUMP_EVENTS,
               "100.0000000000,ThreadStarted,00000001,main\n"
               "100.0000000000,ThreadStarted,00000002,teller\n"
               "101.0000000000,LockAcquire,00000001,000000A6,00000002,1;00000011;00000000\n"
               "102.0000000000,ThreadEnded,00000002\n");
  std::string out = RunDeadlocks({}).out;
  EXPECT_TRUE(Has(out, "No deadlock")) << out;
  EXPECT_TRUE(Has(out, "\nThreads that do not go on\n* ")) << out;
  EXPECT_TRUE(Has(out, "teller, which ended 8.00 s ago")) << out;
}

TEST_F(CmdDeadlocks, RefusesAMomentAfterTheEnd) {
  for (const char *time : {"10.5", "11:37:48", "111.0000000000"}) {
    Outcome o = RunDeadlocks({"--at", time});
    EXPECT_EQ(o.status, 2) << time;
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err.find(std::string("orca: deadlocks: the time ") + time +
                         " is after the end: the recording lasted 10.0 s"),
              0u)
        << o.err;
  }
  EXPECT_EQ(RunDeadlocks({"--at=100%"}).status, 0);
}

// The JVM still runs: .info has no end keys, and the last line is incomplete.
TEST_F(CmdDeadlocks, PrintsADeadlockOfARunningJvm) {
  files_.Replace(DUMP_INFO, "end.monotonic=110.0000000000\nend.reason=exit\n", "");
  files_.Append(DUMP_EVENTS, "109.5000000000,MonitorConte");
  Outcome o = RunDeadlocks({});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(Has(o.out, "held by")) << o.out;
  EXPECT_TRUE(Has(o.out, "when the last line was written\n")) << o.out;
}

TEST_F(CmdDeadlocks, FailsIfAskedTo) {
  EXPECT_EQ(RunDeadlocks({"--fail-if=deadlock"}).status, 4);
  EXPECT_EQ(RunDeadlocks({"--fail-if=deadlock", "--format=json"}).status, 4);
  EXPECT_EQ(RunDeadlocks({"--fail-if=deadlock", "--thread=main"}).status, 0);
  EXPECT_EQ(RunDeadlocks({"--fail-if=frob"}).status, 2);
}

TEST_F(CmdDeadlocks, TheHelpHasTheStatusOfADeadlock) {
  EXPECT_TRUE(Has(RunDeadlocks({"--help"}).out, "4 with --fail-if"))
      << RunDeadlocks({"--help"}).out;
}

TEST_F(CmdDeadlocks, AFlushIsNoEnd) {
  files_.Replace(DUMP_INFO, "end.reason=exit", "end.reason=flush");
  std::string out = RunDeadlocks({}).out;
  EXPECT_TRUE(Has(out, "when the last line was written\n")) << out;
}

TEST_F(CmdDeadlocks, SupportsFiltersAndFormats) {
  EXPECT_TRUE(
      Has(RunDeadlocks({"--thread=main"}).out, "\nNo deadlock in what the filters select,"));
  Outcome o = RunDeadlocks({"--format=csv"});
  EXPECT_EQ(o.out.find("table,group,thread,waits_for,"), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "\ndeadlocks,1,")) << o.out;
  o = RunDeadlocks({"--format=json"});
  EXPECT_TRUE(Has(o.out, "\"owner\":\"worker-2\"")) << o.out;
}

}  // namespace
