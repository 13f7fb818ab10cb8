#include "tests/tools/orca/causal/whatif/recorded.h"
#include "tools/orca/causal/whatif/script.h"

namespace {

using machine::Op;
using machine::Program;

Program Tasks(int num, int threads) {
  Program p;
  p.cpus = 8;
  p.pools = {threads};
  std::vector<Op> ops;
  for (int i = 0; i < num; i++) {
    p.tasks.push_back({0, {{machine::kSleep, 0, 10}, {machine::kLock}, {machine::kUnlock}}});
    ops.push_back({machine::kSubmit, i});
  }
  for (int i = 0; i < num; i++) ops.push_back({machine::kGet, i});
  p.threads = {ops};
  return p;
}

// The acts of a task are its own, from one ACT_TASK_DONE to the next.
TEST(ScriptPools, DivideTheActsOfAThreadIntoTasks) {
  Recorded r(Tasks(6, 2));
  Prediction p(r.files);
  const struct script &s = p.Whatif().script;
  ASSERT_EQ(s.num_pools, 1u);
  EXPECT_TRUE(s.pools[0].is_known);
  EXPECT_TRUE(s.pools[0].is_full);
  ASSERT_EQ(s.num_tasks, 6u);
  int queued = 0, done = 0, works = 0;
  for (size_t i = 0; i < s.num_acts; i++) {
    queued += s.acts[i].kind == ACT_QUEUE;
    done += s.acts[i].kind == ACT_TASK_DONE;
    works += s.acts[i].kind == ACT_WORK;
  }
  EXPECT_EQ(queued, 6);
  EXPECT_EQ(done, 6);
  EXPECT_EQ(works, 2);
  for (size_t i = 0; i < s.num_tasks; i++) {
    int sleeps = 0, acquires = 0;
    size_t at = s.tasks[i].first;
    EXPECT_FALSE(s.tasks[i].is_waiting);
    for (; s.acts[at].kind != ACT_TASK_DONE; at++) {
      sleeps += s.acts[at].kind == ACT_SLEEP;
      acquires += s.acts[at].kind == ACT_ACQUIRE;
    }
    EXPECT_EQ(sleeps, 1);
    EXPECT_EQ(acquires, 1);
    EXPECT_EQ(s.acts[at].object, i);
  }
  EXPECT_NEAR(p.Baseline(), r.time, 0.5);
}

// Without the events of the queue it is not known how long a thread had no task.
TEST(ScriptPools, AreUnknownIfTheQueueIs) {
  Recorded r(Tasks(6, 2));
  r.files.Replace(DUMP_EVENTS, "QueueRemove,", "ThreadSleep,");
  r.files.Replace(DUMP_METHODS, "getTask", "getWork");
  Prediction p(r.files, EDIT_POOL, "pool-1=2x");
  EXPECT_FALSE(p.IsFound());
  EXPECT_EQ(p.Why(),
            "the number of threads of pool-1 cannot be changed: the events of its tasks are "
            "incomplete; record from the start of the program with events=all");
}

}  // namespace
