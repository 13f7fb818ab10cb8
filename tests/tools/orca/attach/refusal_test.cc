#include "tools/orca/attach/refusal.h"

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(Refusal, ReturnsFalseAndSetsTheText) {
  struct refusal why = {""};
  EXPECT_FALSE(refuse(&why, "%s %d", "process", 7));
  EXPECT_STREQ(why.text, "process 7");
}

TEST(Refusal, CutsALongText) {
  struct refusal why = {""};
  refuse(&why, "%s", std::string(5000, 'x').c_str());
  EXPECT_EQ(std::string(why.text), std::string(sizeof why.text - 1, 'x'));
}

}  // namespace
