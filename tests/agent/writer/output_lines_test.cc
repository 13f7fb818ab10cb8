// What becomes a line of which file.
#include "agent/base/clock.h"
#include "agent/record/blocked.h"
#include "agent/record/stack.h"
#include "tests/agent/writer/output_case.h"

namespace {

using OutputLines = OutputTest;

TEST_F(OutputLines, ARecordIsALineOnceItIsFlushed) {
  Start();
  PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  EXPECT_EQ(Text(".orca"), "");
  EXPECT_GT(output_waiting_bytes(&output_), 0u);
  output_flush(&output_);
  EXPECT_EQ(Text(".orca"), "0.0000000050,ThreadEnded,0000000A\n");
  EXPECT_EQ(output_waiting_bytes(&output_), 0u);
  EXPECT_EQ(output_.events, 1u);
}

TEST_F(OutputLines, TimesAscendStrictly) {
  Start();
  for (int i = 0; i < 3; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  output_flush(&output_);
  EXPECT_EQ(Text(".orca"),
            "0.0000000050,ThreadEnded,0000000A\n"
            "0.0000000051,ThreadEnded,0000000A\n"
            "0.0000000052,ThreadEnded,0000000A\n");
}

TEST_F(OutputLines, AStackIsDefinedAtItsFirstUse) {
  struct stack s = {};
  s.num_frames = 1;
  s.text = "1;00000001;00000002";
  s.text_len = 19;
  Start();
  PutSample(0xA, &s);
  PutSample(0xB, &s);
  PutSample(0xC, nullptr);
  output_flush(&output_);
  std::string text = Text(".samples"), stack = ",Stack,1,1;00000001;00000002\n";
  EXPECT_EQ(text.find(stack), text.rfind(stack)) << text;
  EXPECT_NE(text.find(",Sample,0000000B,Runnable,0,1\n"), std::string::npos) << text;
  EXPECT_NE(text.find(",Sample,0000000C,Runnable,0,0\n"), std::string::npos) << text;
  EXPECT_EQ(output_.samples, 3u);
}

TEST_F(OutputLines, CountsAndLossesAreToldWhenTheyChange) {
  Start();
  counted_ = 42;
  dropped_ = 3;
  output_finish(&output_, "exit");
  EXPECT_NE(Text(".counts").find(",LockAcquired,0000000B,42\n"), std::string::npos);
  EXPECT_TRUE(InfoHas("events.dropped=3"));
  EXPECT_NE(Text(".info").find("events.lost="), std::string::npos);
  size_t size = Text(".counts").size();
  output_finish(&output_, "exit");
  EXPECT_EQ(Text(".counts").size(), size);
}

// A pool is never freed.
struct blocked *Slot() {
  static struct blocked_pool *pool = blocked_pool_new();
  struct blocked_on on = {};
  return blocked_begin(pool, &on);
}

TEST_F(OutputLines, AnOwnerThatWasFoundLateStandsInTheLine) {
  Start();
  struct record r = {};
  r.event = EVENT_MONITOR_CONTENDED_ENTER;
  r.u.blocked = Slot();
  blocked_answer(r.u.blocked, 0xB0);
  output_put(&output_, &r);
  output_flush(&output_);
  EXPECT_EQ(Text(".orca"), "0.0000000001,MonitorContendedEnter,00000000,00000000,000000B0,0\n");
}

// Lines of a thread that blocks stand before those that it makes when it has the monitor.
TEST_F(OutputLines, AnOwnerThatIsToldTooLateIsNotWritten) {
  Start();
  struct record r = {};
  r.event = EVENT_MONITOR_OWNER;
  r.u.blocked = Slot();
  blocked_share(r.u.blocked);
  blocked_share(r.u.blocked);
  r.owner = 0xB0;
  r.time_ns = clock_monotonic_ns();
  output_put(&output_, &r);
  blocked_end(r.u.blocked);
  r.owner = 0xB1;
  output_put(&output_, &r); /* of before the end */
  r.owner = 0xB2;
  r.time_ns = clock_monotonic_ns();
  output_put(&output_, &r);
  output_flush(&output_);
  EXPECT_NE(Text(".orca").find(",MonitorOwner,00000000,00000000,000000B0,0\n"), std::string::npos);
  EXPECT_NE(Text(".orca").find(",MonitorOwner,00000000,00000000,000000B1,0\n"), std::string::npos);
  EXPECT_EQ(output_.events, 2u);
}

}  // namespace
