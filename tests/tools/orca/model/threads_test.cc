#include "tools/orca/model/threads.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

const struct thread *FindThread(const struct model *m, uint32_t hash) {
  const struct thread *t = threads_find(&m->threads, hash);
  EXPECT_NE(t, nullptr);
  return t;
}

TEST(Threads, HaveNamesLifetimesAndCpuTime) {
  SmallModel small;
  const struct model *m = small.Read();
  EXPECT_EQ(m->threads.num, 4u);
  EXPECT_EQ(m->threads.rows[0].hash, 2u);  // most CPU time first
  const struct thread *worker = FindThread(m, 2);
  EXPECT_STREQ(worker->name, "worker-1");
  EXPECT_EQ(worker->cpu_ns, 990 * kMs);
  EXPECT_EQ(worker->first, kSecond * 1001 / 10);
  EXPECT_EQ(worker->last, 110 * kSecond);
  EXPECT_TRUE(worker->alive);
  EXPECT_FALSE(FindThread(m, 4)->alive);
  EXPECT_EQ(FindThread(m, 4)->last, 109 * kSecond);
  EXPECT_EQ(threads_find(&m->threads, 99), nullptr);
}

// The states are those of tests/tools/orca/model/replay/timeline_test.cc.
TEST(Threads, SumTimeByActivity) {
  SmallModel small;
  const struct model *m = small.Read();
  EXPECT_EQ(FindThread(m, 2)->in_activity[ACTIVITY_RUNS], kSecond * 575 / 100);
  EXPECT_EQ(FindThread(m, 2)->in_activity[ACTIVITY_BLOCKED], kSecond * 275 / 100);
  EXPECT_EQ(FindThread(m, 2)->in_activity[ACTIVITY_SLEEPS], kSecond / 2);
  EXPECT_EQ(FindThread(m, 2)->in_activity[ACTIVITY_NO_CALL], kSecond * 9 / 10);  // before samples
  EXPECT_EQ(FindThread(m, 3)->in_activity[ACTIVITY_BLOCKED], kSecond * 2375 / 1000);
  EXPECT_EQ(FindThread(m, 3)->in_activity[ACTIVITY_WAITS], 1 * kSecond);  // until its next call
  EXPECT_EQ(FindThread(m, 4)->in_activity[ACTIVITY_IO], kSecond * 879 / 100);  // until it ended
  EXPECT_EQ(FindThread(m, 4)->in_activity[ACTIVITY_RUNS], kSecond / 100);      // its CPU time
  EXPECT_EQ(m->threads.unsampled, 1u);                                         // main
}

TEST(Threads, CountPairsByGroup) {
  SmallModel small;
  const struct model *m = small.Read();
  EXPECT_EQ(FindThread(m, 2)->pairs[GROUP_MONITOR], 3u);
  EXPECT_EQ(FindThread(m, 2)->pairs_time[GROUP_MONITOR], kSecond * 275 / 100);
  EXPECT_EQ(FindThread(m, 2)->pairs[GROUP_SLEEP], 1u);
  EXPECT_EQ(FindThread(m, 1)->pairs[GROUP_WAIT], 1u);
  EXPECT_EQ(FindThread(m, 1)->pairs_time[GROUP_JOIN], 3 * kSecond);
}

TEST(Threads, CountUnnamedThreadsAndSharedHashes) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.1000000000,ThreadStarted,00000004,next\n"
                     "109.2000000000,ThreadSleep,00000077,0\n");
  const struct model *m = small.Read();
  EXPECT_EQ(m->threads.shared, 1u);
  EXPECT_EQ(m->threads.unnamed, 1u);
  EXPECT_STREQ(FindThread(m, 4)->name, "next");
  EXPECT_TRUE(FindThread(m, 4)->alive);
  EXPECT_EQ(FindThread(m, 0x77)->name, nullptr);
}

TEST(Threads, ATerminatedThreadHasNoMoreTime) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES, "106.0000000000,Sample,00000003,Terminated,-1,0\n");
  const struct model *m = small.Read();
  EXPECT_FALSE(FindThread(m, 3)->alive);
}

}  // namespace
