#include "tools/orca/budget/measure/measure.h"

#include "tests/tools/orca/budget/measure/measured.h"

namespace {

TEST_F(Measured, SaysWhatTheRecordingLeavesOut) {
  Measure();
  EXPECT_STREQ(figures_.unproven[BUDGET_ORDER],
               "lock orders need the options monitors=all,filter=YOUR.CLASSES.* or locks=all");
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) {
    EXPECT_EQ(figures_.unproven[kind] != nullptr, kind == BUDGET_ORDER) << kind;
  }
  EXPECT_EQ(figures_.scale, 1000u);
  EXPECT_TRUE(Keys(BUDGET_LOST).empty());
}

TEST_F(Measured, AllUsesOfLocksProveTheirOrder) {
  SetOptions("locks=all");
  Measure();
  EXPECT_EQ(figures_.unproven[BUDGET_ORDER], nullptr);
}

TEST_F(Measured, OtherEventsProveLess) {
  small_.files.Replace(DUMP_INFO, "events=all", "events=lock+wait");
  small_.files.Write(DUMP_SAMPLES, "");
  Measure();
  EXPECT_STREQ(figures_.unproven[BUDGET_LOCK], "monitors were not recorded");
  EXPECT_STREQ(figures_.unproven[BUDGET_BLOCKED], "monitors were not recorded");
  EXPECT_STREQ(figures_.unproven[BUDGET_VALUE], "monitors were not recorded");
  EXPECT_STREQ(figures_.unproven[BUDGET_SLEEP], "sleeps were not recorded");
  EXPECT_STREQ(figures_.unproven[BUDGET_IO], "I/O needs samples of the threads");
  EXPECT_EQ(figures_.unproven[BUDGET_LOST], nullptr);
}

TEST_F(Measured, CountsLostEvents) {
  small_.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=12\nmemory.failed=2");
  Measure();
  EXPECT_EQ(Only(BUDGET_LOST).number, 14u);
  EXPECT_NE(figures_.unproven[BUDGET_UNHEARD], nullptr);
}

// The Java threads used 1 s of CPU time, and waited 1.5 s for a CPU.
TEST_F(Measured, ScalesByTheWaitForACpu) {
  small_.files.Append(DUMP_SAMPLES,
                      "106.0000000000,Process,2000000000,-1\n"
                      "106.0000000000,Sched,00000002,1500000000\n");
  Measure();
  EXPECT_EQ(figures_.scale, 2500u);
}

}  // namespace
