#include "agent/record/stall.h"

#include "gtest/gtest.h"
#include "tests/support/virtual_time.h"

namespace {

TEST(Stall, BeginsOnceAndEnds) {
  struct stall s = {};
  EXPECT_FALSE(stall_is_on(&s));
  EXPECT_TRUE(stall_begin(&s));
  EXPECT_FALSE(stall_begin(&s));
  EXPECT_TRUE(stall_is_on(&s));
  stall_end(&s);
  stall_end(&s);
  EXPECT_FALSE(stall_is_on(&s));
  EXPECT_TRUE(stall_begin(&s));
}

TEST(Stall, PatienceHasALimitUnlessItIsZero) {
  struct stall s = {};
  stall_reset(&s, 100);
  EXPECT_FALSE(stall_is_over_patience(&s, 99));
  EXPECT_TRUE(stall_is_over_patience(&s, 100));
  stall_reset(&s, 0);
  EXPECT_FALSE(stall_is_over_patience(&s, UINT64_MAX));
}

TEST(Stall, TheLimitOnlyShortensThePatience) {
  struct stall s = {};
  stall_reset(&s, 100);
  stall_limit_patience(&s, 200);
  EXPECT_FALSE(stall_is_over_patience(&s, 99));
  EXPECT_TRUE(stall_is_over_patience(&s, 100));
  stall_limit_patience(&s, 50);
  EXPECT_TRUE(stall_is_over_patience(&s, 50));
  stall_reset(&s, 0);
  stall_limit_patience(&s, 200);
  EXPECT_FALSE(stall_is_over_patience(&s, 199));
  EXPECT_TRUE(stall_is_over_patience(&s, 200));
}

TEST(Stall, MeasuresTheOutermostWaitForTheDevice) {
  VirtualTime time;
  struct stall s = {};
  EXPECT_EQ(stall_device_ns(&s), 0u);
  EXPECT_TRUE(stall_enter_device(&s));
  time.Pass(2000000);
  EXPECT_FALSE(stall_enter_device(&s));
  stall_leave_device(&s, false);
  EXPECT_GE(stall_device_ns(&s), 2000000u);
  EXPECT_LT(stall_device_ns(&s), 2001000u);
  stall_leave_device(&s, true);
  EXPECT_EQ(stall_device_ns(&s), 0u);
}

TEST(Stall, IsReportedOncePerRecording) {
  struct stall s = {};
  EXPECT_TRUE(stall_claim_report(&s));
  EXPECT_FALSE(stall_claim_report(&s));
  stall_begin(&s);
  stall_reset(&s, 0);
  EXPECT_TRUE(stall_claim_report(&s));
  EXPECT_FALSE(stall_is_on(&s));
}

}  // namespace
