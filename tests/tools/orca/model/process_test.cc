#include "tools/orca/model/process.h"

#include "tests/tools/orca/model/machine_dump.h"

namespace {

TEST(Process, SumsItsLines) {
  MachineModel small;
  const struct process &p = small.Read()->process;
  EXPECT_TRUE(p.known && p.throttled_known && p.wait_known);
  EXPECT_EQ(p.cpu_ns, 4000 * kMs);
  EXPECT_EQ(p.throttled_ns, 1500 * kMs);
  EXPECT_EQ(p.java_wait_ns, 4000 * kMs);
  EXPECT_EQ(p.pauses, 3u);
  EXPECT_EQ(p.pause_ns, 750 * kMs);
  EXPECT_EQ(p.longest_pause_ns, 400 * kMs);
  EXPECT_EQ(p.longest_pause_end, 106 * kSecond);
}

TEST(Process, SortsTasksByCpuTime) {
  MachineModel small;
  const struct process &p = small.Read()->process;
  ASSERT_EQ(p.num_tasks, 5u);
  EXPECT_EQ(p.tasks[0].tid, 20u);
  EXPECT_STREQ(p.tasks[0].name, "C2 CompilerThre");
  EXPECT_EQ(p.tasks[0].kind, TASK_KIND_JIT);
  EXPECT_EQ(p.tasks[0].cpu_ns, 2000 * kMs);
  EXPECT_EQ(p.tasks[0].wait_ns, 400 * kMs);
  EXPECT_TRUE(p.tasks[0].wait_known);
  EXPECT_EQ(p.tasks[2].tid, 22u);
  EXPECT_FALSE(p.tasks[2].wait_known);
  EXPECT_STREQ(p.tasks[4].name, "zlib,");
}

TEST(Process, SharesAddUpToTheProcess) {
  MachineModel small;
  const struct model *m = small.Read();
  struct process_share shares[NUM_PROCESS_OWNERS];
  process_shares(&m->process, m->cpu.total_ns, shares);
  EXPECT_EQ(shares[OWNER_JAVA].cpu_ns, 1000 * kMs);
  EXPECT_EQ(shares[OWNER_JAVA].wait_ns, 4000 * kMs);
  EXPECT_EQ(shares[OWNER_JIT].cpu_ns, 2000 * kMs);
  EXPECT_EQ(shares[OWNER_GC].cpu_ns, 500 * kMs);
  EXPECT_EQ(shares[OWNER_VM].cpu_ns, 200 * kMs);
  EXPECT_EQ(shares[OWNER_NATIVE].cpu_ns, 80 * kMs);
  EXPECT_EQ(shares[OWNER_ORCA].cpu_ns, 100 * kMs);
  EXPECT_EQ(shares[OWNER_UNKNOWN].cpu_ns, 120 * kMs);
  process_shares(&m->process, 9000 * kMs, shares);  // more than the process, so nothing is left
  EXPECT_EQ(shares[OWNER_UNKNOWN].cpu_ns, 0u);
}

TEST(Process, SumsTheWaitsOfAThread) {
  MachineModel small;
  const struct process &p = small.Read()->process;
  uint64_t ns;
  ASSERT_TRUE(process_wait(&p, 2, &ns));
  EXPECT_EQ(ns, 3000 * kMs);
  ASSERT_TRUE(process_wait(&p, 1, &ns));
  EXPECT_EQ(ns, 0u);
}

TEST(Process, AnOlderRecordingHasNoFigures) {
  SmallModel small;
  const struct process &p = small.Read()->process;
  uint64_t ns;
  EXPECT_FALSE(p.known || p.throttled_known || p.wait_known);
  EXPECT_FALSE(process_wait(&p, 2, &ns));
  EXPECT_EQ(p.num_tasks, 0u);
}

TEST(Process, CountsOnlyLinesInTheRange) {
  MachineModel small;
  struct filter filter = {};
  filter.from = 106 * kSecond + 1;
  filter.to = FILTER_NO_END;
  const struct process &p = small.Read(&filter)->process;
  EXPECT_EQ(p.cpu_ns, 1500 * kMs);
  EXPECT_EQ(p.throttled_ns, 1000 * kMs);
  EXPECT_EQ(p.pauses, 1u);
  EXPECT_EQ(p.java_wait_ns, 2000 * kMs);
}

TEST(Process, AThreadFilterKeepsOnlySchedLines) {
  MachineModel small;
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-2"}, 1};
  const struct process &p = small.Read(&filter)->process;
  EXPECT_FALSE(p.known);
  EXPECT_EQ(p.num_tasks, 0u);
  EXPECT_EQ(p.pauses, 0u);
  EXPECT_EQ(p.java_wait_ns, 1000 * kMs);
}

TEST(Process, AReusedTidOfAnotherKindIsAnotherTask) {
  MachineModel small;
  small.files.Append(DUMP_SAMPLES, "109.1000000000,Task,20,Native,5,-1,other\n");
  const struct process &p = small.Read()->process;
  ASSERT_EQ(p.num_tasks, 6u);
  EXPECT_EQ(p.tasks[5].tid, 20u);
  EXPECT_EQ(p.tasks[5].cpu_ns, 5u);
}

TEST(Process, UnknownThrottlingStaysUnknown) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES, "105.0000000000,Process,5,-1\n");
  const struct process &p = small.Read()->process;
  EXPECT_TRUE(p.known);
  EXPECT_FALSE(p.throttled_known);
}

}  // namespace
