#include "agent/monitor/credit.h"

#include "agent/base/clock.h"
#include "gtest/gtest.h"

namespace {

class CreditTest : public testing::Test {
 protected:
  void SetUp() override { credit_start(&credit_, 0); }

  // Asks as long as it may; how often.
  int Ask(uint64_t now_ns, uint64_t each_ns) {
    int times = 0;
    for (; credit_has(&credit_, now_ns); times++) credit_pay(&credit_, each_ns);
    return times;
  }

  struct credit credit_;
};

// Sixteen cost at most what one is taken for before anything is known, half a millisecond.
TEST_F(CreditTest, BeginsWithTwentyMilliseconds) { EXPECT_EQ(Ask(0, 4 * NS_PER_MS), 15 + 4); }

TEST_F(CreditTest, OneFiftiethOfTheTimeComesIn) {
  Ask(0, NS_PER_MS);
  int64_t left = credit_.ns;
  EXPECT_LE(left, 0);
  EXPECT_FALSE(credit_has(&credit_, 0));
  ASSERT_TRUE(credit_has(&credit_, NS_PER_S / 2));
  EXPECT_EQ(credit_.ns, left + static_cast<int64_t>(10 * NS_PER_MS));
}

TEST_F(CreditTest, NoMoreIsSavedUpThanItBeginsWith) {
  EXPECT_TRUE(credit_has(&credit_, 3600 * NS_PER_S));
  EXPECT_EQ(credit_.ns, static_cast<int64_t>(20 * NS_PER_MS));
}

TEST_F(CreditTest, EachCostsWhatTheShortestOfTheLastTook) {
  for (int i = 0; i < 16; i++) credit_pay(&credit_, NS_PER_MS);
  int64_t before = credit_.ns;
  credit_pay(&credit_, 1000);
  for (int i = 0; i < 15; i++) credit_pay(&credit_, NS_PER_MS);
  EXPECT_EQ(before - credit_.ns, 16 * 1000);
  credit_pay(&credit_, NS_PER_MS);
  EXPECT_EQ(before - credit_.ns, 16 * 1000 + static_cast<int64_t>(NS_PER_MS));
}

}  // namespace
