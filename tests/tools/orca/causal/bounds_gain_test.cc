#include "tools/orca/causal/bounds_gain.h"

#include "tests/tools/orca/causal/told_trace.h"
#include "tools/orca/causal/bounds_find.h"

namespace {

// main and b take turns at a lock, and sleep 1 s each time while they hold it. Without the lock
// both take half of the time.
std::string TellTurns() {
  std::string text = "0.0 main ThreadStarted\n0.0 b ThreadStarted\n";
  char line[400];
  for (int i = 0; i < 10; i++) {
    const char *me = i % 2 == 0 ? "b" : "main", *other = i % 2 == 0 ? "main" : "b";
    if (i == 0) text += "0.01 b LockAcquire l\n0.010001 b LockAcquired l\n";
    snprintf(line, sizeof line,
             "%d.02 %s ThreadSleep\n%d.03 %s LockAcquire l %s\n%d.95 %s ThreadSlept\n"
             "%d.96 %s LockRelease l\n%d.9601 %s LockAcquired l\n",
             i, me, i, other, me, i, me, i, me, i, other);
    text += line;
  }
  return text +
         "10.0 b LockRelease l\n10.1 b ThreadEnded\n10.1 main Cpu 100\n10.1 b Cpu 100\n"
         "10.2 main ThreadEnded\n";
}

TEST(BoundsGain, IsThatOfTheLockWithMostTimeOnThePath) {
  ToldTrace told(TellTurns(), "locks=all,");
  ASSERT_TRUE(bounds_find(&told.model));
  const struct bounds_gain &gain = told.model.bounds.gain;
  ASSERT_TRUE(gain.known);
  EXPECT_EQ(gain.lock_id, told.model.locks.rows[0].id);
  EXPECT_GT(gain.least, 1.5);
  EXPECT_LT(gain.most, 2.5);
  EXPECT_EQ(gain.limit, LIMIT_SLEEP);
}

TEST(BoundsGain, IsUnknownWithoutALockOnThePath) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadSleep\n"
      "2.0 main ThreadSlept\n"
      "5.0 main Cpu 3900\n"
      "5.0 main ThreadEnded\n");
  ASSERT_TRUE(bounds_find(&told.model));
  EXPECT_TRUE(told.model.bounds.known);
  EXPECT_FALSE(told.model.bounds.gain.known);
}

}  // namespace
