#include "agent/record/left_out.h"

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

// More threads than parts share some of them.
TEST(LeftOut, LosesNothingOfManyThreads) {
  static struct left_out counts;
  constexpr int kThreads = LEFT_OUT_PARTS + 8, kTimes = 1000;
  RunConcurrently(kThreads, [&](int) {
    for (int i = 0; i < kTimes; i++) left_out_wake(&counts);
  });
  EXPECT_EQ(left_out_wakes(&counts), uint64_t{kThreads} * kTimes);
  left_out_reset(&counts);
  EXPECT_EQ(left_out_wakes(&counts), 0u);
}

}  // namespace
