#include "tests/tools/orca/render/view/verdict_lines.h"

namespace {

// --- quiet time ---------------------------------------------------------------------------

TEST_F(VerdictTime, AnIdleProgramIsToldByItsRests) {
  Start(1, "main");
  Sleep(1, 1, 9.5, kReserve);
  EXPECT_EQ(Show(view_quiet_verdict),
            "* The program was idle for 10.0 s of 10.0 s: main slept 8.50 s at Inventory.reserve "
            "(Inventory.java:42).\n");
  EXPECT_TRUE(view_is_quiet(&small_.model));
}

TEST_F(VerdictTime, ThreadsWithoutRestsWaitForWork) {
  Start(1, "main");
  EXPECT_EQ(Show(view_quiet_verdict),
            "* The program was idle for 10.0 s of 10.0 s: its threads waited for work.\n");
}

TEST_F(VerdictTime, ABusyProgramIsNotIdle) {
  Start(1, "main");
  Start(2, "worker");
  Sleep(1, 0.5, 9.5, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  EXPECT_EQ(Show(view_quiet_verdict), "");
  EXPECT_FALSE(view_is_quiet(&small_.model));
}

// main sleeps for 4 s while nothing else happens.
TEST_F(VerdictTime, APauseIsToldIfItIsLong) {
  Start(1, "main");
  Start(2, "worker");
  Sampled(2, 0, 5.5, "Runnable", 400, kPrice);
  Call("ObjectWait", "ObjectWaited", 2, 5.5, 9.8, "1;00000014;FFFFFFFF");  // for work
  Sleep(1, 0.5, 9.8, kReserve);
  EXPECT_TRUE(Has(Show(view_pause_verdict), ": main slept 9.30 s at Inventory.reserve ("));
  EXPECT_FALSE(view_is_quiet(&small_.model));
  EXPECT_GT(view_pause_time(&small_.model), 3 * kSecond);
}

TEST_F(VerdictTime, AnIdleProgramHasNoPause) {
  Start(1, "main");
  Sleep(1, 1, 9.5, kReserve);
  EXPECT_EQ(Show(view_pause_verdict), "");
}

TEST_F(VerdictTime, ThreadsThatWaitForWorkMakeNoPause) {
  Start(2, "worker");
  Sampled(2, 0, 5.5, "Runnable", 400, kPrice);
  Call("ObjectWait", "ObjectWaited", 2, 5.5, 9.8, "1;00000014;FFFFFFFF");
  EXPECT_EQ(Show(view_pause_verdict), "");
}

TEST_F(VerdictTime, AThreadThatIsReadyToRunIsNotIdle) {
  Start(1, "main");
  Start(2, "worker");
  Sleep(1, 0.5, 9.5, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 0, kPrice);
  EXPECT_EQ(Show(view_quiet_verdict), "");
}

TEST_F(VerdictTime, NamesThreeRowsAndNoShortRest) {
  Start(1, "main");
  Start(2, "a");
  Start(3, "b");
  Start(4, "c");
  Start(5, "d");
  Get(1, 1, 9, kReserve);
  Call("ThreadPark", "ThreadParked", 2, 1, 8, kPrice, ",00000000");
  Call("ThreadPark", "ThreadParked", 3, 1, 8, kPrice, ",00000000");
  Sleep(4, 1, 7.5, kPrice);
  Call("QueueRemove", "QueueRemoved", 5, 1, 5, kPrice);
  EXPECT_EQ(
      Show(view_quiet_verdict),
      "* The program was idle for 10.0 s of 10.0 s: a and b were parked 14.0 s in total at "
      "OrderService.price (OrderService.java:88); main waited 8.00 s in Future.get or join at "
      "Inventory.reserve (Inventory.java:42); c slept 6.50 s at OrderService.price "
      "(OrderService.java:88).\n");
}

// What the joined threads do is the reason.
TEST_F(VerdictTime, JoinsComeLast) {
  Start(1, "main");
  Start(2, "a");
  Call("ThreadJoin", "ThreadJoined", 1, 0.5, 9, kReserve, ",00000002");
  Sleep(2, 1, 5, kPrice);
  EXPECT_TRUE(Has(Show(view_quiet_verdict),
                  ": a slept 4.00 s at OrderService.price (OrderService.java:88); main waited 8.50 "
                  "s in Thread.join at Inventory.reserve (Inventory.java:42).\n"));
}

// Three threads wait for long while another one works, and two wait for less in quiet time.
TEST_F(VerdictTime, RowsAreOrderedByTheirQuietTime) {
  Start(1, "a");
  Start(2, "b");
  Start(3, "c");
  Start(4, "d");
  Start(5, "worker");
  Get(1, 0.5, 4.8, kReserve);
  Get(2, 0.5, 4.8, kPrice);
  Call("QueueRemove", "QueueRemoved", 3, 0.5, 4.8, kPrice);
  Sleep(4, 6, 9.5, kReserve);
  Sampled(5, 0, 4.8, "Runnable", 500, kPrice);
  Call("ObjectWait", "ObjectWaited", 5, 4.8, 9.8, "1;00000014;FFFFFFFF");  // for work
  std::string text = Show(view_quiet_verdict);
  EXPECT_TRUE(Has(text, " s of 10.0 s: d slept 3.50 s at ")) << text;
}

TEST_F(VerdictTime, AShortRestIsLeftOut) {
  Start(1, "main");
  Get(1, 1, 1.5, kReserve);
  Sleep(1, 2, 9, kPrice);
  EXPECT_FALSE(Has(Show(view_quiet_verdict), "Future.get"));
}

// --- pools ----------------------------------------------------------------------------------

const char kPoolNote[] =
    " (these are all workers of their pool: a task that is queued in it cannot "
    "run)";

TEST_F(VerdictTime, AWholePoolThatWaitsForFuturesIsTold) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-1-thread-2");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_TRUE(
      Has(Show(view_quiet_verdict), std::string("(Inventory.java:42)") + kPoolNote + ".\n"));
}

