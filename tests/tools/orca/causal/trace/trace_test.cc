#include "tools/orca/causal/trace/trace.h"

#include "tests/tools/orca/causal/told_trace.h"

namespace {

TEST(Trace, HasTheOperationsOfAThreadInOrder) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadSleep\n"
      "1.5 main ThreadSlept\n"
      "2.0 main ObjectNotify o\n"
      "3.0 main ThreadEnded\n");
  auto ops = told.Ops("main");
  ASSERT_EQ(ops.size(), 4u);
  EXPECT_EQ(ops[0]->kind, TRACE_STARTED);
  EXPECT_TRUE(ops[0]->older);
  EXPECT_EQ(ops[1]->kind, TRACE_SLEEP);
  EXPECT_EQ(ops[1]->begin, told.At(1.0));
  EXPECT_EQ(ops[1]->end, told.At(1.5));
  EXPECT_EQ(ops[1]->cause, TRACE_TIME);
  EXPECT_EQ(ops[2]->kind, TRACE_SIGNAL);
  EXPECT_EQ(ops[2]->since, told.At(1.5));
  EXPECT_EQ(ops[2]->end, told.At(2.0));
  EXPECT_EQ(ops[3]->kind, TRACE_ENDED);
  EXPECT_FALSE(ops[3]->open);
  EXPECT_TRUE(told.trace.threads[told.Row("main")].ended);
  EXPECT_EQ(told.trace.cpus, 2);
}

TEST(Trace, EndsWhatIsOpenWithTheRecording) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main LatchAwait l\n"
      "4.0 b ThreadStarted\n");
  auto ops = told.Ops("main");
  ASSERT_EQ(ops.size(), 3u);
  EXPECT_TRUE(ops[1]->open);
  EXPECT_EQ(ops[1]->end, told.At(4.0));
  EXPECT_EQ(ops[1]->cause, TRACE_EXTERNAL);
  EXPECT_EQ(ops[2]->kind, TRACE_ENDED);
  EXPECT_TRUE(ops[2]->open);
}

TEST(Trace, TellsWhoStartedAndJoinedAThread) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadStart w\n"
      "1.1 w ThreadStarted\n"
      "1.2 main ThreadJoin w\n"
      "2.0 w ThreadEnded\n"
      "2.1 main ThreadJoined w\n");
  auto w = told.Ops("w"), main = told.Ops("main");
  ASSERT_EQ(w[0]->cause, TRACE_BY_OP);
  EXPECT_EQ(told.trace.ops[w[0]->cause_op - 1].event, EVENT_THREAD_START);
  ASSERT_EQ(main[2]->cause, TRACE_BY_OP);
  EXPECT_EQ(&told.trace.ops[main[2]->cause_op - 1], w.back());
  EXPECT_EQ(main[2]->cause_thread, told.Row("w") + 1);
}

TEST(Trace, TellsTheReleaseThatEndedTheWaitForALock) {
  ToldTrace told(
      "0.0 a ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "1.0 a LockAcquire l\n"
      "1.000001 a LockAcquired l\n"
      "2.0 b LockAcquire l a\n"
      "3.0 a LockRelease l\n"
      "3.1 b LockAcquired l\n"
      "4.0 b LockRelease l\n"
      "5.0 a LockAcquire l\n"
      "5.000001 a LockAcquired l\n",
      "locks=all,");
  auto a = told.Ops("a"), b = told.Ops("b");
  EXPECT_EQ(a[1]->cause, TRACE_NOTHING);
  ASSERT_EQ(b[1]->cause, TRACE_BY_OP);
  EXPECT_EQ(&told.trace.ops[b[1]->cause_op - 1], a[2]);
  EXPECT_EQ(trace_waited(b[1]), ToldTrace::Ticks(1.1));
  // The second time the lock was free: b had released it.
  EXPECT_EQ(a[3]->cause, TRACE_NOTHING);
  EXPECT_EQ(&told.trace.ops[a[3]->cause_op - 1], b[2]);
  ASSERT_EQ(told.trace.num_locks, 1u);
  EXPECT_TRUE(told.trace.locks[0].has_releases);
  EXPECT_EQ(told.trace.locks[0].waits, 1u);
  EXPECT_EQ(told.trace.locks[0].waited, ToldTrace::Ticks(1.1));
}

