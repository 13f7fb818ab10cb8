#include "agent/files/lines.h"

#include "agent/base/clock.h"
#include "agent/record/blocked.h"
#include "agent/record/stack.h"
#include "tests/agent/files/output_case.h"

namespace {

using OutputLinesTest = OutputTest;

TEST_F(OutputLinesTest, WritesTheLineOfARecordAtAFlush) {
  StartRecording();
  PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  EXPECT_EQ(ReadText(".orca"), "");
  EXPECT_GT(output_waiting_bytes(&output_), 0u);
  output_flush(&output_);
  EXPECT_EQ(ReadText(".orca"), "0.0000000050,ThreadEnded,0000000A\n");
  EXPECT_EQ(output_waiting_bytes(&output_), 0u);
  EXPECT_EQ(output_.events, 1u);
}

TEST_F(OutputLinesTest, KeepsTimesStrictlyAscending) {
  StartRecording();
  for (int i = 0; i < 3; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  output_flush(&output_);
  EXPECT_EQ(ReadText(".orca"),
            "0.0000000050,ThreadEnded,0000000A\n"
            "0.0000000051,ThreadEnded,0000000A\n"
            "0.0000000052,ThreadEnded,0000000A\n");
}

TEST_F(OutputLinesTest, DefinesAStackAtItsFirstUse) {
  struct stack s = {};
  s.num_frames = 1;
  s.text = "1;00000001;00000002";
  s.text_len = 19;
  StartRecording();
  PutSample(0xA, &s);
  PutSample(0xB, &s);
  PutSample(0xC, nullptr);
  output_flush(&output_);
  std::string text = ReadText(".samples"), stack = ",Stack,1,1;00000001;00000002\n";
  EXPECT_EQ(text.find(stack), text.rfind(stack)) << text;
  EXPECT_NE(text.find(",Sample,0000000B,Runnable,0,1\n"), std::string::npos) << text;
  EXPECT_NE(text.find(",Sample,0000000C,Runnable,0,0\n"), std::string::npos) << text;
  EXPECT_EQ(output_.samples, 3u);
}

TEST_F(OutputLinesTest, WritesCountsAndLossesWhenTheyChange) {
  StartRecording();
  LockTable::SetCount(lock_counts_, EVENT_LOCK_ACQUIRED, 0xB, 42);
  figures_.events_dropped = 3;
  output_finish(&output_, "exit");
  EXPECT_NE(ReadText(".counts").find(",LockAcquired,0000000B,+42\n"), std::string::npos);
  EXPECT_TRUE(HasInfoLine("events.dropped=3"));
  EXPECT_NE(ReadText(".info").find("events.lost="), std::string::npos);
  size_t size = ReadText(".counts").size();
  output_finish(&output_, "exit");
  EXPECT_EQ(ReadText(".counts").size(), size);
}

// Returns a slot of a pool that is never freed.
struct blocked *TakeSlot() {
  static struct blocked_pool *pool = blocked_pool_new();
  struct blocked_on on = {};
  return blocked_begin(pool, &on);
}

TEST_F(OutputLinesTest, WritesAnOwnerFoundLateIntoTheLine) {
  StartRecording();
  struct record r = {};
  r.event = EVENT_MONITOR_CONTENDED_ENTER;
  r.u.blocked = TakeSlot();
  blocked_set_owner(r.u.blocked, 0xB0);
  output_put(&output_, &r);
  output_flush(&output_);
  EXPECT_EQ(ReadText(".orca"), "0.0000000001,MonitorContendedEnter,00000000,00000000,000000B0,0\n");
}

// A MonitorOwner comes before the events that the waiter makes once it has the monitor.
TEST_F(OutputLinesTest, DropsAnOwnerFoundAfterTheWaiterGotTheMonitor) {
  StartRecording();
  struct record r = {};
  r.event = EVENT_MONITOR_OWNER;
  r.u.blocked = TakeSlot();
  blocked_add_party(r.u.blocked);
  blocked_add_party(r.u.blocked);
  r.owner = 0xB0;
  r.time_ns = clock_monotonic_ns();
  output_put(&output_, &r);
  blocked_end(r.u.blocked);
  r.owner = 0xB1;
  output_put(&output_, &r); /* with the time before blocked_end */
  r.owner = 0xB2;
  r.time_ns = clock_monotonic_ns();
  output_put(&output_, &r);
  output_flush(&output_);
  EXPECT_NE(ReadText(".orca").find(",MonitorOwner,00000000,00000000,000000B0,0\n"),
            std::string::npos);
  EXPECT_NE(ReadText(".orca").find(",MonitorOwner,00000000,00000000,000000B1,0\n"),
            std::string::npos);
  EXPECT_EQ(output_.events, 2u);
}

}  // namespace
