#include "agent/options/triggers.h"

#include <signal.h>

#include <cstring>
#include <string>

#include "gtest/gtest.h"

namespace {

TEST(Triggers, Off) {
  struct triggers t;
  ASSERT_TRUE(triggers_parse("off", &t, nullptr));
  EXPECT_FALSE(triggers_any(&t));
}

TEST(Triggers, All) {
  struct triggers t;
  ASSERT_TRUE(triggers_parse(
      "deadlock+blocked>1.5s+method>500ms+contention>20%+cpu>90%+signal=USR1", &t, nullptr));
  for (bool on : t.on) EXPECT_TRUE(on);
  EXPECT_EQ(t.blocked_ns, 1500000000u);
  EXPECT_EQ(t.method_ns, 500000000u);
  EXPECT_DOUBLE_EQ(t.contention, 0.2);
  EXPECT_DOUBLE_EQ(t.cpu, 0.9);
  EXPECT_EQ(t.signal, SIGUSR1);
}

TEST(Triggers, One) {
  struct triggers t;
  ASSERT_TRUE(triggers_parse("signal=USR2", &t, nullptr));
  EXPECT_TRUE(t.on[TRIGGER_SIGNAL]);
  EXPECT_EQ(t.signal, SIGUSR2);
  EXPECT_FALSE(t.on[TRIGGER_DEADLOCK]);
  EXPECT_TRUE(triggers_any(&t));
}

TEST(Triggers, ChangeOptionsForAWhile) {
  struct triggers t;
  ASSERT_TRUE(triggers_parse(
      "cpu>90%:locks=all,threshold=0,for=30s+deadlock+contention>20%:events=all-park+lock;for=1m",
      &t, nullptr));
  EXPECT_TRUE(triggers_escalate(&t));
  EXPECT_EQ(t.escalations[TRIGGER_CPU].for_ns, 30000000000u);
  EXPECT_STREQ(t.escalations[TRIGGER_CPU].words, "locks=all,threshold=0");
  EXPECT_EQ(t.escalations[TRIGGER_DEADLOCK].for_ns, 0u);
  EXPECT_EQ(t.escalations[TRIGGER_CONTENTION].for_ns, 60000000000u);
  EXPECT_STREQ(t.escalations[TRIGGER_CONTENTION].words, "events=all-park+lock");
  ASSERT_TRUE(triggers_parse("cpu>90%", &t, nullptr));
  EXPECT_FALSE(triggers_escalate(&t));
}

TEST(Triggers, AreOpenUntilTheTime) {
  auto is_open = [](const char *value) { return triggers_is_open({value, strlen(value)}); };
  EXPECT_TRUE(is_open("cpu>90%:locks=all"));
  EXPECT_TRUE(is_open("cpu>90%:locks=all,for=3s+cpu>90%:locks=all"));
  EXPECT_FALSE(is_open("cpu>90%:locks=all,for=30s"));
  EXPECT_FALSE(is_open("cpu>90%:locks=all,for=30s+deadlock"));
  EXPECT_FALSE(is_open("deadlock"));
}

TEST(Triggers, NamesTheFirstThatIsWrong) {
  const char *const cases[][2] = {
      {"deadlock+blocked>5+cpu>90%", "blocked>5"},
      {"deadlock+cpu>90%:locks=all", "cpu>90%:locks=all"},
      {"cpu>90%:for=30s", "cpu>90%:for=30s"},
      {"cpu>90%:locks=all,for=0", "cpu>90%:locks=all,for=0"},
      {"cpu>90%:locks=all,for=3", "cpu>90%:locks=all,for=3"},
      {"method>1s:locks=all,for=3s+method>2s", "method>2s"},
      {"cpu>90%:locks=all,for=3s,budget=2%", "cpu>90%:locks=all,for=3s,budget=2%"},
      {"deadlock:+cpu>9%", "deadlock:+cpu>9%"},
      {"deadlock+", ""},
  };
  for (const auto &c : cases) {
    struct triggers t;
    struct span wrong = {nullptr, 0};
    EXPECT_FALSE(triggers_parse(c[0], &t, &wrong)) << c[0];
    EXPECT_EQ(std::string(wrong.data, wrong.len), c[1]) << c[0];
  }
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
        "method",
        "method>",
        "method>0",
        "method>500",
        "method=1s",
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
    EXPECT_FALSE(triggers_parse(value, &t, nullptr)) << value;
  }
}

}  // namespace
