#include "agent/options/bazel_test.h"

#include <stdlib.h>

#include <map>
#include <string>

#include "gtest/gtest.h"

namespace {

const char *const kVariables[] = {"TEST_TARGET", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS",
                                  "TEST_RUN_NUMBER", "TEST_UNDECLARED_OUTPUTS_DIR"};

// Reads with only these variables set. This test runs under Bazel itself, which sets some of them.
bool Read(const std::map<std::string, std::string> &variables, struct bazel_test *out) {
  std::map<std::string, std::string> before;
  for (const char *name : kVariables) {
    if (getenv(name) != nullptr) before[name] = getenv(name);
    unsetenv(name);
  }
  for (const auto &[name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  bool is_test = bazel_test_read(out);
  for (const char *name : kVariables) unsetenv(name);
  for (const auto &[name, value] : before) setenv(name.c_str(), value.c_str(), 1);
  return is_test;
}

TEST(BazelTest, IsUnknownWithoutATarget) {
  struct bazel_test test;
  EXPECT_FALSE(Read({}, &test));
  EXPECT_FALSE(Read({{"TEST_TARGET", ""}}, &test));
  EXPECT_FALSE(Read({{"TEST_TOTAL_SHARDS", "4"}, {"TEST_SHARD_INDEX", "1"}}, &test));
  EXPECT_STREQ(test.target, "");
  EXPECT_EQ(test.shard, 0u);
}

TEST(BazelTest, HasATarget) {
  struct bazel_test test;
  ASSERT_TRUE(Read({{"TEST_TARGET", "@shop//app:cart_test"},
                    {"TEST_UNDECLARED_OUTPUTS_DIR", "/b/testlogs/app/cart_test/test.outputs"}},
                   &test));
  EXPECT_STREQ(test.target, "@shop//app:cart_test");
  EXPECT_EQ(test.shard, 0u);
  EXPECT_EQ(test.run, 0u);
  EXPECT_STREQ(test.part, "");
}

TEST(BazelTest, HasAShardThatCountsFromOne) {
  struct bazel_test test;
  ASSERT_TRUE(
      Read({{"TEST_TARGET", "//a"}, {"TEST_TOTAL_SHARDS", "4"}, {"TEST_SHARD_INDEX", "0"}}, &test));
  EXPECT_EQ(test.shard, 1u);
  EXPECT_EQ(test.shards, 4u);
}

TEST(BazelTest, HasARunFromItsVariableOrItsFolder) {
  struct bazel_test test;
  ASSERT_TRUE(Read({{"TEST_TARGET", "//a"}, {"TEST_RUN_NUMBER", "3"}}, &test));
  EXPECT_EQ(test.run, 3u);
  ASSERT_TRUE(Read(
      {{"TEST_TARGET", "//a"}, {"TEST_UNDECLARED_OUTPUTS_DIR", "/b/a/run_2_of_3/test.outputs"}},
      &test));
  EXPECT_EQ(test.run, 2u);
  EXPECT_STREQ(test.part, "run_2_of_3");
  ASSERT_TRUE(Read({{"TEST_TARGET", "//a"},
                    {"TEST_UNDECLARED_OUTPUTS_DIR", "/b/shard_1_of_4_run_12_of_30/test.outputs"}},
                   &test));
  EXPECT_EQ(test.run, 12u);
  EXPECT_STREQ(test.part, "shard_1_of_4_run_12_of_30");
}

TEST(BazelTest, IgnoresValuesThatAreNoNumbers) {
  struct bazel_test test;
  for (const char *value : {"", "-1", "x", "1x", "99999999999999999999", "1000001"}) {
    ASSERT_TRUE(Read({{"TEST_TARGET", "//a"},
                      {"TEST_TOTAL_SHARDS", value},
                      {"TEST_SHARD_INDEX", "1"},
                      {"TEST_RUN_NUMBER", value}},
                     &test));
    EXPECT_EQ(test.shard, 0u) << value;
    EXPECT_EQ(test.run, 0u) << value;
  }
}

TEST(BazelTest, LeavesOutWhatIsTooLong) {
  struct bazel_test test;
  std::string label = "//" + std::string(sizeof test.target, 'a');
  ASSERT_TRUE(Read(
      {{"TEST_TARGET", label},
       {"TEST_UNDECLARED_OUTPUTS_DIR", "/run_" + std::string(sizeof test.part, '1') + "/outputs"}},
      &test));
  EXPECT_STREQ(test.target, "");
  EXPECT_STREQ(test.part, "");
}

}  // namespace
