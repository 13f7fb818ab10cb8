#include "agent/record/left_out.h"

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

TEST(LeftOut, CountsPairsAndWakeUps) {
  static struct left_out counts;
  left_out_pair(&counts, true, 30);
  left_out_pair(&counts, false, 500);
  left_out_pair(&counts, true, 12);
  left_out_wake(&counts);
  struct left_out_counts sum = left_out_sum(&counts);
  EXPECT_EQ(sum.pairs, 3u);
  EXPECT_EQ(sum.wakes, 1u);
  EXPECT_EQ(sum.lock_ns, 42u) << "only calls that acquire locks";
  left_out_reset(&counts);
  sum = left_out_sum(&counts);
  EXPECT_EQ(sum.pairs + sum.wakes + sum.lock_ns, 0u);
}

// More threads than parts share some of them.
TEST(LeftOut, LosesNothingOfManyThreads) {
  static struct left_out counts;
  constexpr int kThreads = LEFT_OUT_PARTS + 8, kTimes = 1000;
  RunConcurrently(kThreads, [&](int) {
    for (int i = 0; i < kTimes; i++) left_out_pair(&counts, true, 2);
    for (int i = 0; i < kTimes; i++) left_out_wake(&counts);
  });
  struct left_out_counts sum = left_out_sum(&counts);
  EXPECT_EQ(sum.pairs, uint64_t{kThreads} * kTimes);
  EXPECT_EQ(sum.wakes, uint64_t{kThreads} * kTimes);
  EXPECT_EQ(sum.lock_ns, uint64_t{kThreads} * kTimes * 2);
}

}  // namespace
