#include "sampler/schedule.h"

#include "gtest/gtest.h"

namespace {

constexpr uint64_t kMs = 1000000;
constexpr double kBusy = 1;

TEST(Schedule, KeepsTheIntervalIfTheCostIsLow) {
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, kBusy, 0), 20 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, kBusy, 100000), 20 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, kBusy, 200000), 20 * kMs);  // exactly the budget
}

TEST(Schedule, WaitsLongerToKeepTheBudget) {
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, kBusy, 4 * kMs), 400 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.5, kBusy, 30 * kMs), 60 * kMs);
  EXPECT_NEAR(static_cast<double>(schedule_wait(20 * kMs, 0.0001, kBusy, 5 * kMs)), 50000.0 * kMs,
              1000);
}

TEST(Schedule, WaitsAtLeastTheCostAtABudgetOfOne) {
  EXPECT_EQ(schedule_wait(20 * kMs, 1, kBusy, 30 * kMs), 30 * kMs);
}

TEST(Schedule, TakesASmallPartOfWhatTheProcessUses) {
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 0.5, 10 * kMs), 1000 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 0.25, 10 * kMs), 2000 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.1, 0.25, 10 * kMs), 200 * kMs) << "as the user has asked for";
}

TEST(Schedule, WaitsAFewSecondsAtMostBecauseTheProcessIsIdle) {
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 0.001, 10 * kMs), 5000 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 0, 10 * kMs), 5000 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, -1, 10 * kMs), 5000 * kMs) << "a clock that went back";
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 0.1, 70 * kMs), 7000 * kMs) << "the budget alone";
  EXPECT_EQ(schedule_wait(9000 * kMs, 0.01, 0, 10 * kMs), 9000 * kMs) << "the interval alone";
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 0, 0), 20 * kMs) << "a tick that costs nothing";
}

}  // namespace
