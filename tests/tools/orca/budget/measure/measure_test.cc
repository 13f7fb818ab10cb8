#include "tools/orca/budget/measure/measure.h"

#include "tests/tools/orca/budget/measure/measured.h"

namespace {

TEST_F(Measured, SaysWhatTheRecordingLeavesOut) {
  Measure();
  EXPECT_STREQ(figures_.unproven[BUDGET_ORDER],
               "lock orders need the options monitors=all,filter=YOUR.CLASSES.* and locks=all");
  EXPECT_STREQ(figures_.unproven[BUDGET_VALUE],
               "without the options monitors=all,filter=YOUR.CLASSES.* only values that threads "
               "wait for are seen");
  for (enum budget_kind kind : {BUDGET_SLEEP, BUDGET_IO}) {
    EXPECT_STREQ(figures_.unproven[kind],
                 "without the options monitors=all,filter=YOUR.CLASSES.* it is seldom certain how "
                 "long a monitor is held");
  }
  for (enum budget_kind kind :
       {BUDGET_LOST, BUDGET_DEADLOCK, BUDGET_UNHEARD, BUDGET_BLOCKED, BUDGET_LOCK}) {
    EXPECT_EQ(figures_.unproven[kind], nullptr) << kind;
  }
  EXPECT_EQ(figures_.scale, 1000u);
  EXPECT_TRUE(Keys(BUDGET_LOST).empty());
}

TEST_F(Measured, AllUsesOfOneSortProveNothingAboutTheOther) {
  SetOptions("locks=all");
  Measure();
  EXPECT_STREQ(figures_.unproven[BUDGET_ORDER],
               "orders of monitors need the options monitors=all,filter=YOUR.CLASSES.*");
  figures_free(&figures_);
  small_.files.Replace(DUMP_INFO, "locks=all", "monitors=all,filter=com.acme.*");
  Measure();
  EXPECT_STREQ(figures_.unproven[BUDGET_ORDER],
               "orders of locks of java.util.concurrent need the option locks=all");
  EXPECT_EQ(figures_.unproven[BUDGET_VALUE], nullptr);
}

TEST_F(Measured, AllUsesProveAllOrders) {
  SetOptions("monitors=all,locks=all,filter=com.acme.*");
  Measure();
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) {
    EXPECT_EQ(figures_.unproven[kind], nullptr) << kind;
  }
}

// As with a name that is not spelled right.
TEST_F(Measured, AFilterThatSelectsNothingProvesNothing) {
  SetOptions("monitors=all,locks=all,filter=com.acne.*+!com.acme.Cart");
  Measure();
  for (enum budget_kind kind : {BUDGET_ORDER, BUDGET_VALUE, BUDGET_SLEEP, BUDGET_IO}) {
    EXPECT_STREQ(figures_.unproven[kind],
                 "the option filter selects no class that was seen, so uses of monitors were not "
                 "recorded");
  }
  EXPECT_EQ(figures_.unproven[BUDGET_LOCK], nullptr);
  figures_free(&figures_);
  small_.files.Replace(DUMP_INFO, "com.acne.*", "@com.acne.Guarded");
  Measure();
  EXPECT_EQ(figures_.unproven[BUDGET_ORDER], nullptr) << "annotations are not known";
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
