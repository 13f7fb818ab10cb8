#include "tests/support/check_dump.h"

namespace {

TEST(CheckCounts, ReportsEachBrokenRule) {
  ExpectRefusals(
      RULE_COUNT_EVENT, RULE_COUNT_LESS,
      {
          {RULE_COUNT_EVENT,
           "out.counts:4: SemaphoreAcquire is not an end event; only end events are counted\n",
           Line(DUMP_COUNTS, "200.0000000099,SemaphoreAcquire,0000000D,1")},
          {RULE_COUNT_EVENT,
           "out.counts:4: LockAcquireFailed is not an end event; only end events are counted\n",
           Line(DUMP_COUNTS, "200.0000000099,LockAcquireFailed,0000000D,1")},
          {RULE_COUNT_OBJECT, "out.counts:4: the object 000000FF has no line in .objects\n",
           Line(DUMP_COUNTS, "200.0000000099,LockAcquired,000000FF,1")},
          {RULE_COUNT_LESS, "out.counts:4: the count of the object 0000000D is lower than before\n",
           Line(DUMP_COUNTS, "200.0000000099,SemaphoreAcquired,0000000D,2")},
      });
}

TEST(CheckCounts, RequiresStrictlyAscendingTimestamps) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_COUNTS, "200.0000000012,LockAcquired,0000000D,1\n");
  EXPECT_EQ(Joined(Check(files).lines),
            "out.counts:4: the timestamp is not later than that of the line before\n");
}

TEST(CheckCounts, CountsEachPairOfEventAndObjectSeparately) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_COUNTS,
               "200.0000000013,LockAcquired,0000000D,1\n"
               "200.0000000014,SemaphoreAcquired,0000000C,1\n");
  Found found = Check(files);
  EXPECT_EQ(Joined(found.lines), "");
  EXPECT_EQ(found.totals.lines[DUMP_COUNTS], 5u);
}

}  // namespace
