#include "tools/orca/causal/path/path.h"

#include "tests/tools/orca/causal/told_trace.h"

namespace {

class Path : public testing::Test {
 protected:
  ~Path() override { path_free(&path_); }

  // Finds the path of `thread` from its begin to its end, as "thread reason begin-end lock" from
  // the first piece to the last.
  std::string Find(ToldTrace *told, const std::string &thread, bool stops_at_idle = false) {
    const struct trace *t = &told->trace;
    EXPECT_TRUE(path_start(&path_, t));
    path_.stops_at_idle = stops_at_idle;
    const struct trace_thread *row = &t->threads[told->Row(thread)];
    struct path_work work = {told->Row(thread), row->begin, row->end, 0};
    EXPECT_TRUE(path_find(&path_, &work));
    EXPECT_EQ(path_.total, row->end - row->begin);
    std::string text;
    for (size_t i = path_.num_pieces; i > 0; i--) text += Tell(told, path_.pieces[i - 1]);
    return text;
  }

  std::string Tell(ToldTrace *told, const struct path_piece &piece) {
    const struct thread *named =
        threads_find(&told->model.threads, told->trace.threads[piece.thread].hash);
    char text[128];
    snprintf(text, sizeof text, "%s %s %.2f-%.2f%s\n", named->name, path_reason_keys[piece.reason],
             Seconds(told, piece.begin), Seconds(told, piece.end), piece.lock != 0 ? " lock" : "");
    return text;
  }

  static double Seconds(ToldTrace *told, ticks_t time) {
    return double(time - told->At(0)) / double(TICKS_PER_S);
  }

  struct path path_ = {};
};

TEST_F(Path, GoesToTheThreadThatEndedTheWait) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadStart w\n"
      "1.1 w ThreadStarted\n"
      "1.5 main ThreadJoin w\n"
      "2.0 w ThreadSleep\n"
      "5.0 w ThreadSlept\n"
      "6.0 w ThreadEnded\n"
      "6.2 main ThreadJoined w\n"
      "7.0 main Cpu 7000\n"
      "7.0 w Cpu 5000\n"
      "7.0 main ThreadEnded\n");
  EXPECT_EQ(Find(&told, "main"),
            "main cpu 0.00-1.00\n"
            "w handoff 1.00-1.10\n"
            "w cpu 1.10-2.00\n"
            "w sleep 2.00-5.00\n"
            "w cpu 5.00-6.00\n"
            "main handoff 6.00-6.20\n"
            "main cpu 6.20-7.00\n");
}

// For a turn the path looks at the owner only while the thread waited.
TEST_F(Path, ReturnsFromTheOwnerOfALock) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "1.0 b LockAcquire l\n"
      "1.000001 b LockAcquired l\n"
      "2.0 main LockAcquire l b\n"
      "2.5 b ThreadSleep\n"
      "3.5 b ThreadSlept\n"
      "4.0 b LockRelease l\n"
      "4.1 main LockAcquired l\n"
      "5.0 main Cpu 5000\n"
      "5.0 b Cpu 5000\n"
      "5.0 main ThreadEnded\n",
      "locks=all,");
  EXPECT_EQ(Find(&told, "main"),
            "main cpu 0.00-2.00\n"
            "b cpu 2.00-2.50 lock\n"
            "b sleep 2.50-3.50 lock\n"
            "b cpu 3.50-4.00 lock\n"
            "main handoff 4.00-4.10 lock\n"
            "main cpu 4.10-5.00\n");
  tally_sort(&path_.locks);
  ASSERT_EQ(path_.locks.num, 1u);
  EXPECT_EQ(path_.locks.rows[0].total, ToldTrace::Ticks(2.1));
}

// Three threads hold the lock one after the other, while main waits for all of them.
TEST_F(Path, FollowsTheOwnersOfALock) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 a ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "0.5 a LockAcquire l\n"
      "0.500001 a LockAcquired l\n"
      "1.0 b LockAcquire l a\n"
      "2.0 main LockAcquire l a\n"
      "3.0 a LockRelease l\n"
      "3.0001 a ThreadSleep\n"
      "3.1 b LockAcquired l\n"
      "4.0 b LockRelease l\n"
      "4.1 main LockAcquired l\n"
      "5.0 main Cpu 5000\n"
      "5.0 a Cpu 5000\n"
      "5.0 b Cpu 5000\n"
      "5.0 main ThreadEnded\n",
      "locks=all,");
  EXPECT_EQ(Find(&told, "main"),
            "main cpu 0.00-2.00\n"
            "a cpu 2.00-3.00 lock\n"
            "b handoff 3.00-3.10 lock\n"
            "b cpu 3.10-4.00 lock\n"
            "main handoff 4.00-4.10 lock\n"
            "main cpu 4.10-5.00\n");
}

