#include "tools/orca/model/bounds.h"

#include "gtest/gtest.h"

namespace {

TEST(Bounds, AreWhatIsLeftOfThePath) {
  struct bounds b = {};
  b.work = 1000;
  struct bounds_change change = {600, 0};
  EXPECT_DOUBLE_EQ(bounds_left(&b, &change), 0.4);
  EXPECT_FALSE(bounds_needs_cpus(&b, &change));
  change.path = 2000;
  EXPECT_DOUBLE_EQ(bounds_left(&b, &change), 0);
}

TEST(Bounds, AreWhatTheCpusAllow) {
  struct bounds b = {};
  b.work = 1000;
  b.cpu_part = 0.7;
  struct bounds_change change = {600, 0};
  EXPECT_DOUBLE_EQ(bounds_left(&b, &change), 0.7);
  EXPECT_TRUE(bounds_needs_cpus(&b, &change));
  change.cpu = 0.5;  // the change needs half of the CPU time
  EXPECT_DOUBLE_EQ(bounds_left(&b, &change), 0.4);
  b.cpu_part = 1.02;  // clocks are read at different moments
  change = {0, 0};
  EXPECT_DOUBLE_EQ(bounds_left(&b, &change), 1);
}

TEST(Bounds, FindTheTimeOfALock) {
  struct bounds b = {};
  ASSERT_TRUE(tally_add(&b.locks, 3, 0, 1, 70));
  ASSERT_TRUE(tally_add(&b.locks, 3, 0, 1, 5));
  tally_sort(&b.locks);
  EXPECT_EQ(bounds_lock_time(&b.locks, 3), 75u);
  EXPECT_EQ(bounds_lock_time(&b.locks, 2), 0u);
  bounds_free(&b);
  EXPECT_EQ(b.locks.num, 0u);
}

}  // namespace