TEST_F(VerdictTime, ThePoolHasAnotherWorker) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-1-thread-2");
  Start(3, "pool-1-thread-3");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_FALSE(Has(Show(view_quiet_verdict), "all workers"));
}

TEST_F(VerdictTime, OneWorkerOfEachPoolIsNoWholePool) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-2-thread-1");
  Start(3, "pool-1-thread-2");
  Start(4, "pool-2-thread-2");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_FALSE(Has(Show(view_quiet_verdict), "all workers"));
}

TEST_F(VerdictTime, WorkersThatWaitInTurnAreNotAll) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-1-thread-2");
  Get(1, 1, 4.5, kReserve);
  Get(2, 4.5, 8, kReserve);
  std::string text = Show(view_quiet_verdict);
  EXPECT_TRUE(Has(text, "waited 7.00 s in total in Future.get or join")) << text;
  EXPECT_FALSE(Has(text, "all workers")) << text;
}

TEST_F(VerdictTime, ThreadsOfNoPoolHaveNoNote) {
  Start(1, "worker-1");
  Start(2, "worker-2");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_FALSE(Has(Show(view_quiet_verdict), "all workers"));
}

// A queue is no result of a task.
TEST_F(VerdictTime, APoolThatWaitsForAQueueHasNoNote) {
  Start(1, "pool-1-thread-1");
  Call("QueueRemove", "QueueRemoved", 1, 1, 8, kReserve);
  EXPECT_FALSE(Has(Show(view_quiet_verdict), "all workers"));
}

// --- filters --------------------------------------------------------------------------------

TEST_F(VerdictTime, AFilterForThreadsSaysNothingOfTheProgram) {
  Start(1, "main");
  Start(2, "worker");
  Sleep(1, 0.5, 9.5, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  struct filter f = {};
  f.threads = {{"main"}, 1};
  f.to = FILTER_NO_END;
  EXPECT_EQ(Show(view_quiet_verdict, &f), "");
  EXPECT_FALSE(view_is_quiet(&small_.model));
}

TEST_F(VerdictTime, AFilterForTimeIsAboutItsPart) {
  Start(1, "main");
  Sampled(1, 0, 5, "Runnable", 400, kPrice);
  Sleep(1, 5.5, 9.5, kReserve);
  struct filter f = {};
  f.from = 106 * kSecond;
  f.to = 108 * kSecond;
  EXPECT_EQ(Show(view_quiet_verdict, &f),
            "* The program was idle for 2.00 s of 2.00 s: main slept 2.00 s at Inventory.reserve "
            "(Inventory.java:42).\n");
}

// --- threads that stand ---------------------------------------------------------------------

class VerdictStood : public VerdictTime {
 protected:
  VerdictStood() {
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000021,<clinit>,()V,000000C5,-1\n");
    Start(1, "main");
    Start(2, "worker");
  }
  void Stand(int64_t waited_ms) {
    Sampled(1, 0.25, 9.25, "Runnable", 0, kPrice);
    SampleLine(9.5, "Sched,00000001," + std::to_string(waited_ms * 1000000));
  }
  void Initialize(double from, double to) {
    Sleep(2, from, to, "4;00000003;FFFFFFFF;00000012;00000000;00000021;FFFFFFFF;00000011;00000000");
  }
};

TEST_F(VerdictStood, AThreadThatWaitsForAnInitializerStands) {
  Initialize(0.5, 9.5);
  Stand(20);
  std::string text = Show(view_stood_verdict);
  EXPECT_TRUE(Has(text, "* main stood for ")) << text;
  EXPECT_TRUE(Has(text,
                  " s at OrderService.price (OrderService.java:88), without using a CPU or "
                  "waiting for one. Meanwhile worker was in the static initializer of "
                  "com.acme.Inventory at Inventory.reserve (Inventory.java:42) for 9.00 s: a "
                  "thread that needs the class waits for that.\n"))
      << text;
  EXPECT_GT(view_stood_time(&small_.model), 8 * kSecond);
}

TEST_F(VerdictStood, AnInitializerAtAnotherTimeIsNotNamed) {
  Initialize(9, 9.5);
  Stand(20);
  std::string text = Show(view_stood_verdict);
  EXPECT_TRUE(Has(text, "without using a CPU or waiting for one.\n")) << text;
}

TEST_F(VerdictStood, AThreadThatWaitsForACpuDoesNotStand) {
  Initialize(0.5, 9.5);
  Stand(8000);
  EXPECT_EQ(Show(view_stood_verdict), "");
  EXPECT_EQ(view_stood_time(&small_.model), 0u);
}

TEST_F(VerdictStood, TimeThatWaitedForACpuDoesNotCount) {
  Initialize(0.5, 9.5);
  Stand(2000);
  EXPECT_TRUE(Has(Show(view_stood_verdict), "* main stood for "));
  EXPECT_GT(view_stood_time(&small_.model), 6 * kSecond);
  EXPECT_LE(view_stood_time(&small_.model), 8 * kSecond);
}

TEST_F(VerdictStood, WithoutWaitTimesOfTheKernelNothingIsKnown) {
  Sampled(1, 0.25, 9.25, "Runnable", 0, kPrice);
  EXPECT_EQ(Show(view_stood_verdict), "");
}

}  // namespace
