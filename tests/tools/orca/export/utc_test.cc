#include "tools/orca/export/utc.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr uint64_t kStart = 1795174656;  // 2026-11-20T11:37:36Z

class Utc : public testing::Test {
 protected:
  bool Read(const std::string &start_utc) {
    SmallModel small;
    small.files.Replace(DUMP_INFO, "2026-11-20T11:37:36.123456789Z", start_utc);
    small.Read();
    return utc_read(&utc_, small.dump);
  }

  struct utc utc_ = {};
};

TEST_F(Utc, MapsTimestamps) {
  ASSERT_TRUE(Read("2026-11-20T11:37:36.123456789Z"));
  EXPECT_EQ(utc_ns(&utc_, 100 * kSecond), kStart * 1000000000 + 123456789);
  EXPECT_EQ(utc_ns(&utc_, 101 * kSecond + 15), (kStart + 1) * 1000000000 + 123456790);
  EXPECT_EQ(utc_ns(&utc_, 99 * kSecond), (kStart - 1) * 1000000000 + 123456789);
}

TEST_F(Utc, RefusesOtherTexts) {
  for (const char *text : {"", "yesterday", "2026-11-20", "2026-11-20T11:37:36Z",
                           "2026-11-20T11:37:36.12345678912345Z"}) {
    EXPECT_FALSE(Read(text)) << text;
  }
}

}  // namespace