// The owner itself waits for another lock meanwhile.
TEST_F(Path, FollowsAChainOfLocks) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "0.0 c ThreadStarted\n"
      "0.5 c LockAcquire k\n"
      "0.500001 c LockAcquired k\n"
      "1.0 b LockAcquire l\n"
      "1.000001 b LockAcquired l\n"
      "1.5 b LockAcquire k c\n"
      "2.0 main LockAcquire l b\n"
      "3.0 c LockRelease k\n"
      "3.0001 b LockAcquired k\n"
      "4.0 b LockRelease l\n"
      "4.0001 main LockAcquired l\n"
      "5.0 main Cpu 5000\n"
      "5.0 b Cpu 5000\n"
      "5.0 c Cpu 5000\n"
      "5.0 main ThreadEnded\n",
      "locks=all,");
  EXPECT_EQ(Find(&told, "main"),
            "main cpu 0.00-2.00\n"
            "c cpu 2.00-3.00 lock\n"
            "b handoff 3.00-3.00 lock\n"
            "b cpu 3.00-4.00 lock\n"
            "main handoff 4.00-4.00 lock\n"
            "main cpu 4.00-5.00\n");
  tally_sort(&path_.locks);
  ASSERT_EQ(path_.locks.num, 2u);
  EXPECT_EQ(told.trace.locks[path_.locks.rows[0].key - 1].object, told.Hash("l"));
  EXPECT_NEAR(double(path_.locks.rows[0].total), double(ToldTrace::Ticks(2.0)), 1e7);
  EXPECT_NEAR(double(path_.locks.rows[1].total), double(ToldTrace::Ticks(1.0)), 1e7);
}

// A wait that nothing waited for is not on the path, however long it is.
TEST_F(Path, LeavesOutWaitsOfOtherThreads) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 a ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "0.5 a LockAcquire l\n"
      "0.500001 a LockAcquired l\n"
      "1.0 b LockAcquire l a\n"
      "4.0 a LockRelease l\n"
      "4.1 b LockAcquired l\n"
      "5.0 main Cpu 5000\n"
      "5.0 main ThreadEnded\n",
      "locks=all,");
  EXPECT_EQ(Find(&told, "main"), "main cpu 0.00-5.00\n");
  EXPECT_EQ(path_.locks.num, 0u);
}

TEST_F(Path, TellsStarvedAndOtherTimeApart) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "4.0 main Cpu 1000\n"
      "4.0 main Sched 2000\n"
      "4.0 main ThreadEnded\n");
  EXPECT_EQ(Find(&told, "main"),
            "main off_cpu 0.00-1.00\n"
            "main queued 1.00-3.00\n"
            "main cpu 3.00-4.00\n");
}

TEST_F(Path, StopsWhereTheCauseIsNotKnown) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main LatchAwait l\n"
      "3.0 main LatchAwaited l\n"
      "4.0 main Cpu 2000\n"
      "4.0 main ThreadEnded\n");
  EXPECT_EQ(Find(&told, "main"),
            "main cpu 0.00-1.00\n"
            "main external 1.00-3.00\n"
            "main cpu 3.00-4.00\n");
}

// Nobody knows the owner, but the time is on account of the lock.
TEST_F(Path, CountsABlockedThreadForItsLock) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main MonitorContendedEnter m\n"
      "3.0 main MonitorContendedEntered m\n"
      "4.0 main Cpu 2000\n"
      "4.0 main ThreadEnded\n");
  EXPECT_EQ(Find(&told, "main"),
            "main cpu 0.00-1.00\n"
            "main blocked 1.00-3.00 lock\n"
            "main cpu 3.00-4.00\n");
  tally_sort(&path_.locks);
  ASSERT_EQ(path_.locks.num, 1u);
  EXPECT_EQ(path_.locks.rows[0].total, ToldTrace::Ticks(2.0));
}

// main ends a server. That its worker was idle before is not why the run took long.
TEST_F(Path, ReturnsFromAnIdleThread) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 getTask ThreadStarted\n"
      "0.1 getTask ObjectNotify o\n"
      "1.0 main ThreadSleep\n"
      "5.0 main ThreadSlept\n"
      "6.0 main ThreadJoin getTask\n"
      "6.5 getTask ThreadEnded\n"
      "6.6 main ThreadJoined getTask\n"
      "7.0 main Cpu 3000\n"
      "7.0 main ThreadEnded\n",
      "", "java/util/concurrent/ThreadPoolExecutor");  // ThreadPoolExecutor.getTask is idle
  struct trace *t = &told.trace;
  stack_id_t stack = told.Ops("getTask")[1]->stack;
  ASSERT_NE(stack, 0u);
  t->samples = static_cast<struct trace_sample *>(malloc(sizeof *t->samples));
  t->samples[0] = {told.At(0.5), 0, told.Row("getTask"), stack};
  t->num_samples = 1;
  EXPECT_EQ(Find(&told, "main"),
            "main cpu 0.00-1.00\n"
            "main sleep 1.00-5.00\n"
            "main cpu 5.00-6.00\n"
            "getTask external 6.00-6.50\n"
            "main handoff 6.50-6.60\n"
            "main cpu 6.60-7.00\n");
  path_free(&path_);
  std::string path = Find(&told, "main", true);
  EXPECT_NE(path.find("getTask idle 6.00-6.50\n"), std::string::npos) << path;
}

