#include "tools/orca/dump/option_changes.h"

#include <string>

#include "gtest/gtest.h"

namespace {

class OptionChangesTest : public testing::Test {
 protected:
  ~OptionChangesTest() override {
    option_changes_free(&changes_);
    arena_free(&memory_);
  }
  void Add(const std::string &value) {
    EXPECT_TRUE(option_changes_add(&changes_, &memory_, {value.data(), value.size()}));
  }

  struct arena memory_ = {};
  struct option_changes changes_ = {};
};

std::string MakeString(struct span s) { return {s.data, s.len}; }

TEST_F(OptionChangesTest, ReturnsTheChangesOfAnOption) {
  Add("1.5000000000,1.7500000000,set,locks=all");
  Add("1.5000000000,2.0000000000,set,threshold=0");
  Add("3.0000000000,3.5000000000,contention,locks=waits");
  const struct option_change *c = option_changes_next(&changes_, "locks", nullptr);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->from, 15000000000u);
  EXPECT_EQ(c->to, 17500000000u);
  EXPECT_EQ(MakeString(c->cause), "set");
  EXPECT_EQ(MakeString(c->value), "all");
  c = option_changes_next(&changes_, "locks", c);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(MakeString(c->cause), "contention");
  EXPECT_EQ(option_changes_next(&changes_, "locks", c), nullptr);
  EXPECT_EQ(option_changes_next(&changes_, "depth", nullptr), nullptr);
}

TEST_F(OptionChangesTest, KeepsTheWholeValue) {
  Add("1.0000000000,1.0000000000,set,trigger=cpu>9%:locks=all;for=3s");
  Add("2.0000000000,2.0000000000,set,track=");
  EXPECT_EQ(MakeString(option_changes_next(&changes_, "trigger", nullptr)->value),
            "cpu>9%:locks=all;for=3s");
  EXPECT_EQ(option_changes_next(&changes_, "track", nullptr)->value.len, 0u);
}

TEST_F(OptionChangesTest, IgnoresOtherText) {
  for (const char *text :
       {"", "1.0000000000,2.0000000000,set", "1.0000000000,2.0000000000,set,locks",
        "x,2.0000000000,set,locks=all", "2.0000000000,1.0000000000,set,locks=all",
        "1,2,set,locks=all", "1,2", "1.0000000000,,set,locks=all", ",,,="}) {
    Add(text);
  }
  EXPECT_EQ(changes_.num, 0u);
  Add("5.0000000000,6.0000000000,set,locks=all");
  Add("4.0000000000,6.0000000000,set,locks=waits"); /* not in order */
  EXPECT_EQ(changes_.num, 1u);
}

}  // namespace
