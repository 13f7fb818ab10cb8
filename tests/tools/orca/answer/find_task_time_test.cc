#include "tests/tools/orca/answer/time_lines.h"

namespace {

// Tasks that sleep in OrderService.price, called by Inventory.reserve.
std::string TaskOf(const std::string &runners, int depth) {
  return std::to_string(depth + 3) + ";00000003;FFFFFFFF;00000010;00000000;00000012;00000000" +
         runners;
}
const std::string kTimer = TaskOf(";00000021;FFFFFFFF", 1);
const std::string kScheduled = TaskOf(";00000025;FFFFFFFF;00000022;FFFFFFFF", 2);
const std::string kForkJoin = TaskOf(";00000024;FFFFFFFF", 1);
const std::string kCaller = TaskOf(";00000023;FFFFFFFF;00000026;FFFFFFFF;00000011;00000000", 3);
const std::string kAlone = TaskOf("", 0);
constexpr char kAwaitTask[] = "1;00000021;FFFFFFFF";

class FindTaskTime : public TimeLines {
 protected:
  FindTaskTime() {
    small_.files.Append(
        DUMP_CLASSES,
        "100.0000000000,000000D1,Ljava/util/TimerThread;,T.java\n"
        "100.0000000000,000000D2,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n"
        "100.0000000000,000000D3,"
        "Ljava/util/concurrent/ThreadPoolExecutor$CallerRunsPolicy;,T.java\n"
        "100.0000000000,000000D4,Ljava/util/concurrent/ForkJoinWorkerThread;,F.java\n"
        "100.0000000000,000000D5,"
        "Ljava/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask;,S.java\n"
        "100.0000000000,000000D6,"
        "Ljava/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue;,S.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000021,mainLoop,()V,000000D1,-1\n"
                        "100.0000000000,00000022,runWorker,()V,000000D2,-1\n"
                        "100.0000000000,00000023,rejectedExecution,()V,000000D3,-1\n"
                        "100.0000000000,00000024,run,()V,000000D4,-1\n"
                        "100.0000000000,00000025,run,()V,000000D5,-1\n"
                        "100.0000000000,00000026,execute,()V,000000D2,-1\n");
    small_.files.Append(DUMP_OBJECTS, "100.0000000000,000000E1,000000D6\n");
    Start(1, "main");
    Sleep(1, 0.1, 9.9, kReserve);
  }
  std::string SayTime() {
    return SayKinds(
        {FINDING_timer, FINDING_busy_workers, FINDING_caller_runs, FINDING_idle, FINDING_pause});
  }
  void TakeScheduled(uint32_t thread) {
    Call("QueueRemove", "QueueRemoved", thread, 0.1, 0.2, "1;00000022;FFFFFFFF", ",000000E1");
  }
};

TEST_F(FindTaskTime, ATimerIsInItsTasks) {
  Start(2, "timer");
  Call("ObjectWait", "ObjectWaited", 2, 0.1, 1, kAwaitTask);
  Sleep(2, 1, 9, kTimer);
  EXPECT_EQ(SayTime(),
            "* timer, the only thread of a Timer, was in tasks for 8.00 s of 10.0 s: it slept 8.00 "
            "s at OrderService.price (OrderService.java:88), called by Inventory.reserve "
            "(Inventory.java:42). Meanwhile no other task of this timer can run.\n");
}

TEST_F(FindTaskTime, ATimerThatWaitsForItsTasksIsIdle) {
  Start(2, "timer");
  Call("ObjectWait", "ObjectWaited", 2, 0.1, 6, kAwaitTask);
  Sleep(2, 6, 8, kTimer);
  EXPECT_TRUE(Has(SayTime(), "* The program was idle for "));
}

// Others are at the same place.
TEST_F(FindTaskTime, CountsOnlyTheTimeOfTheTimer) {
  Start(2, "timer");
  Start(3, "other");
  Sleep(2, 1, 8, kTimer);
  Sleep(3, 1, 9.9, kAlone);
  EXPECT_TRUE(Has(SayTime(),
                  "* timer, the only thread of a Timer, was in tasks for 7.00 s of 10.0 "
                  "s: it slept 7.00 s at OrderService.price"));
}

TEST_F(FindTaskTime, TheOnlyThreadOfAScheduler) {
  Start(2, "scheduler");
  TakeScheduled(2);
  Sleep(2, 1, 9, kScheduled);
  std::string text = SayTime();
  EXPECT_TRUE(Has(text,
                  "* scheduler, the only thread of a ScheduledThreadPoolExecutor, was in "
                  "tasks for 8.00 s of 10.0 s: it slept "))
      << text;
  EXPECT_TRUE(Has(text, "no other task of this executor can run.")) << text;
}

TEST_F(FindTaskTime, OneOfSeveralThreadsOfASchedulerHoldsUpNoTask) {
  Start(2, "scheduler-1");
  Start(3, "scheduler-2");
  TakeScheduled(2);
  TakeScheduled(3);
  Sleep(2, 1, 9, kScheduled);
  EXPECT_TRUE(Has(SayTime(), "* The program was idle for "));
}

TEST_F(FindTaskTime, TheWorkersOfAForkJoinPool) {
  Start(2, "ForkJoinPool.commonPool-worker-1");
  Start(3, "ForkJoinPool.commonPool-worker-2");
  Start(4, "health");
  Sleep(2, 0.1, 9.9, kForkJoin);
  Sleep(3, 0.1, 9.9, kForkJoin);
  Get(4, 1, 5, kReserve);
  EXPECT_EQ(SayTime(),
            "* The 2 workers of ForkJoinPool.commonPool were in tasks for 98 % of their time: they "
            "slept 19.6 s in total at OrderService.price (OrderService.java:88), called by "
            "Inventory.reserve (Inventory.java:42). Meanwhile they can run no other task of this "
            "pool; health waited 4.00 s in Future.get or join at Inventory.reserve "
            "(Inventory.java:42).\n");
}

TEST_F(FindTaskTime, AWorkerOfAForkJoinPoolThatIsFree) {
  Start(2, "ForkJoinPool.commonPool-worker-1");
  Start(3, "ForkJoinPool.commonPool-worker-2");
  Sleep(2, 0.1, 9.9, kForkJoin);
  EXPECT_TRUE(Has(SayTime(), "* The program was idle for "));
}

TEST_F(FindTaskTime, ACallerThatRunsTasks) {
  Start(2, "selector");
  Sleep(2, 1, 9, kCaller);
  EXPECT_EQ(SayTime(),
            "* selector ran tasks for 8.00 s that a pool did not accept, because its threads and "
            "its queue were full (CallerRunsPolicy), at OrderService.run (OrderService.java:20): "
            "it slept 8.00 s at OrderService.price (OrderService.java:88), called by "
            "Inventory.reserve (Inventory.java:42).\n");
}

}  // namespace
