#include "tools/orca/model/queued_tasks.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// Task B1 is in a queue for 50 ms, then for 4 ms, B2 for 20 ms. No thread takes B3.
constexpr char kTasks[] =
    "101.0000000000,TaskQueued,00000001,000000B1,0\n"
    "101.0100000000,TaskQueued,00000001,000000B2,0\n"
    "101.0300000000,TaskTaken,00000002,000000B2,0\n"
    "101.0500000000,TaskTaken,00000003,000000B1,0\n"
    "101.0600000000,TaskQueued,00000001,000000B3,0\n"
    "102.0000000000,TaskQueued,00000001,000000B1,0\n"
    "102.0040000000,TaskTaken,00000002,000000B1,0\n"
    "102.0050000000,TaskTaken,00000002,000000B1,0\n";

TEST(QueuedTasks, SumUpTheTimesInQueues) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, kTasks);
  const struct queued_tasks &q = small.Read()->queued_tasks;
  EXPECT_EQ(q.num, 3u);
  EXPECT_EQ(q.total, TICKS_PER_S * 74 / 1000);
  EXPECT_EQ(q.longest, TICKS_PER_S * 50 / 1000);
  EXPECT_EQ(q.short_calls.num, 0u);
}

TEST(QueuedTasks, ContainShortTimes) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Write(DUMP_EVENTS, kTasks);
  small.files.Append(DUMP_COUNTS,
                     "109.6000000000,TaskQueued,000000B4,100,300000000,9000000,0\n"
                     "109.6000000001,TaskQueued,00000000,900,500000000,8000000,0\n");
  const struct queued_tasks &q = small.Read()->queued_tasks;
  EXPECT_EQ(q.num, 1003u);
  EXPECT_EQ(q.total, TICKS_PER_S * 874 / 1000);
  EXPECT_EQ(q.longest, TICKS_PER_S * 50 / 1000);
  EXPECT_EQ(q.long_num, 2u);
  EXPECT_EQ(q.long_total, TICKS_PER_S * 70 / 1000);
  EXPECT_EQ(q.short_calls.num, 1000u);
}

// The queue of a ScheduledThreadPoolExecutor has tasks whose time has not come. Such a task can
// queue another one elsewhere: only the top frame tells.
TEST(QueuedTasks, AreNotScheduledTasks) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_CLASSES,
                     "100.0000000000,000000D1,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n"
                     "100.0000000000,000000D2,Ljava/util/concurrent/ScheduledThreadPoolExecutor;,"
                     "S.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000021,execute,()V,000000D1,-1\n"
                     "100.0000000000,00000022,delayedExecute,()V,000000D2,-1\n"
                     "100.0000000000,00000023,reExecutePeriodic,()V,000000D2,-1\n");
  small.files.Write(
      DUMP_EVENTS,
      "101.0000000000,TaskQueued,00000001,000000B1,1;00000022;00000000\n"
      "101.0000000001,TaskQueued,00000001,000000B2,2;00000021;00000000;00000023;00000000\n"
      "101.0200000001,TaskTaken,00000002,000000B2,0\n"
      "102.0000000000,TaskTaken,00000002,000000B1,0\n"
      "102.0000000001,TaskQueued,00000001,000000B1,1;00000023;00000000\n"
      "103.0000000000,TaskTaken,00000002,000000B1,0\n");
  small.files.Append(
      DUMP_COUNTS,
      "109.6000000000,TaskQueued,000000B1,100,900000000,9000000,1;00000022;00000000\n"
      "109.6000000001,TaskQueued,00000000,10,50000000,8000000,1;00000021;00000000\n");
  const struct queued_tasks &q = small.Read()->queued_tasks;
  EXPECT_EQ(q.num, 11u);
  EXPECT_EQ(q.total, TICKS_PER_S * 70 / 1000);
  EXPECT_EQ(q.longest, TICKS_PER_S * 20 / 1000);
  EXPECT_EQ(q.short_calls.num, 10u);
}

// One object that is queued three times is three tasks. A worker starts with the first one.
TEST(QueuedTasks, AreSeveralOfOneObject) {
  SmallModel small;
  small.files.Append(DUMP_CLASSES,
                     "100.0000000000,000000D1,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000021,execute,()V,000000D1,-1\n"
                     "100.0000000000,00000022,addWorker,()V,000000D1,-1\n");
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,TaskQueued,00000001,000000B1,1;00000021;00000000\n"
                    "101.0010000000,ThreadStart,00000001,00000002,"
                    "2;00000022;00000000;00000021;00000000\n"
                    "101.0100000000,TaskQueued,00000001,000000B1,1;00000021;00000000\n"
                    "101.0200000000,TaskQueued,00000001,000000B1,1;00000021;00000000\n"
                    "101.0400000000,TaskTaken,00000002,000000B1,0\n"
                    "101.0600000000,TaskTaken,00000002,000000B1,0\n");
  const struct queued_tasks &q = small.Read()->queued_tasks;
  EXPECT_EQ(q.num, 2u);
  EXPECT_EQ(q.total, TICKS_PER_S * 70 / 1000);
  EXPECT_EQ(q.longest, TICKS_PER_S * 40 / 1000);
}

TEST(QueuedTasks, FollowTheFilter) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, kTasks);
  struct filter filter = MakeFilter(TICKS_PER_S * 10104 / 100, 102 * TICKS_PER_S);
  const struct queued_tasks &q = small.Read(&filter)->queued_tasks;
  EXPECT_EQ(q.num, 1u);
  EXPECT_EQ(q.total, TICKS_PER_S * 10 / 1000);
}

}  // namespace
