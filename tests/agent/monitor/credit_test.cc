#include "agent/monitor/credit.h"

#include "agent/base/clock.h"
#include "gtest/gtest.h"

namespace {

class CreditTest : public testing::Test {
 protected:
  void SetUp() override { credit_start(&credit_, 0); }

  // Spends as long as the budget allows. Returns the number of queries.
  int SpendAll(uint64_t now_ns, uint64_t each_ns) {
    int times = 0;
    for (; credit_is_left(&credit_, now_ns); times++) credit_spend(&credit_, each_ns);
    return times;
  }

  struct credit credit_;
};

// The first fifteen queries are charged with the assumed half millisecond, the others with 4 ms.
TEST_F(CreditTest, BeginsWithTwentyMilliseconds) { EXPECT_EQ(SpendAll(0, 4 * NS_PER_MS), 15 + 4); }

TEST_F(CreditTest, AddsOneFiftiethOfTheTime) {
  SpendAll(0, NS_PER_MS);
  int64_t left = credit_.balance_ns;
  EXPECT_LE(left, 0);
  EXPECT_FALSE(credit_is_left(&credit_, 0));
  ASSERT_TRUE(credit_is_left(&credit_, NS_PER_S / 2));
  EXPECT_EQ(credit_.balance_ns, left + static_cast<int64_t>(10 * NS_PER_MS));
}

TEST_F(CreditTest, TellsWhenTheNextQueryIsAllowed) {
  EXPECT_EQ(credit_next(&credit_), 0u);
  credit_charge(&credit_, 30 * NS_PER_MS);
  uint64_t next = credit_next(&credit_);
  EXPECT_GE(next, 50 * 10 * NS_PER_MS);
  EXPECT_FALSE(credit_is_left(&credit_, next - 50));
  EXPECT_TRUE(credit_is_left(&credit_, credit_next(&credit_)));
}

TEST_F(CreditTest, SavesNoMoreThanItBeginsWith) {
  EXPECT_TRUE(credit_is_left(&credit_, 3600 * NS_PER_S));
  EXPECT_EQ(credit_.balance_ns, static_cast<int64_t>(20 * NS_PER_MS));
}

TEST_F(CreditTest, ChargesTheShortestOfTheLastDurations) {
  for (int i = 0; i < 16; i++) credit_spend(&credit_, NS_PER_MS);
  int64_t before = credit_.balance_ns;
  credit_spend(&credit_, 1000);
  for (int i = 0; i < 15; i++) credit_spend(&credit_, NS_PER_MS);
  EXPECT_EQ(before - credit_.balance_ns, 16 * 1000);
  credit_spend(&credit_, NS_PER_MS);
  EXPECT_EQ(before - credit_.balance_ns, 16 * 1000 + static_cast<int64_t>(NS_PER_MS));
}

}  // namespace
