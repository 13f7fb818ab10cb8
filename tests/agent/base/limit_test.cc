#include "agent/base/limit.h"

#include <stdlib.h>

#include "agent/base/clock.h"
#include "gtest/gtest.h"

namespace {

class Limit : public testing::Test {
 protected:
  ~Limit() override { unsetenv("ORCA_LIMIT_SECONDS"); }

  uint64_t Read(const char *seconds) {
    setenv("ORCA_LIMIT_SECONDS", seconds, 1);
    return limit_ns(5 * NS_PER_S);
  }
};

TEST_F(Limit, IsThatOfTheUserWithoutTheVariable) {
  unsetenv("ORCA_LIMIT_SECONDS");
  EXPECT_EQ(limit_ns(5 * NS_PER_S), 5 * NS_PER_S);
}

TEST_F(Limit, IsTheVariableIfThatIsLonger) {
  EXPECT_EQ(Read("60"), 60 * NS_PER_S);
  EXPECT_EQ(Read("4"), 5 * NS_PER_S);
  EXPECT_EQ(Read("99999999999999999999"), 3600 * NS_PER_S);
}

TEST_F(Limit, IgnoresAVariableThatIsNoNumber) {
  for (const char *text : {"", "0", "-1", "long"}) EXPECT_EQ(Read(text), 5 * NS_PER_S) << text;
}

}  // namespace
