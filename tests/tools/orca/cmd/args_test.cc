#include "tools/orca/cmd/args.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

// Returns the value of --top in these words, and the index of the last word that was used.
std::string ParseTop(std::vector<std::string> words, int *out_at) {
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  *out_at = 0;
  const char *value = args_value("--top", argv.data(), out_at);
  return value == nullptr ? "none" : value;
}

TEST(Args, ReturnTheValueOfAnOption) {
  int at;
  EXPECT_EQ(ParseTop({"--top=5", "x"}, &at), "5");
  EXPECT_EQ(at, 0);
  EXPECT_EQ(ParseTop({"--top", "5", "x"}, &at), "5");
  EXPECT_EQ(at, 1);
  EXPECT_EQ(ParseTop({"--top="}, &at), "");
}

TEST(Args, ReturnNoValueOfAnotherOption) {
  int at;
  EXPECT_EQ(ParseTop({"--top"}, &at), "none");
  EXPECT_EQ(ParseTop({"--topmost", "5"}, &at), "none");
  EXPECT_EQ(ParseTop({"--bottom=5"}, &at), "none");
  EXPECT_EQ(at, 0);
}

TEST(Args, AcceptNumbersFromOne) {
  size_t n = 0;
  EXPECT_TRUE(args_count("12", &n));
  EXPECT_EQ(n, 12u);
  for (const char *wrong : {"0", "-1", "", "many", "1.5", "99999999999999999999"}) {
    EXPECT_FALSE(args_count(wrong, &n)) << wrong;
  }
}

TEST(Args, RecognizeHelp) {
  EXPECT_TRUE(args_is_help("--help"));
  EXPECT_TRUE(args_is_help("-h"));
  EXPECT_FALSE(args_is_help("help"));
}

}  // namespace
