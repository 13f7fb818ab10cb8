#include "agent/track/call_events.h"

#include "tests/agent/track/hooks_fixture.h"

namespace {

TEST_F(HooksTest, EntryAndExitHaveTheSameObjectAndStack) {
  Enter(wait_, lock_);
  Exit();
  EXPECT_EQ(r_.Events(), (Lines{"ObjectWait,0000000A,00000010,1;00000001;00000005",
                                "ObjectWaited,0000000A,00000010,1;00000001;00000005"}));
  EXPECT_EQ(r_.jvm.Calls(CALL_GetStackTrace), 1);
}

TEST_F(HooksTest, TheFrameOfTheHookIsNotPartOfTheStack) {
  Enter(sleep_, nullptr, HOOK_CALLED);
  Exit();
  // The location of the method is its start.
  EXPECT_EQ(r_.Events(), (Lines{"ThreadSleep,0000000A,1;00000001;00000000",
                                "ThreadSlept,0000000A,1;00000001;00000000"}));
  EXPECT_EQ(r_.Methods(), Lines{"00000001,sleep,(J)V,000000C1,-1"});
}

// One of 251 events of a thread is timed, whatever the thread recorded before.
TEST_F(HooksTest, SomeEventsAreTimed) {
  for (int i = 0; i < 251; i++) {
    Enter(wait_, lock_);
    Exit();
    r_.Events();
  }
  const struct recording_figures &figures = r_.recorder->figures;
  EXPECT_EQ(figures.hooks_timed, 2u);
  EXPECT_GT(figures.hooks_time, 0u);
  EXPECT_LE(figures.hooks_time, figures.hooks_timed * 250000);
}

TEST_F(HooksTest, AFailedCallEndsWithTheFailEventIfThereIsOne) {
  const int latch = FindRow("Ljava/util/concurrent/CountDownLatch;", "await", "()V");
  const std::string rest = ",0000000A,00000010,1;00000001;00000005";
  EXPECT_EQ(Call(latch, lock_, true), (Lines{"LatchAwait" + rest, "LatchAwaitFailed" + rest}));
  EXPECT_EQ(Call(latch, lock_, false), (Lines{"LatchAwait" + rest, "LatchAwaited" + rest}));
  const std::string other = ",0000000A,00000010,1;00000002;00000005";
  EXPECT_EQ(Call(wait_, lock_, true), (Lines{"ObjectWait" + other, "ObjectWaited" + other}));
}

TEST_F(HooksTest, APairIsRecordedWithoutAStack) {
  r_.jvm.Fail(CALL_GetStackTrace);
  Enter(sleep_, nullptr);
  Exit();
  EXPECT_EQ(r_.Events(), (Lines{"ThreadSleep,0000000A,0", "ThreadSlept,0000000A,0"}));
}

}  // namespace