TEST(Trace, NamesTheOwnerOfAMonitorWithoutReleases) {
  ToldTrace told(
      "0.0 a ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "0.0 c ThreadStarted\n"
      "1.0 b MonitorContendedEnter m a\n"
      "1.5 c MonitorContendedEnter m\n"
      "2.0 b MonitorContendedEntered m\n"
      "3.0 c MonitorContendedEntered m\n");
  auto b = told.Ops("b"), c = told.Ops("c");
  ASSERT_EQ(b[1]->cause, TRACE_BY_OWNER);
  EXPECT_EQ(b[1]->cause_thread, told.Row("a") + 1);
  ASSERT_EQ(c[1]->cause, TRACE_BY_OWNER);
  EXPECT_EQ(c[1]->cause_thread, told.Row("b") + 1);  // it got the monitor meanwhile
  EXPECT_FALSE(told.trace.locks[0].has_releases);
}

TEST(Trace, CountsWaitsWithoutAKnownEnd) {
  ToldTrace told(
      "0.0 b ThreadStarted\n"
      "1.0 b MonitorContendedEnter m\n"
      "2.0 b MonitorContendedEntered m\n"
      "3.0 b LatchAwait l\n"
      "3.00001 b LatchAwaited l\n"  // too short for a wait
      "4.0 b ThreadEnded\n");
  EXPECT_EQ(told.trace.external, 1u);
  EXPECT_EQ(told.trace.external_time, ToldTrace::Ticks(1.0));
}

// With monitors=all, the contended acquisition is the same one as its MonitorEntered.
TEST(Trace, JoinsBothEventsOfAMonitor) {
  ToldTrace told(
      "0.0 a ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "1.0 a MonitorEnter m\n"
      "1.00001 a MonitorEntered m\n"
      "2.0 b MonitorEnter m\n"
      "2.00001 b MonitorContendedEnter m a\n"
      "3.0 a MonitorExit m\n"
      "3.1 b MonitorContendedEntered m\n"
      "3.10001 b MonitorEntered m\n"
      "4.0 b MonitorExit m\n");
  auto a = told.Ops("a"), b = told.Ops("b");
  ASSERT_EQ(a.size(), 4u);
  EXPECT_EQ(a[1]->kind, TRACE_ACQUIRE);
  EXPECT_EQ(a[1]->begin, told.At(1.0));
  ASSERT_EQ(b.size(), 4u);
  ASSERT_EQ(b[1]->cause, TRACE_BY_OP);
  EXPECT_EQ(&told.trace.ops[b[1]->cause_op - 1], a[2]);
  EXPECT_EQ(b[1]->end, told.At(3.10001));
}

// The program's own code runs in the get of a future that runs the task itself: no wait.
TEST(Trace, TakesNoCallForAWaitInWhichTheProgramRuns) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main TaskJoin t\n"
      "2.0 main ThreadSleep\n"
      "3.0 main ThreadSlept\n"
      "4.0 main TaskJoined t\n"
      "5.0 main ThreadEnded\n");
  auto ops = told.Ops("main");
  ASSERT_EQ(ops.size(), 4u);
  EXPECT_TRUE(ops[1]->runs);
  EXPECT_EQ(ops[1]->end, told.At(1.0));
  EXPECT_EQ(ops[1]->cause, TRACE_NOTHING);
  EXPECT_EQ(ops[2]->since, told.At(1.0));
  EXPECT_EQ(ops[3]->since, told.At(3.0));
}

TEST(Trace, StopsWhenItIsTooLong) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadSleep\n"
      "2.0 main ThreadSlept\n"
      "3.0 main ThreadEnded\n");
  struct trace t = {};
  EXPECT_TRUE(trace_read(&t, &told.model, 2));
  EXPECT_TRUE(t.is_too_long);
  EXPECT_EQ(t.num_ops, 2u);
  trace_free(&t);
}

}  // namespace