// The JVM names getTask as the owner, but a thread that waits for work owned the lock before.
TEST_F(Path, ChargesAnUnknownOwnerToTheWaiter) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 getTask ThreadStarted\n"
      "0.5 getTask ObjectWait o\n"
      "1.0 main MonitorContendedEnter m getTask\n"
      "3.0 main MonitorContendedEntered m\n"
      "3.1 main ObjectNotify o\n"
      "3.2 getTask ObjectWaited o\n"
      "4.0 main Cpu 2000\n"
      "4.0 main ThreadEnded\n",
      "", "java/util/concurrent/ThreadPoolExecutor");
  EXPECT_EQ(Find(&told, "main"),
            "main cpu 0.00-1.00\n"
            "main blocked 1.00-3.00 lock\n"
            "main cpu 3.00-3.10\n"
            "main cpu 3.10-4.00\n");
}

// A semaphore whose permits other threads return is a message: the path stays with the sender.
TEST_F(Path, TakesASemaphoreForAMessageIfOthersReleaseIt) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "1.0 b ThreadSleep\n"
      "2.0 main SemaphoreAcquire s\n"
      "3.0 b ThreadSlept\n"
      "3.5 b SemaphoreRelease s\n"
      "3.6 main SemaphoreAcquired s\n"
      "4.0 main Cpu 4000\n"
      "4.0 b Cpu 4000\n"
      "4.0 main ThreadEnded\n");
  EXPECT_EQ(Find(&told, "main"),
            "b cpu 0.00-1.00\n"
            "b sleep 1.00-3.00\n"
            "b cpu 3.00-3.50\n"
            "main handoff 3.50-3.60\n"
            "main cpu 3.60-4.00\n");
}

// A full queue: b signals main in its put, waits for room there, and main signals it in its take.
TEST_F(Path, OfTwoThreadsThatWaitForEachOtherInTurnIsNoRing) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "1.0 main QueueRemove q\n"
      "2.0 b QueueInsert q\n"
      "2.4 b ThreadUnpark main\n"
      "2.5 main ThreadUnpark b\n"
      "2.6 main QueueRemoved q\n"
      "2.6 main ThreadSleep\n"
      "2.7 b QueueInserted q\n"
      "3.0 main ThreadSlept\n"
      "4.0 b ThreadEnded\n"
      "4.0 main ThreadEnded\n");
  EXPECT_EQ(Find(&told, "b"),
            "b off_cpu 0.00-2.00\n"
            "b external 2.00-2.40\n"
            "main handoff 2.40-2.50\n"
            "b handoff 2.50-2.70\n"
            "b off_cpu 2.70-4.00\n");
}

// b gives the monitor away in Object.wait. The later notify is not why main could enter.
TEST_F(Path, OfAThreadThatGaveALockAwayGoesBackInThatThread) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "0.0 c ThreadStarted\n"
      "1.0 main MonitorContendedEnter m b\n"
      "2.0 b ObjectWait m\n"
      "2.1 main MonitorContendedEntered m\n"
      "3.0 c ObjectNotify m\n"
      "3.1 b ObjectWaited m\n"
      "4.0 main ThreadEnded\n");
  EXPECT_EQ(Find(&told, "main"),
            "main off_cpu 0.00-1.00\n"
            "b off_cpu 1.00-2.00 lock\n"
            "b external 2.00-2.10 lock\n"
            "main off_cpu 2.10-4.00\n");
}

TEST_F(Path, OfAPartOfTheLifeOfAThreadStaysInThatPart) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "1.0 main ThreadStart w\n"
      "1.1 w ThreadStarted\n"
      "1.5 main ThreadJoin w\n"
      "6.0 w ThreadEnded\n"
      "6.2 main ThreadJoined w\n"
      "7.0 main ThreadEnded\n");
  ASSERT_TRUE(path_start(&path_, &told.trace));
  struct path_work work = {told.Row("main"), told.At(3.0), told.At(6.5), 0};
  ASSERT_TRUE(path_find(&path_, &work));
  EXPECT_EQ(path_.total, ToldTrace::Ticks(3.5));
  EXPECT_EQ(path_.pieces[path_.num_pieces - 1].begin, told.At(3.0));
}

