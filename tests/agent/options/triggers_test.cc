#include "agent/options/triggers.h"

#include <signal.h>

#include "gtest/gtest.h"

namespace {

TEST(Triggers, Off) {
  struct triggers t;
  ASSERT_TRUE(triggers_parse("off", &t));
  EXPECT_FALSE(triggers_any(&t));
}

TEST(Triggers, All) {
  struct triggers t;
  ASSERT_TRUE(triggers_parse("deadlock+blocked>1.5s+contention>20%+cpu>90%+signal=USR1", &t));
  for (bool on : t.on) EXPECT_TRUE(on);
  EXPECT_EQ(t.blocked_ns, 1500000000u);
  EXPECT_DOUBLE_EQ(t.contention, 0.2);
  EXPECT_DOUBLE_EQ(t.cpu, 0.9);
  EXPECT_EQ(t.signal, SIGUSR1);
}

TEST(Triggers, One) {
  struct triggers t;
  ASSERT_TRUE(triggers_parse("signal=USR2", &t));
  EXPECT_TRUE(t.on[TRIGGER_SIGNAL]);
  EXPECT_EQ(t.signal, SIGUSR2);
  EXPECT_FALSE(t.on[TRIGGER_DEADLOCK]);
  EXPECT_TRUE(triggers_any(&t));
}

TEST(Triggers, Refused) {
  for (const char *value :
       {"",
        "on",
        "deadlocks",
        "deadlock+",
        "+deadlock",
        "deadlock+deadlock",
        "blocked",
        "blocked>",
        "blocked>5",
        "blocked>0",
        "blocked>-1s",
        "blocked=5s",
        "contention>20",
        "contention>0%",
        "cpu>101%",
        "cpu",
        "signal=KILL",
        "signal=",
        "signal",
        "deadlock off",
        "blocked>5s+blocked>6s",
        "blocked>0000000000000000000000000000000000000000000000000000000000000000001s"}) {
    struct triggers t;
    EXPECT_FALSE(triggers_parse(value, &t)) << value;
  }
}

}  // namespace
