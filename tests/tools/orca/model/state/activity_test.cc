#include "tools/orca/model/state/activity.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

TEST(Activity, ClassifiesARunnableThreadByItsTopMethod) {
  SmallModel small;
  small.Read();
  EXPECT_EQ(activity_of_top(small.dump, 0x14), ACTIVITY_IO);      // EPoll.wait
  EXPECT_EQ(activity_of_top(small.dump, 0x01), ACTIVITY_WAITS);   // Object.wait
  EXPECT_EQ(activity_of_top(small.dump, 0x03), ACTIVITY_SLEEPS);  // Thread.sleep
  EXPECT_EQ(activity_of_top(small.dump, 0x10), ACTIVITY_RUNS);
  EXPECT_EQ(activity_of_top(small.dump, 0x02), ACTIVITY_RUNS);  // another method of Object
  EXPECT_EQ(activity_of_top(small.dump, 0xFF), ACTIVITY_RUNS);  // an unknown method
}

TEST(Activity, ClassifiesOtherThreadsByTheirState) {
  for (enum activity top : {ACTIVITY_RUNS, ACTIVITY_IO, ACTIVITY_HIDDEN}) {
    EXPECT_EQ(activity_of(STATE_RUNNABLE, top), top);
    EXPECT_EQ(activity_of(STATE_NATIVE, top), top);
    EXPECT_EQ(activity_of(STATE_BLOCKED, top), ACTIVITY_BLOCKED);
    EXPECT_EQ(activity_of(STATE_WAITING, top), ACTIVITY_WAITS);
    EXPECT_EQ(activity_of(STATE_TIMED_WAITING, top), ACTIVITY_WAITS);
    EXPECT_EQ(activity_of(STATE_PARKED, top), ACTIVITY_WAITS);
    EXPECT_EQ(activity_of(STATE_TIMED_PARKED, top), ACTIVITY_WAITS);
    EXPECT_EQ(activity_of(STATE_SLEEPING, top), ACTIVITY_SLEEPS);
    EXPECT_EQ(activity_of(STATE_SUSPENDED, top), ACTIVITY_HIDDEN);
    EXPECT_EQ(activity_of(STATE_TERMINATED, top), ACTIVITY_HIDDEN);
  }
}

}  // namespace
