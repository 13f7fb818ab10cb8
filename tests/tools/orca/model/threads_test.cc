#include "tools/orca/model/threads.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

const struct thread *Find(const struct model *m, uint32_t hash) {
  const struct thread *t = threads_find(&m->threads, hash);
  EXPECT_NE(t, nullptr);
  return t;
}

TEST(Threads, NameLifeAndCpu) {
  SmallModel small;
  const struct model *m = small.Read();
  EXPECT_EQ(m->threads.num, 4u);
  EXPECT_EQ(m->threads.rows[0].hash, 2u);  // most CPU time first
  const struct thread *worker = Find(m, 2);
  EXPECT_STREQ(worker->name, "worker-1");
  EXPECT_EQ(worker->cpu_ns, 990 * kMs);
  EXPECT_EQ(worker->first, kSecond * 1001 / 10);
  EXPECT_EQ(worker->last, 110 * kSecond);
  EXPECT_TRUE(worker->alive);
  EXPECT_FALSE(Find(m, 4)->alive);
  EXPECT_EQ(Find(m, 4)->last, 109 * kSecond);
  EXPECT_EQ(threads_find(&m->threads, 99), nullptr);
}

TEST(Threads, TimeByActivity) {
  SmallModel small;
  const struct model *m = small.Read();
  EXPECT_EQ(Find(m, 2)->in_activity[ACTIVITY_RUNS], 8 * kSecond);
  EXPECT_EQ(Find(m, 2)->in_activity[ACTIVITY_BLOCKED], 1 * kSecond);
  EXPECT_EQ(Find(m, 3)->in_activity[ACTIVITY_RUNS], 1 * kSecond);
  EXPECT_EQ(Find(m, 3)->in_activity[ACTIVITY_WAITS], 5 * kSecond);
  EXPECT_EQ(Find(m, 4)->in_activity[ACTIVITY_IO], 8 * kSecond);  // until it ended
  EXPECT_EQ(m->threads.unsampled, 1u);                           // main
}

TEST(Threads, PairsByGroup) {
  SmallModel small;
  const struct model *m = small.Read();
  EXPECT_EQ(Find(m, 2)->pairs[GROUP_MONITOR], 3u);
  EXPECT_EQ(Find(m, 2)->pairs_time[GROUP_MONITOR], kSecond * 275 / 100);
  EXPECT_EQ(Find(m, 2)->pairs[GROUP_SLEEP], 1u);
  EXPECT_EQ(Find(m, 1)->pairs[GROUP_WAIT], 1u);
  EXPECT_EQ(Find(m, 1)->pairs_time[GROUP_JOIN], 3 * kSecond);
}

TEST(Threads, WithoutANameAndWithASharedHash) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.1000000000,ThreadStarted,00000004,next\n"
                     "109.2000000000,ThreadSleep,00000077,0\n");
  const struct model *m = small.Read();
  EXPECT_EQ(m->threads.shared, 1u);
  EXPECT_EQ(m->threads.unnamed, 1u);
  EXPECT_STREQ(Find(m, 4)->name, "next");
  EXPECT_TRUE(Find(m, 4)->alive);
  EXPECT_EQ(Find(m, 0x77)->name, nullptr);
}

TEST(Threads, TerminatedEndsTheTime) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES, "106.0000000000,Sample,00000003,Terminated,-1,0\n");
  const struct model *m = small.Read();
  EXPECT_EQ(Find(m, 3)->in_activity[ACTIVITY_WAITS], 1 * kSecond);
  EXPECT_FALSE(Find(m, 3)->alive);
}

}  // namespace
