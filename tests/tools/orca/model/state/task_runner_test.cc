#include "tools/orca/model/state/task_runner.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

class TaskRunner : public testing::Test {
 protected:
  TaskRunner() {
    small_.files.Append(
        DUMP_CLASSES,
        "100.0000000000,000000D1,Ljava/util/TimerThread;,T.java\n"
        "100.0000000000,000000D2,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n"
        "100.0000000000,000000D3,"
        "Ljava/util/concurrent/ThreadPoolExecutor$CallerRunsPolicy;,T.java\n"
        "100.0000000000,000000D4,Ljava/util/concurrent/ForkJoinWorkerThread;,F.java\n"
        "100.0000000000,000000D5,"
        "Ljava/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask;,S.java\n"
        "100.0000000000,000000D6,Ljava/lang/VirtualThread;,V.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000021,mainLoop,()V,000000D1,-1\n"
                        "100.0000000000,00000022,runWorker,()V,000000D2,-1\n"
                        "100.0000000000,00000023,rejectedExecution,()V,000000D3,-1\n"
                        "100.0000000000,00000024,run,()V,000000D4,-1\n"
                        "100.0000000000,00000025,run,()V,000000D5,-1\n"
                        "100.0000000000,00000026,execute,()V,000000D2,-1\n"
                        "100.0000000000,00000027,runContinuation,()V,000000D6,-1\n");
    small_.Read();
  }
  // The method is called by the others, which are its callers from the inside out.
  enum task_runner Runner(const std::vector<const char *> &methods) {
    std::string text = std::to_string(methods.size());
    for (const char *method : methods) text += std::string(";000000") + method + ";00000000";
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(text), &id));
    return task_runner_of_stack(&small_.model.stacks, small_.dump, id);
  }

  SmallModel small_;
};

TEST_F(TaskRunner, IsTheMethodThatRunsTheTask) {
  EXPECT_EQ(Runner({"12", "21"}), RUNNER_TIMER);
  EXPECT_EQ(Runner({"12", "22", "11"}), RUNNER_POOL);
  EXPECT_EQ(Runner({"12", "24"}), RUNNER_FORK_JOIN);
}

TEST_F(TaskRunner, IsTheInnermostOne) {
  EXPECT_EQ(Runner({"12", "25", "22", "11"}), RUNNER_SCHEDULER);
  EXPECT_EQ(Runner({"12", "23", "26", "10", "22", "11"}), RUNNER_CALLER);
}

// Its pool is the JDK's, and what it runs are virtual threads.
TEST_F(TaskRunner, IsNoneOfACarrier) {
  EXPECT_EQ(Runner({"27", "24"}), RUNNER_NONE);
  EXPECT_EQ(Runner({"12", "22", "27", "24"}), RUNNER_POOL);
}

TEST_F(TaskRunner, IsNoneOutsideOfTasks) {
  EXPECT_EQ(Runner({"12", "11"}), RUNNER_NONE);
  EXPECT_EQ(Runner({"26", "11"}), RUNNER_NONE);
  EXPECT_EQ(task_runner_of_stack(&small_.model.stacks, small_.dump, 0), RUNNER_NONE);
}

}  // namespace
