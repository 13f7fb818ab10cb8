#include "tools/orca/cmd/args.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

// The value of --top in these words, and at which of them the reading stands then.
std::string Value(std::vector<std::string> words, int *out_at) {
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  *out_at = 0;
  const char *value = args_value("--top", argv.data(), out_at);
  return value == nullptr ? "none" : value;
}

TEST(Args, ValueBehindItsOption) {
  int at;
  EXPECT_EQ(Value({"--top=5", "x"}, &at), "5");
  EXPECT_EQ(at, 0);
  EXPECT_EQ(Value({"--top", "5", "x"}, &at), "5");
  EXPECT_EQ(at, 1);
  EXPECT_EQ(Value({"--top="}, &at), "");
}

TEST(Args, NoValue) {
  int at;
  EXPECT_EQ(Value({"--top"}, &at), "none");
  EXPECT_EQ(Value({"--topmost", "5"}, &at), "none");
  EXPECT_EQ(Value({"--bottom=5"}, &at), "none");
  EXPECT_EQ(at, 0);
}

TEST(Args, Count) {
  size_t n = 0;
  EXPECT_TRUE(args_count("12", &n));
  EXPECT_EQ(n, 12u);
  for (const char *wrong : {"0", "-1", "", "many", "1.5", "99999999999999999999"}) {
    EXPECT_FALSE(args_count(wrong, &n)) << wrong;
  }
}

TEST(Args, Help) {
  EXPECT_TRUE(args_is_help("--help"));
  EXPECT_TRUE(args_is_help("-h"));
  EXPECT_FALSE(args_is_help("help"));
}

}  // namespace
