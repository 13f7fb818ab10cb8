#include <string>

#include "agent/options/options.h"
#include "gtest/gtest.h"

namespace {

constexpr uint64_t kStart = 1795174200123456789;  // 2026-11-20T11:30:00Z

std::string Expanded(const char *prefix, const char *folder = nullptr) {
  char path[256];
  EXPECT_TRUE(prefix_expand(prefix, 4711, kStart, folder, path, sizeof path));
  return path;
}

TEST(Prefix, WithoutPercentIsAsItIs) {
  EXPECT_EQ(Expanded("out"), "out");
  EXPECT_EQ(Expanded("/a/b c,"), "/a/b c,");
  EXPECT_EQ(Expanded(""), "");
}

TEST(Prefix, PidAndStartTimeAreReplaced) {
  EXPECT_EQ(Expanded("orca-%p"), "orca-4711");
  EXPECT_EQ(Expanded("%p%p"), "47114711");
  EXPECT_EQ(Expanded("run-%t.%p"), "run-20261120T113000Z.4711");
}

TEST(Prefix, TwoPercentsAreOneAndOtherLettersStay) {
  EXPECT_EQ(Expanded("100%%"), "100%");
  EXPECT_EQ(Expanded("%%p"), "%p");
  EXPECT_EQ(Expanded("%x%"), "%x%");
}

TEST(Prefix, ARelativeOneLiesInTheFolder) {
  EXPECT_EQ(Expanded("out-%p", "/outputs"), "/outputs/out-4711");
  EXPECT_EQ(Expanded("/tmp/out", "/outputs"), "/tmp/out");
  EXPECT_EQ(Expanded("out", ""), "out");
}

TEST(Prefix, TheFolderIsTakenAsItIs) { EXPECT_EQ(Expanded("out", "/a%p"), "/a%p/out"); }

TEST(Prefix, TooLittleRoomIsFalse) {
  char path[9];
  EXPECT_TRUE(prefix_expand("orca-%p", 471, kStart, nullptr, path, sizeof path));
  EXPECT_STREQ(path, "orca-471");
  EXPECT_FALSE(prefix_expand("orca-%p", 4711, kStart, nullptr, path, sizeof path));
}

}  // namespace
