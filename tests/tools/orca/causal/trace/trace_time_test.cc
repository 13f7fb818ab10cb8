#include "tests/tools/orca/causal/told_trace.h"

namespace {

TEST(TraceTime, DividesCpuTimeAmongTheTimesBetweenOperations) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadSleep\n"
      "2.0 main ThreadSlept\n"
      "5.0 main ThreadSleep\n"
      "6.0 main ThreadSlept\n"
      "6.0001 main Cpu 2000\n"
      "6.0001 main Sched 1000\n"
      "8.0 main Cpu 1000\n"
      "8.0001 main ThreadEnded\n");
  auto ops = told.Ops("main");
  // 2 s of CPU time in 1 s and 3 s without a wait; 1 s on the run queue in the rest of them.
  EXPECT_NEAR(double(ops[1]->cpu), double(ToldTrace::Ticks(0.5)), 1e6);
  EXPECT_NEAR(double(ops[2]->cpu), double(ToldTrace::Ticks(1.5)), 1e6);
  EXPECT_NEAR(double(ops[1]->queued), double(ToldTrace::Ticks(0.25)), 1e6);
  EXPECT_NEAR(double(ops[2]->queued), double(ToldTrace::Ticks(0.75)), 1e6);
  EXPECT_NEAR(double(ops[3]->cpu), double(ToldTrace::Ticks(1.0)), 1e6);
  EXPECT_EQ(told.trace.threads[told.Row("main")].cpu, ToldTrace::Ticks(3.0));
}

// A thread that ran less than its samples say (its clock is read later) has no more CPU time than
// there was between its operations.
TEST(TraceTime, IsAtMostTheTimeBetweenOperations) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadSleep\n"
      "5.0 main ThreadSlept\n"
      "5.0001 main Cpu 3000\n"
      "6.0 main ThreadEnded\n");
  auto ops = told.Ops("main");
  EXPECT_NEAR(double(ops[1]->cpu), double(ToldTrace::Ticks(1.0)), 2e6);
  EXPECT_EQ(told.trace.threads[told.Row("main")].cpu, ToldTrace::Ticks(3.0));
}

}  // namespace
