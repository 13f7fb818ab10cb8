#include "tools/orca/cmd/fail_if.h"

#include "gtest/gtest.h"
#include "tools/orca/cmd/commands.h"

namespace {

TEST(FailIf, TakesDeadlockOnly) {
  bool is_asked = false;
  EXPECT_TRUE(fail_if_parse("deadlock", &is_asked));
  EXPECT_TRUE(is_asked);
  for (const char *text : {"", "deadlocks", "hang"}) EXPECT_FALSE(fail_if_parse(text, &is_asked));
}

TEST(FailIf, JudgesOnlyIfAsked) {
  struct model m = {};
  EXPECT_EQ(fail_if_judge(&m, true), DONE);
  m.deadlocks.num_rings = 1;
  EXPECT_EQ(fail_if_judge(&m, true), DEADLOCKED);
  EXPECT_EQ(fail_if_judge(&m, false), DONE);
}

}  // namespace
