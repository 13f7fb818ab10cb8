#include "tools/orca/causal/path/path_calls.h"

#include "tests/tools/orca/causal/told_trace.h"

namespace {

class PathCalls : public testing::Test {
 protected:
  ~PathCalls() override {
    path_calls_free(&calls_);
    path_free(&path_);
  }
  void Walk(ToldTrace *told, const char *pattern) {
    ASSERT_TRUE(path_calls_find(&calls_, &told->trace, pattern));
    ASSERT_TRUE(path_start(&path_, &told->trace));
    ASSERT_TRUE(path_calls_walk(&calls_, &path_));
  }
  struct path_calls calls_ = {};
  struct path path_ = {};
};

// Each thread of a ToldTrace runs in a method of its own name.
TEST_F(PathCalls, AreTheOutermostCallsOfTheMethod) {
  ToldTrace told(
      "0.0 serve ThreadStarted\n"
      "1.0 serve MethodEntry\n"
      "1.5 serve MethodEntry\n"
      "1.6 serve MethodExit\n"
      "2.0 serve MethodExit\n"
      "3.0 serve MethodEntry\n"
      "3.5 serve MethodExit\n"
      "4.0 serve MethodEntry\n"
      "5.0 other ThreadStarted\n"
      "5.0 other MethodEntry\n"
      "5.5 other MethodExit\n");
  Walk(&told, "serve");
  ASSERT_EQ(calls_.num, 2u);  // the last one has no end
  EXPECT_EQ(calls_.works[0].begin, told.At(3.0));
  EXPECT_EQ(calls_.works[1].begin, told.At(1.0));
  EXPECT_EQ(calls_.groups[PATH_ALL_CALLS].calls, 2u);
  EXPECT_EQ(calls_.groups[PATH_ALL_CALLS].table.total, ToldTrace::Ticks(1.5));
}

// What makes the slowest call slow is not what the others spend their time with.
TEST_F(PathCalls, TellTheSlowestFromTheTypicalOnes) {
  std::string text = "0.0 serve ThreadStarted\n0.0 b ThreadStarted\n";
  char line[200];
  for (int i = 0; i < 9; i++) {
    snprintf(line, sizeof line,
             "%d.1 serve MethodEntry\n%d.2 serve ThreadSleep\n%d.3 serve ThreadSlept\n"
             "%d.4 serve MethodExit\n",
             i, i, i, i);
    text += line;
  }
  text +=
      "9.1 serve MethodEntry\n"
      "9.15 b LockAcquire l\n"
      "9.150001 b LockAcquired l\n"
      "9.2 serve LockAcquire l b\n"
      "9.9 b LockRelease l\n"
      "9.9001 serve LockAcquired l\n"
      "9.95 serve MethodExit\n"
      "10.0 serve Cpu 8000\n"
      "10.0 b Cpu 10000\n";
  ToldTrace told(text, "locks=all,");
  Walk(&told, "serve");
  const struct path_group &typical = calls_.groups[PATH_TYPICAL_CALLS];
  const struct path_group &slowest = calls_.groups[PATH_SLOWEST_CALLS];
  EXPECT_EQ(calls_.num, 10u);
  EXPECT_EQ(slowest.calls, 1u);
  EXPECT_EQ(slowest.longest, ToldTrace::Ticks(0.85));
  EXPECT_GE(typical.calls, 2u);
  EXPECT_EQ(typical.longest, ToldTrace::Ticks(0.3));
  ASSERT_GT(slowest.table.num, 0u);
  EXPECT_EQ(slowest.table.rows[0].lock, 1u);
  EXPECT_EQ(slowest.table.reasons[PATH_SLEEPS], 0u);
  EXPECT_NEAR(double(typical.table.reasons[PATH_SLEEPS]) / double(typical.table.total), 1 / 3.,
              0.01);
  for (size_t i = 0; i < typical.table.num; i++) EXPECT_EQ(typical.table.rows[i].lock, 0u);
}

TEST_F(PathCalls, AreNoneWithoutATrackedMethod) {
  ToldTrace told("0.0 serve ThreadStarted\n1.0 serve ThreadEnded\n");
  Walk(&told, "serve");
  EXPECT_EQ(calls_.num, 0u);
  EXPECT_EQ(calls_.groups[PATH_SLOWEST_CALLS].calls, 0u);
}

// A task was in the queue of its pool before a worker took it. The last one has no end.
TEST_F(PathCalls, CanBeTheTasksOfAPool) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 w ThreadStarted\n"
      "1.0 main TaskQueued t\n"
      "1.1 main TaskQueued u\n"
      "3.0 w TaskTaken t\n"
      "3.5 w ThreadSleep\n"
      "4.5 w ThreadSlept\n"
      "5.0 w TaskTaken u\n"
      "6.0 w ThreadSleep\n"
      "7.0 w ThreadSlept\n"
      "7.5 w Cpu 7500\n");
  ASSERT_TRUE(path_tasks_find(&calls_, &told.trace));
  ASSERT_TRUE(path_start(&path_, &told.trace));
  ASSERT_TRUE(path_calls_walk(&calls_, &path_));
  ASSERT_EQ(calls_.num, 1u);
  EXPECT_EQ(calls_.works[0].queued, told.At(1.0));
  EXPECT_EQ(calls_.works[0].begin, told.At(3.0));
  EXPECT_EQ(calls_.works[0].end, told.At(5.0));
  const struct path_group &all = calls_.groups[PATH_ALL_CALLS];
  EXPECT_EQ(all.longest, ToldTrace::Ticks(4.0));
  EXPECT_EQ(all.table.total, ToldTrace::Ticks(4.0));
  EXPECT_EQ(all.table.reasons[PATH_IN_QUEUE], ToldTrace::Ticks(2.0));
  EXPECT_EQ(all.table.reasons[PATH_SLEEPS], ToldTrace::Ticks(1.0));
}

