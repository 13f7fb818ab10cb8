#include "tools/orca/model/state/activity.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

TEST(Activity, ClassifiesARunnableThreadByItsTopMethod) {
  SmallModel small;
  small.files.Append(DUMP_CLASSES, "100.0000000000,000000D1,Ljava/io/FileDescriptor;,F.java\n");
  small.files.Append(DUMP_METHODS, "100.0000000000,00000021,sync,()V,000000D1,-1\n");
  small.Read();
  EXPECT_EQ(activity_of_top(small.dump, 0x14), ACTIVITY_IO);      // EPoll.wait
  EXPECT_EQ(activity_of_top(small.dump, 0x01), ACTIVITY_WAITS);   // Object.wait
  EXPECT_EQ(activity_of_top(small.dump, 0x03), ACTIVITY_SLEEPS);  // Thread.sleep
  EXPECT_EQ(activity_of_top(small.dump, 0x21), ACTIVITY_IO);      // FileDescriptor.sync
  EXPECT_EQ(activity_of_top(small.dump, 0x10), ACTIVITY_RUNS);
  EXPECT_EQ(activity_of_top(small.dump, 0x02), ACTIVITY_RUNS);  // another method of Object
  EXPECT_EQ(activity_of_top(small.dump, 0xFF), ACTIVITY_RUNS);  // an unknown method
}

TEST(Activity, ClassifiesOtherThreadsByTheirState) {
  for (enum activity top : {ACTIVITY_RUNS, ACTIVITY_IO, ACTIVITY_HIDDEN}) {
    EXPECT_EQ(activity_of_sample(STATE_RUNNABLE, top, 5), top);
    EXPECT_EQ(activity_of_sample(STATE_NATIVE, top, -1), top);
    EXPECT_EQ(activity_of_sample(STATE_BLOCKED, top, 0), ACTIVITY_BLOCKED);
    EXPECT_EQ(activity_of_sample(STATE_WAITING, top, 0), ACTIVITY_WAITS);
    EXPECT_EQ(activity_of_sample(STATE_TIMED_WAITING, top, 0), ACTIVITY_WAITS);
    EXPECT_EQ(activity_of_sample(STATE_PARKED, top, 0), ACTIVITY_PARKED);
    EXPECT_EQ(activity_of_sample(STATE_TIMED_PARKED, top, 0), ACTIVITY_PARKED);
    EXPECT_EQ(activity_of_sample(STATE_SLEEPING, top, 0), ACTIVITY_SLEEPS);
    EXPECT_EQ(activity_of_sample(STATE_SUSPENDED, top, 0), ACTIVITY_HIDDEN);
    EXPECT_EQ(activity_of_sample(STATE_TERMINATED, top, 0), ACTIVITY_HIDDEN);
    EXPECT_EQ(activity_of_sample(STATE_UNMOUNTED, top, -1), ACTIVITY_NO_CALL);
  }
}

TEST(Activity, AThreadThatUsedNoCpuTimeIsRunnable) {
  EXPECT_EQ(activity_of_sample(STATE_RUNNABLE, ACTIVITY_RUNS, 0), ACTIVITY_RUNNABLE);
  EXPECT_EQ(activity_of_sample(STATE_RUNNABLE, ACTIVITY_RUNS, -1), ACTIVITY_RUNS);  // not known
  EXPECT_EQ(activity_of_sample(STATE_NATIVE, ACTIVITY_IO, 0), ACTIVITY_IO);
  EXPECT_EQ(activity_of_sample(STATE_NATIVE, ACTIVITY_RUNS, 0), ACTIVITY_NO_CALL);  // may wait
}

TEST(Activity, ClassifiesCallsByTheirGroup) {
  EXPECT_EQ(activity_of_call(EVENT_MONITOR_CONTENDED_ENTER), ACTIVITY_BLOCKED);
  EXPECT_EQ(activity_of_call(EVENT_READ_LOCK_TRY), ACTIVITY_BLOCKED);
  EXPECT_EQ(activity_of_call(EVENT_SEMAPHORE_ACQUIRE), ACTIVITY_BLOCKED);
  EXPECT_EQ(activity_of_call(EVENT_CONDITION_AWAIT), ACTIVITY_WAITS);
  EXPECT_EQ(activity_of_call(EVENT_THREAD_PARK), ACTIVITY_PARKED);
  EXPECT_EQ(activity_of_call(EVENT_THREAD_SLEEP), ACTIVITY_SLEEPS);
}

// Every acquisition of a lock is BLOCKED, and nothing else is: the lists of locks and the states of
// threads are about the same calls.
TEST(Activity, BlockedCallsAreAcquisitions) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    enum event_kind begin = static_cast<enum event_kind>(kind);
    if (event_infos[begin].role != ROLE_BEGIN) continue;
    EXPECT_EQ(activity_of_call(begin) == ACTIVITY_BLOCKED, lock_event_asks(begin))
        << event_infos[begin].name;
  }
}

TEST(Activity, AThreadCanRunInsideOfAJoinedTask) {
  EXPECT_TRUE(activity_can_run_inside(EVENT_TASK_JOIN));
  EXPECT_TRUE(activity_can_run_inside(EVENT_BARRIER_AWAIT));
  EXPECT_FALSE(activity_can_run_inside(EVENT_OBJECT_WAIT));
  EXPECT_FALSE(activity_can_run_inside(EVENT_LOCK_ACQUIRE));
}

TEST(Activity, EachHasANameAndAMeaning) {
  for (int i = 0; i < NUM_ACTIVITIES; i++) {
    EXPECT_STRNE(activity_names[i], "");
    EXPECT_STRNE(activity_meanings[i], "");
  }
}

}  // namespace
