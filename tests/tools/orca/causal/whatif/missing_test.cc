#include "tools/orca/causal/whatif/missing.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

TEST(Missing, SumsTheWaitsWithoutACause) {
  machine::Program p;
  p.threads = {Rounds(10, {{machine::kSleep, 0, 10}})};
  Recorded r(p);
  r.files.Write(DUMP_EVENTS,
                "100.0000000000,ThreadStarted,00000001,main\n"
                "100.0000000000,FutureAwait,00000001,000000A0,1;00000008;00000000\n"
                "100.0300000000,FutureAwaited,00000001,000000A0,1;00000008;00000000\n"
                "100.0400000000,LockAcquire,00000001,000000A1,00000000,1;00000004;00000000\n"
                "100.0500000000,LockAcquired,00000001,000000A1,1;00000004;00000000\n"
                "100.1000000000,ThreadEnded,00000001\n");
  Prediction prediction(r.files);
  struct missing_row rows[MISSING_ROWS];
  size_t num;
  ASSERT_TRUE(missing_find(&prediction.Whatif().script, rows, &num));
  ASSERT_GE(num, 1u);
  EXPECT_EQ(rows[0].event, EVENT_FUTURE_AWAIT);
  EXPECT_EQ(rows[0].object, 0xA0u);
  EXPECT_EQ(rows[0].waits, 1u);
  EXPECT_EQ(rows[0].time, TICKS_PER_S * 3 / 100);
}

TEST(Missing, NamesTheOptionThatRecordsTheCause) {
  machine::Program p;
  p.threads = {Rounds(10, {{machine::kSleep, 0, 10}})};
  Recorded all(p), contended(p, machine::kContended);
  Prediction a(all.files), c(contended.files);
  EXPECT_EQ(missing_option(&a.Whatif().trace, EVENT_LOCK_ACQUIRE), nullptr);
  EXPECT_STREQ(missing_option(&c.Whatif().trace, EVENT_LOCK_ACQUIRE), "locks=all");
  EXPECT_STREQ(missing_option(&c.Whatif().trace, EVENT_MONITOR_CONTENDED_ENTER), "monitors=all");
  EXPECT_EQ(missing_option(&c.Whatif().trace, EVENT_FUTURE_AWAIT), nullptr);
}

}  // namespace
