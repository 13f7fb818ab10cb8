#include "tests/support/check_dump.h"

namespace {

// Adds sums of five short calls, and the number of pairs that were left out.
void AddShortCalls(DumpFiles *files, int pairs) {
  files->Append(DUMP_COUNTS,
                "200.0000000013,ObjectWait,0000000C,3,900,500,0\n"
                "200.0000000014,ThreadSleep,00000000,2,900,500,0\n");
  files->Append(DUMP_INFO, "threshold.pairs=" + std::to_string(pairs) + "\n");
}

TEST(CheckInfo, ReportsEachBrokenRule) {
  ExpectRefusals(
      RULE_INFO_KEY_SPELLING, RULE_INFO_SHORT,
      {
          {RULE_INFO_KEY_SPELLING,
           "out.info:16: a key contains a character other than letters, digits, '.', '_' and '-'\n",
           Line(DUMP_INFO, "a key=1")},
          {RULE_INFO_KEY_MISSING, "out.info: keys are missing: start.utc\n",
           Replaced(DUMP_INFO, "start.utc=2026-11-20T11:37:36.123456789Z\n", "")},
          {RULE_INFO_END_MISSING, "out.info: keys of the end are missing: end.reason\n",
           Replaced(DUMP_INFO, "end.reason=exit\n", "")},
          {RULE_INFO_VALUE, "out.info:3: the value of pid is malformed\n",
           Replaced(DUMP_INFO, "pid=4711", "pid=4711x")},
          {RULE_INFO_VALUE, "out.info:8: the value of start.utc is malformed\n",
           Replaced(DUMP_INFO, "T11:37:36.123456789Z", "T11:37:36Z")},
          {RULE_INFO_VALUE, "out.info:7: the value of start.monotonic is malformed\n",
           Replaced(DUMP_INFO, "start.monotonic=99.0000000000", "start.monotonic=99")},
          {RULE_INFO_EVENTS, "out.info: events.written is not the number of lines in .orca, 21\n",
           Replaced(DUMP_INFO, "events.written=21", "events.written=22")},
          {RULE_INFO_SAMPLES,
           "out.info: samples.written is not the number of samples in .samples, 5\n",
           Replaced(DUMP_INFO, "samples.written=5", "samples.written=10")},
          {RULE_INFO_SHORT,
           "out.info: threshold.pairs is not the number of short calls in .counts, 5\n",
           [](DumpFiles *files) { AddShortCalls(files, 6); }},
      });
}

TEST(CheckInfo, ListsAllMissingKeys) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Write(DUMP_INFO, "");
  EXPECT_EQ(
      Joined(Check(files).lines),
      "out.info: keys are missing: format, orca.version, pid, java.version, command, options, "
      "start.monotonic, start.utc\n");
}

// A flush writes the numbers of that time. The recording continues.
TEST(CheckInfo, AcceptsMoreEventsThanAFlushCounted) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=flush");
  files.Replace(DUMP_INFO, "events.written=21", "events.written=20");
  EXPECT_EQ(Joined(Check(files).lines), "");
  files.Replace(DUMP_INFO, "events.written=20", "events.written=22");
  EXPECT_NE(Joined(Check(files).lines), "");
}

TEST(CheckInfo, WantsTheSumsOfAllShortCallsOfARecordingThatIsWhole) {
  DumpFiles files;
  WriteGoodDump(&files);
  AddShortCalls(&files, 5);
  EXPECT_EQ(Joined(Check(files).lines), "");
  files.Replace(DUMP_INFO, "threshold.pairs=5", "threshold.pairs=6");
  EXPECT_NE(Joined(Check(files).lines), "");
  for (const char *reason : {"flush", "snapshot", "error"}) {
    SCOPED_TRACE(reason);
    DumpFiles part;
    WriteGoodDump(&part);
    AddShortCalls(&part, 6);
    part.Replace(DUMP_INFO, "end.reason=exit", std::string("end.reason=") + reason);
    EXPECT_EQ(Joined(Check(part).lines), "");
  }
  files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

// Older agents have left out pairs without a sum.
TEST(CheckInfo, AcceptsPairsWithoutAnySum) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_INFO, "threshold.pairs=6\n");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckInfo, UsesTheLastValueOfAKey) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Replace(DUMP_INFO, "events.written=21", "events.written=7");
  files.Append(DUMP_INFO, "events.written=21\n");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

}  // namespace
