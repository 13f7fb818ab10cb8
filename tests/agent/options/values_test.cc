#include "agent/options/values.h"

#include "gtest/gtest.h"

namespace {

TEST(Values, Numbers) {
  double number;
  const char *unit;
  ASSERT_TRUE(value_number("12.5ms", &number, &unit));
  EXPECT_EQ(number, 12.5);
  EXPECT_STREQ(unit, "ms");
  for (const char *text : {"", "ms", "-1", "1..2", "+1", "00000000000000000000000000000000001"}) {
    EXPECT_FALSE(value_number(text, &number, &unit)) << text;
  }
}

TEST(Values, Durations) {
  uint64_t ns;
  ASSERT_TRUE(value_duration("0", &ns));
  EXPECT_EQ(ns, 0u);
  ASSERT_TRUE(value_duration("1.5m", &ns));
  EXPECT_EQ(ns, 90000000000u);
  ASSERT_TRUE(value_duration("250us", &ns));
  EXPECT_EQ(ns, 250000u);
  for (const char *text : {"", "1", "1d", "1 s", "99999999h"}) {
    EXPECT_FALSE(value_duration(text, &ns)) << text;
  }
}

TEST(Values, Percents) {
  double part;
  ASSERT_TRUE(value_percent("2.5%", &part));
  EXPECT_DOUBLE_EQ(part, 0.025);
  for (const char *text : {"", "%", "5", "0%", "101%", "1%%"}) {
    EXPECT_FALSE(value_percent(text, &part)) << text;
  }
}

TEST(Values, Sizes) {
  uint64_t bytes;
  ASSERT_TRUE(value_size("1.5MB", &bytes));
  EXPECT_EQ(bytes, 1572864u);
  for (const char *text : {"", "MB", "63KB", "100", "100M", "99999999999GB"}) {
    EXPECT_FALSE(value_size(text, &bytes)) << text;
  }
}

}  // namespace
