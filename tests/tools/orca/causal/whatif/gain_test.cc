#include "tools/orca/causal/whatif/gain.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

std::string Write(const struct gain &gain) {
  struct builder b = {};
  gain_write(&b, &gain);
  return TakeText(&b);
}

TEST(Gain, IsARange) {
  EXPECT_EQ(Write({1.9, 2.04, 2.2}), "1.9 to 2.2 times as fast");
  EXPECT_EQ(Write({10.44, 12, 14.06}), "10.4 to 14.1 times as fast");
}

// One decimal would show the same number twice.
TEST(Gain, OfANarrowRangeHasTwoDecimals) {
  EXPECT_EQ(Write({1.93, 1.98, 2.07}), "1.93 to 2.07 times as fast");
  EXPECT_EQ(Write({1.93, 1.98, 2.09}), "1.9 to 2.1 times as fast");
}

TEST(Gain, IsDoubtfulIfTheRangeContainsTheSameSpeed) {
  EXPECT_EQ(Write({0.81, 1.01, 1.21}), "0.81 to 1.21 times as fast, so perhaps no gain");
  EXPECT_EQ(Write({0.98, 1.2, 1.41}), "0.98 to 1.41 times as fast, so perhaps no gain");
  EXPECT_EQ(Write({1.0, 1.06, 1.1}), "1.00 to 1.10 times as fast");
}

TEST(Gain, CanBeALoss) { EXPECT_EQ(Write({0.5, 0.55, 0.7}), "0.5 to 0.7 times as fast"); }

TEST(Gain, IsNoneNearTheSameSpeed) {
  const struct gain none[] = {
      {0.95, 1, 1.05}, {0.97, 1.02, 1.07}, {0.89, 0.98, 1.03}, {0.89, 1.029, 1.119}};
  for (const struct gain &gain : none) EXPECT_TRUE(gain_is_none(&gain)) << gain.middle;
  const struct gain some[] = {{0.97, 1.04, 1.1}, {0.9, 0.96, 1.02}};
  for (const struct gain &gain : some) EXPECT_FALSE(gain_is_none(&gain)) << gain.middle;
}

// It would hide a gain that is perhaps there.
TEST(Gain, IsNotNoneInAWideRange) {
  const struct gain wide[] = {{0.81, 1.01, 1.21}, {0.95, 1, 1.13}, {0.87, 1, 1.05}};
  for (const struct gain &gain : wide) EXPECT_FALSE(gain_is_none(&gain)) << gain.most;
}

TEST(LimitKeys, AreDifferent) {
  for (int i = 0; i < NUM_LIMIT_KINDS; i++) {
    EXPECT_EQ(limit_of_key(limit_keys[i]), static_cast<enum limit_kind>(i)) << limit_keys[i];
    EXPECT_GT(std::string(limit_words[i]).size(), 0u) << limit_keys[i];
  }
}

TEST(LimitKeys, NoOtherTextIsOne) {
  EXPECT_EQ(limit_of_key(nullptr), LIMIT_NONE);
  EXPECT_EQ(limit_of_key(""), LIMIT_NONE);
  EXPECT_EQ(limit_of_key("locks"), LIMIT_NONE);
}

}  // namespace
