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

constexpr char kShort[] = "200.0000000099,ObjectWait,0000000C,2,900,500,1;00000001;FFFFFFFF";

TEST(CheckCounts, ReportsEachBrokenRuleOfShortCalls) {
  auto with_threshold = [](DumpFiles *files) {
    files->Replace(DUMP_INFO, "interval=20ms", "interval=20ms,threshold=500ns");
    files->Append(DUMP_COUNTS, std::string(kShort) + "\n");
  };
  ExpectRefusals(
      RULE_SHORT_EVENT, RULE_SHORT_LONG,
      {
          {RULE_SHORT_EVENT,
           "out.counts:4: a sum of ObjectWaited, which neither begins a call nor hands over a task "
           "or a "
           "thread\n",
           Line(DUMP_COUNTS, "200.0000000099,ObjectWaited,0000000C,2,900,500,0")},
          {RULE_SHORT_NONE, "out.counts:4: a sum of no short calls\n",
           Line(DUMP_COUNTS, "200.0000000099,ObjectWait,0000000C,0,0,0,0")},
          {RULE_SHORT_LONGEST,
           "out.counts:4: the longest of the short calls took longer than all together: 901 ns\n",
           Line(DUMP_COUNTS, "200.0000000099,ObjectWait,0000000C,2,900,901,0")},
          {RULE_SHORT_TOTAL,
           "out.counts:4: the short calls took longer than each of them can have taken: 901 ns\n",
           Line(DUMP_COUNTS, "200.0000000099,ObjectWait,0000000C,2,901,450,0")},
          {RULE_SHORT_LONG,
           "out.counts:4: a short call took 500 ns, which is not less than the threshold\n",
           with_threshold},
      });
}

// The rules of other lines that name an object, or have a stack.
TEST(CheckCounts, ChecksObjectsAndStacksOfShortCalls) {
  ExpectRefusals(RULE_COUNT_OBJECT, RULE_COUNT_OBJECT,
                 {{RULE_COUNT_OBJECT, "out.counts:4: the object 000000FF has no line in .objects\n",
                   Line(DUMP_COUNTS, "200.0000000099,ObjectWait,000000FF,1,2,2,0")}});
  ExpectRefusals(
      RULE_STACK_METHOD, RULE_STACK_TOP,
      {
          {RULE_STACK_METHOD,
           "out.counts:4: the method 000000FF of the stack has no line in .methods\n",
           Line(DUMP_COUNTS,
                "200.0000000099,ObjectWait,0000000C,1,2,2,2;00000001;FFFFFFFF;000000FF;00000000")},
          {RULE_STACK_TOP,
           "out.counts:4: the top frame of the stack is 00000009, not the tracked method\n",
           Line(DUMP_COUNTS, "200.0000000099,ObjectWait,0000000C,1,2,2,1;00000009;00000000")},
      });
}

TEST(CheckCounts, AcceptsSumsOfShortCalls) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_COUNTS,
               "200.0000000013,ObjectWait,0000000C,3,900,500,"
               "3;00000001;FFFFFFFF;00000009;00000000;00000000;00000000\n"
               "200.0000000014,ObjectWait,0000000C,2,1000,500,"
               "3;00000001;FFFFFFFF;00000009;00000000;00000000;00000000\n"
               "200.0000000015,ThreadSleep,00000000,1,0,0,0\n"
               "200.0000000016,TaskQueued,00000000,1,7,7,0\n"
               "200.0000000017,MethodEntry,00000000,9223372036854775807,9223372036854775807,1,"
               "1;00000009;00000000\n");
  EXPECT_EQ(Joined(Check(files).lines), "");
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
