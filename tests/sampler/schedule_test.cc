#include "sampler/schedule.h"

#include "gtest/gtest.h"

namespace {

constexpr uint64_t kMs = 1000000;

TEST(Schedule, KeepsTheIntervalIfTheCostIsLow) {
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 0), 20 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 100000), 20 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 200000), 20 * kMs);  // exactly the budget
}

TEST(Schedule, WaitsLongerToKeepTheBudget) {
  EXPECT_EQ(schedule_wait(20 * kMs, 0.01, 4 * kMs), 400 * kMs);
  EXPECT_EQ(schedule_wait(20 * kMs, 0.5, 30 * kMs), 60 * kMs);
  EXPECT_NEAR(static_cast<double>(schedule_wait(20 * kMs, 0.0001, 5 * kMs)), 50000.0 * kMs, 1000);
}

TEST(Schedule, WaitsAtLeastTheCostAtABudgetOfOne) {
  EXPECT_EQ(schedule_wait(20 * kMs, 1, 30 * kMs), 30 * kMs);
}

}  // namespace
