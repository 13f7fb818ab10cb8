#include "tools/orca/cmd/time_arg.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr ticks_t kMilli = kSecond / 1000;

// The small dump is from 100 s to 110 s of the monotonic clock and starts at 11:37:36.123456789.
class TimeArg : public testing::Test {
 protected:
  TimeArg() { small_.Read(); }

  ticks_t Resolve(const char *text) {
    struct time_arg t = {};
    ticks_t at = 0;
    EXPECT_TRUE(time_arg_read(text, &t)) << text;
    EXPECT_TRUE(time_arg_resolve(&t, small_.dump, 100 * kSecond, 110 * kSecond, &at)) << text;
    return at;
  }

  SmallModel small_;
};

TEST_F(TimeArg, CanBeSinceTheStart) {
  EXPECT_EQ(Resolve("2.5"), kSecond * 1025 / 10);
  EXPECT_EQ(Resolve("2.5s"), kSecond * 1025 / 10);
  EXPECT_EQ(Resolve("0"), 100 * kSecond);
  EXPECT_EQ(Resolve("150ms"), 100 * kSecond + 150 * kMilli);
  EXPECT_EQ(Resolve("1.5us"), 100 * kSecond + kMilli * 15 / 10000);
  EXPECT_EQ(Resolve("0.05min"), 103 * kSecond);
  EXPECT_EQ(Resolve("1h"), 3700 * kSecond);
}

TEST_F(TimeArg, CanBeBeforeTheEnd) {
  EXPECT_EQ(Resolve("-1"), 109 * kSecond);
  EXPECT_EQ(Resolve("-250ms"), 110 * kSecond - 250 * kMilli);
  EXPECT_EQ(Resolve("-99"), 100 * kSecond);
}

TEST_F(TimeArg, CanBeAShare) {
  EXPECT_EQ(Resolve("90%"), 109 * kSecond);
  EXPECT_EQ(Resolve("0%"), 100 * kSecond);
  EXPECT_EQ(Resolve("100%"), 110 * kSecond);
  EXPECT_EQ(Resolve("12.5%"), kSecond * 10125 / 100);
}

TEST_F(TimeArg, CanBeATimestamp) {
  EXPECT_EQ(Resolve("103.0000000001"), 103 * kSecond + 1);
  EXPECT_EQ(Resolve("3.0000000000"), 100 * kSecond);  // before the start
}

TEST_F(TimeArg, CanBeATimeOfDay) {
  EXPECT_EQ(Resolve("11:37:40.123456789"), 104 * kSecond);
  EXPECT_EQ(Resolve("11:37:36.123456789"), 100 * kSecond);
  EXPECT_EQ(Resolve("00:37:36.123456789"), (100 + 13 * 3600) * kSecond);  // on the next day
}

TEST_F(TimeArg, IsNotResolvedWithoutStartUtc) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "start.utc=2026-11-20T11:37:36.123456789Z\n", "");
  small.Read();
  struct time_arg t = {};
  ticks_t at = 0;
  EXPECT_TRUE(time_arg_read("11:37:40", &t));
  EXPECT_FALSE(time_arg_resolve(&t, small.dump, 0, kSecond, &at));
}

TEST(TimeArgText, RefusesMalformedTimes) {
  struct time_arg t = {};
  for (const char *text : {"", "x", "-", "2.5.1", "2.", "1.00000000001", "3 s", "5m", "101%", "%",
                           "1:02:03", "24:00:00", "12:61:00", "12:00:61", "12:00", "12:00:00x",
                           "99999999999999999999", "9999999999999h"}) {
    EXPECT_FALSE(time_arg_read(text, &t)) << text;
  }
}

TEST(TimeArgText, AcceptsDurations) {
  ticks_t n = 0;
  EXPECT_TRUE(time_arg_duration("5ms", &n));
  EXPECT_EQ(n, 5 * kMilli);
  EXPECT_FALSE(time_arg_duration("5%", &n));
  EXPECT_FALSE(time_arg_duration("-5", &n));
}

}  // namespace