TEST(PathMainWork, IsThatOfMainIfItEnded) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "4.0 b Cpu 4000\n"
      "4.0 main ThreadEnded\n"
      "4.2 b ThreadEnded\n");
  struct path_work work;
  ASSERT_TRUE(path_main_work(&told.trace, &work));
  EXPECT_EQ(work.thread, told.Row("main"));
  EXPECT_EQ(work.end, told.At(4.0));
}

// The main of a service may only start its threads.
TEST(PathMainWork, IsNotThatOfMainIfOthersGoOn) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "1.0 main ThreadEnded\n"
      "5.0 b Cpu 4000\n"
      "5.0 b ThreadEnded\n");
  struct path_work work;
  ASSERT_TRUE(path_main_work(&told.trace, &work));
  EXPECT_EQ(work.thread, told.Row("b"));
  EXPECT_EQ(work.end, told.At(5.0));
  EXPECT_FALSE(path_is_of_main(&told.trace, &work));
}

// main looks every second whether b is ready. The sleeps are not why it takes so long.
TEST(PathMainWork, IsNotThatOfMainIfItPolls) {
  std::string text = "0.0 main ThreadStarted\n0.0 b ThreadStarted\n";
  for (int second = 0; second < 5; second++) {
    std::string at = std::to_string(second);
    text += at + ".01 main ThreadSleep\n" + at + ".99 main ThreadSlept\n";
  }
  text += "5.0 b Cpu 4000\n5.0 b ThreadEnded\n5.0 main ThreadEnded\n";
  ToldTrace told(text);
  struct path_work work;
  EXPECT_TRUE(trace_polls(&told.trace, &told.trace.threads[told.Row("main")]));
  EXPECT_FALSE(trace_polls(&told.trace, &told.trace.threads[told.Row("b")]));
  ASSERT_TRUE(path_main_work(&told.trace, &work));
  EXPECT_EQ(work.thread, told.Row("b"));
  EXPECT_FALSE(path_is_of_main(&told.trace, &work));
}

// The program runs for a fixed time.
TEST(PathMainWork, IsNotThatOfMainIfItSleepsForMostOfItsLife) {
  for (int slept : {2, 3}) {
    ToldTrace told(
        "0.0 main ThreadStarted\n0.0 b ThreadStarted\n0.0 main ThreadSleep\n" +
        std::to_string(slept) +
        ".0 main ThreadSlept\n5.0 b Cpu 4000\n5.0 b ThreadEnded\n5.0 main ThreadEnded\n");
    struct path_work work;
    EXPECT_EQ(trace_polls(&told.trace, &told.trace.threads[told.Row("main")]), slept == 3);
    ASSERT_TRUE(path_main_work(&told.trace, &work));
    EXPECT_EQ(work.thread, told.Row(slept == 3 ? "b" : "main"));
  }
}

// The main of a server: what ends it, is not why the requests were slow.
TEST(PathMainWork, IsNotThatOfAThreadThatServes) {
  for (double end : {1.0, 4.9}) {
    ToldTrace told("0.0 getTask ThreadStarted\n0.0 b ThreadStarted\n0.1 getTask ObjectWait o\n" +
                       std::to_string(end) +
                       " getTask ObjectWaited o\n5.0 b Cpu 4000\n5.0 b ThreadEnded\n"
                       "5.0 getTask ThreadEnded\n",
                   "", "java/util/concurrent/ThreadPoolExecutor");
    const struct trace_thread *row = &told.trace.threads[told.Row("getTask")];
    EXPECT_EQ(trace_serves(&told.trace, row), end > 2.5) << end;
    EXPECT_EQ(trace_ends_with(&told.trace, row), end < 2.5) << end;
    EXPECT_FALSE(trace_serves(&told.trace, &told.trace.threads[told.Row("b")]));
  }
}

// It works between its sleeps.
TEST(PathMainWork, IsThatOfMainIfItSleepsAndWorks) {
  std::string text = "0.0 main ThreadStarted\n";
  for (int second = 0; second < 5; second++) {
    std::string at = std::to_string(second);
    text += at + ".4 main ThreadSleep\n" + at + ".99 main ThreadSlept\n";
  }
  ToldTrace told(text + "5.0 main ThreadEnded\n");
  EXPECT_FALSE(trace_polls(&told.trace, &told.trace.threads[told.Row("main")]));
}

TEST(PathMainWork, IsElseThatOfTheBusiestThread) {
  ToldTrace told(
      "0.0 main ThreadStarted\n"
      "0.0 b ThreadStarted\n"
      "4.0 b Cpu 4000\n"
      "5.0 b ObjectNotify o\n");
  struct path_work work;
  ASSERT_TRUE(path_main_work(&told.trace, &work));
  EXPECT_EQ(work.thread, told.Row("b"));
  EXPECT_EQ(work.end, told.At(5.0));
}

}  // namespace