// The events of a pool that starts the worker w for the task t. Their stacks are set afterwards.
class FirstTask : public PathCalls {
 protected:
  FirstTask()
      : told_(
            "0.0 main ThreadStarted\n"
            "0.1 main ObjectNotify execute\n"
            "0.2 main ObjectNotify addWorker\n"
            "0.3 main ObjectNotify start\n"
            "0.4 main ObjectNotify <init>\n"
            "1.0 main TaskQueued t\n"
            "1.5 main ThreadStart w\n"
            "2.0 w ThreadStarted\n"
            "2.5 w ThreadSleep\n"
            "4.5 w ThreadSlept\n"
            "4.6 main TaskQueued u\n"
            "5.0 w TaskTaken u\n"
            "6.0 w ThreadEnded\n"
            "7.0 w Cpu 1500\n") {}

  // `methods`: the innermost first; their frames are those of `main`.
  void SetStack(enum event_kind event, std::vector<std::string> methods) {
    methods.push_back("main");
    std::string text = std::to_string(methods.size());
    for (const std::string &method : methods) {
      char frame[32];
      snprintf(frame, sizeof frame, ";%08X;00000000", told_.Hash(method));
      text += frame;
    }
    stack_id_t id = 0;
    ASSERT_TRUE(stacks_intern(&told_.model.stacks, told_.dump, {text.data(), text.size()}, &id));
    for (size_t i = 0; i < told_.trace.num_ops; i++) {
      if (told_.trace.ops[i].event == event) told_.trace.ops[i].stack = id;
    }
  }
  size_t CountTasks() {
    path_calls_free(&calls_);
    calls_ = {};
    EXPECT_TRUE(path_tasks_find(&calls_, &told_.trace));
    return calls_.num;
  }

  ToldTrace told_;
};

TEST_F(FirstTask, IsThatOfTheCallThatStartedTheWorker) {
  SetStack(EVENT_TASK_QUEUED, {"execute"});
  SetStack(EVENT_THREAD_START, {"start", "addWorker", "execute"});
  ASSERT_EQ(CountTasks(), 2u);
  EXPECT_EQ(calls_.works[1].queued, 0u);
  EXPECT_EQ(calls_.works[1].begin, told_.At(1.0));
  EXPECT_EQ(calls_.works[1].end, told_.At(5.0));
  ASSERT_TRUE(path_start(&path_, &told_.trace));
  ASSERT_TRUE(path_calls_walk(&calls_, &path_));
  const struct path_group &all = calls_.groups[PATH_ALL_CALLS];
  EXPECT_EQ(all.longest, ToldTrace::Ticks(4.0));
  EXPECT_EQ(all.table.reasons[PATH_SLEEPS], ToldTrace::Ticks(2.0));
  EXPECT_EQ(all.table.reasons[PATH_HANDOFF], ToldTrace::Ticks(0.5));
  EXPECT_EQ(all.table.reasons[PATH_IN_QUEUE], ToldTrace::Ticks(0.4)) << "of u";
}

// prestartCoreThread, a thread factory, and a thread that is no worker have no first task.
TEST_F(FirstTask, IsNoneIfTheThreadWasNotStartedForIt) {
  EXPECT_EQ(CountTasks(), 1u) << "without stacks";
  SetStack(EVENT_TASK_QUEUED, {"execute"});
  for (const std::vector<std::string> &methods :
       std::vector<std::vector<std::string>>{{"start"},
                                             {"start", "addWorker"},
                                             {"start", "execute"},
                                             {"start", "<init>", "addWorker", "execute"}}) {
    SetStack(EVENT_THREAD_START, methods);
    EXPECT_EQ(CountTasks(), 1u) << methods.size();
  }
}

// The pool had no thread, so it put the task into the queue and started a worker.
TEST_F(FirstTask, IsNoneIfItWentThroughTheQueue) {
  SetStack(EVENT_TASK_QUEUED, {"execute"});
  SetStack(EVENT_THREAD_START, {"start", "addWorker", "execute"});
  struct trace *t = &told_.trace;
  uint32_t queued = 0;
  for (uint32_t i = 0; i < t->num_ops && queued == 0; i++) {
    if (t->ops[i].event == EVENT_TASK_QUEUED) queued = i + 1;
  }
  for (size_t i = 0; i < t->num_ops; i++) {
    if (t->ops[i].event == EVENT_TASK_TAKEN) t->ops[i].cause_op = queued;
  }
  ASSERT_EQ(CountTasks(), 1u);
  EXPECT_EQ(calls_.works[0].queued, told_.At(1.0));
}

}  // namespace
