#include "tests/tools/orca/causal/told_trace.h"
#include "tools/orca/causal/trace/trace_internal.h"

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

// --- pauses ---

void AddPause(ToldTrace *told, double begin, double end) {
  struct sample_line line = {};
  line.kind = SAMPLE_PAUSE;
  line.time = told->At(end);
  line.pause_ns = static_cast<int64_t>((told->At(end) - told->At(begin)) / TICKS_PER_NS);
  ASSERT_TRUE(trace_take_pause(&told->trace, &line));
}

constexpr char kSleeper[] =
    "0.0 main ThreadStarted\n"
    "1.0 main ThreadSleep\n"
    "3.0 main ThreadSlept\n"
    "6.0 main ThreadEnded\n";

TEST(TracePauses, AreCutOutOfAllTimes) {
  ToldTrace told(kSleeper);
  AddPause(&told, 0.5, 0.7);
  AddPause(&told, 2.0, 2.5);
  AddPause(&told, 5.5, 6.5);  // main ended in it
  trace_cut_pauses(&told.trace);
  auto ops = told.Ops("main");
  EXPECT_EQ(ops[1]->begin, told.At(0.8));
  EXPECT_EQ(ops[1]->end, told.At(2.3));
  EXPECT_EQ(ops[2]->since, told.At(2.3));
  EXPECT_EQ(ops[2]->begin, told.At(4.8));
  EXPECT_EQ(told.trace.threads[told.Row("main")].end, told.At(4.8));
  EXPECT_EQ(trace_paused(&told.trace, told.At(0.5)), 0u);
  EXPECT_EQ(trace_paused(&told.trace, told.At(0.6)), ToldTrace::Ticks(0.2));
  EXPECT_EQ(trace_paused(&told.trace, told.At(4.9)), ToldTrace::Ticks(1.7));
}

TEST(TracePauses, ThatOverlapCountOnce) {
  ToldTrace told(kSleeper);
  AddPause(&told, 1.0, 2.0);
  AddPause(&told, 1.5, 2.5);
  AddPause(&told, 1.5, 2.0);  // inside
  ASSERT_EQ(told.trace.num_pauses, 2u);
  trace_cut_pauses(&told.trace);
  EXPECT_EQ(told.Ops("main")[1]->end, told.At(1.5));
}

TEST(TracePauses, NoneChangeNothing) {
  ToldTrace told(kSleeper);
  trace_cut_pauses(&told.trace);
  EXPECT_EQ(told.Ops("main")[1]->end, told.At(3.0));
  EXPECT_EQ(trace_paused(&told.trace, told.At(6.0)), 0u);
}

}  // namespace
