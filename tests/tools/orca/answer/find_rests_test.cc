#include "tests/tools/orca/answer/time_lines.h"

namespace {

class FindRests : public TimeLines {
 protected:
  std::string SayQuiet(const struct filter *filter = nullptr) {
    return SayKinds({FINDING_idle, FINDING_standstill}, filter);
  }
};

// --- quiet time ---------------------------------------------------------------------------

TEST_F(FindRests, AnIdleProgramIsToldByItsRests) {
  Start(1, "main");
  Sleep(1, 1, 9.5, kReserve);
  EXPECT_EQ(SayQuiet(),
            "* The program was idle for 10.0 s of 10.0 s: main slept 8.50 s at Inventory.reserve "
            "(Inventory.java:42).\n");
  EXPECT_TRUE(answer_is_quiet(&small_.model));
}

// A thread waits for tasks that wait.
TEST_F(FindRests, ThreadsThatOthersWaitForAreNotIdle) {
  small_.files.Append(DUMP_CLASSES,
                      "100.0000000000,000000D2,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n");
  small_.files.Append(DUMP_METHODS, "100.0000000000,00000023,runWorker,()V,000000D2,-1\n");
  Start(1, "main");
  Start(2, "worker-1");
  Get(1, 1, 9, kReserve);
  Call("ConditionAwait", "ConditionAwaited", 2, 1, 9, "2;00000010;00000000;00000023;00000000");
  EXPECT_EQ(SayQuiet().find("* No thread of the program ran, was blocked or in I/O for 10.0 s of "
                            "10.0 s: "),
            0u);
}

TEST_F(FindRests, ThreadsThatWaitForRoomAreNotIdle) {
  Start(1, "main");
  Call("QueueInsert", "QueueInserted", 1, 1, 9, kReserve);
  EXPECT_EQ(SayQuiet().find("* No thread of the program ran, was blocked or in I/O for "), 0u);
}

TEST_F(FindRests, MainMayWaitForTheEnd) {
  Start(1, "main");
  Start(2, "handler");
  Call("LatchAwait", "LatchAwaited", 1, 1, 9, kReserve);
  EXPECT_EQ(SayQuiet().find("* The program was idle for "), 0u);
}

TEST_F(FindRests, ThreadsThatWaitForResultsAreNotIdle) {
  Start(1, "main");
  Start(2, "handler");
  Get(2, 1, 9, kReserve);
  EXPECT_EQ(SayQuiet().find("* No thread of the program ran, was blocked or in I/O for "), 0u);
}

// A thread that waits for a signal may wait for work; who let it go on before is told.
TEST_F(FindRests, WhoEndedEarlierWaitsIsNamed) {
  small_.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
  Start(1, "main");
  Start(2, "handler");
  Start(4, "events");
  Sleep(1, 0.5, 9.3, kReserve);
  Blocked(1, 9.4, 9.9);
  Sleep(1, 9.95, 0, kReserve);
  for (int i = 0; i < 3; i++) {
    Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, kPrice);
    Call("ObjectNotify", "", 4, 1.05 + 0.1 * i, 0, kReserve);
  }
  Call("ObjectWait", "", 2, 2, 0, kPrice);
  Call("ConditionAwait", "", 4, 2.1, 0, kReserve, ",000000A4");
  std::string text = SayQuiet();
  EXPECT_TRUE(Has(text,
                  "in Object.wait at OrderService.price (OrderService.java:88); events, which "
                  "ended earlier waits there 3 times, has waited for 7.90 s in Condition.await at "
                  "Inventory.reserve (Inventory.java:42); "))
      << text;
}

TEST_F(FindRests, ThreadsThatWaitForOthersToTheEndAreNotIdle) {
  small_.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
  Start(1, "main");
  Start(2, "handler");
  Call("ConditionAwait", "", 2, 1, 0, kReserve);
  EXPECT_FALSE(Has(SayQuiet(), "idle"));
}

TEST_F(FindRests, ThreadsWithoutRestsWaitForWork) {
  Start(1, "main");
  EXPECT_EQ(SayQuiet(),
            "* The program was idle for 10.0 s of 10.0 s: its threads waited for work.\n");
}

TEST_F(FindRests, ABusyProgramIsNotIdle) {
  Start(1, "main");
  Start(2, "worker");
  Sleep(1, 0.5, 9.5, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  EXPECT_EQ(SayQuiet(), "");
  EXPECT_FALSE(answer_is_quiet(&small_.model));
}

// main sleeps for 4 s while nothing else happens.
TEST_F(FindRests, APauseIsToldIfItIsLong) {
  Start(1, "main");
  Start(2, "worker");
  Sampled(2, 0, 5.5, "Runnable", 100, kPrice);
  Call("ObjectWait", "ObjectWaited", 2, 5.5, 9.8, "1;00000014;FFFFFFFF");  // for work
  Sleep(1, 0.5, 9.8, kReserve);
  Said said(Read());
  EXPECT_TRUE(Has(said.Text({FINDING_pause}), ": main slept 9.30 s at Inventory.reserve ("));
  EXPECT_FALSE(answer_is_quiet(&small_.model));
  EXPECT_GT(said.List({FINDING_pause}).at(0)->weight, 3 * kSecond);
}

// The worker used 4.8 s of CPU time, which is the reason.
TEST_F(FindRests, APauseBesideALargerTimeIsNotTold) {
  Start(1, "main");
  Start(2, "worker");
  Sampled(2, 0, 5.5, "Runnable", 400, kPrice);
  Call("ObjectWait", "ObjectWaited", 2, 5.5, 9.8, "1;00000014;FFFFFFFF");
  Sleep(1, 0.5, 9.8, kReserve);
  Said said(Read());
  EXPECT_EQ(said.List({FINDING_cpu}).size(), 1u);
  EXPECT_TRUE(said.List({FINDING_pause}).empty());
}

TEST_F(FindRests, AnIdleProgramHasNoPause) {
  Start(1, "main");
  Sleep(1, 1, 9.5, kReserve);
  EXPECT_EQ(SayKinds({FINDING_pause}), "");
}

TEST_F(FindRests, ThreadsThatWaitForWorkMakeNoPause) {
  Start(2, "worker");
  Sampled(2, 0, 5.5, "Runnable", 400, kPrice);
  Call("ObjectWait", "ObjectWaited", 2, 5.5, 9.8, "1;00000014;FFFFFFFF");
  EXPECT_EQ(SayKinds({FINDING_pause}), "");
}

TEST_F(FindRests, AThreadThatIsReadyToRunIsNotIdle) {
  Start(1, "main");
  Start(2, "worker");
  Sleep(1, 0.5, 9.5, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 0, kPrice);
  EXPECT_EQ(SayQuiet(), "");
}

TEST_F(FindRests, NamesThreeRowsAndNoShortRest) {
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
      SayQuiet(),
      "* The program was idle for 10.0 s of 10.0 s: a and b were parked 14.0 s in total at "
      "OrderService.price (OrderService.java:88); main waited 8.00 s in Future.get or join at "
      "Inventory.reserve (Inventory.java:42); c slept 6.50 s at OrderService.price "
      "(OrderService.java:88).\n");
}

// What the joined threads do is the reason.
TEST_F(FindRests, JoinsComeLast) {
  Start(1, "main");
  Start(2, "a");
  Call("ThreadJoin", "ThreadJoined", 1, 0.5, 9, kReserve, ",00000002");
  Sleep(2, 1, 5, kPrice);
  EXPECT_TRUE(Has(SayQuiet(),
                  ": a slept 4.00 s at OrderService.price (OrderService.java:88); main waited 8.50 "
                  "s in Thread.join at Inventory.reserve (Inventory.java:42).\n"));
}

// Three threads wait for long while another one works, and two wait for less in quiet time.
TEST_F(FindRests, RowsAreOrderedByTheirQuietTime) {
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
  std::string text = SayQuiet();
  EXPECT_TRUE(Has(text, " s of 10.0 s: d slept 3.50 s at ")) << text;
}

TEST_F(FindRests, AShortRestIsLeftOut) {
  Start(1, "main");
  Get(1, 1, 1.5, kReserve);
  Sleep(1, 2, 9, kPrice);
  EXPECT_FALSE(Has(SayQuiet(), "Future.get"));
}

// --- pools ----------------------------------------------------------------------------------

const char kPoolNote[] =
    " (these are all workers of their pool: a task that is queued in it cannot "
    "run)";

TEST_F(FindRests, AWholePoolThatWaitsForFuturesIsTold) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-1-thread-2");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_TRUE(Has(SayQuiet(), std::string("(Inventory.java:42)") + kPoolNote + ".\n"));
}

TEST_F(FindRests, ThePoolHasAnotherWorker) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-1-thread-2");
  Start(3, "pool-1-thread-3");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_FALSE(Has(SayQuiet(), "all workers"));
}

TEST_F(FindRests, OneWorkerOfEachPoolIsNoWholePool) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-2-thread-1");
  Start(3, "pool-1-thread-2");
  Start(4, "pool-2-thread-2");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_FALSE(Has(SayQuiet(), "all workers"));
}

TEST_F(FindRests, WorkersThatWaitInTurnAreNotAll) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-1-thread-2");
  Get(1, 1, 4.5, kReserve);
  Get(2, 4.5, 8, kReserve);
  std::string text = SayQuiet();
  EXPECT_TRUE(Has(text, "waited 7.00 s in total in Future.get or join")) << text;
  EXPECT_FALSE(Has(text, "all workers")) << text;
}

TEST_F(FindRests, ThreadsOfNoPoolHaveNoNote) {
  Start(1, "worker-1");
  Start(2, "worker-2");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_FALSE(Has(SayQuiet(), "all workers"));
}

// A queue is no result of a task.
TEST_F(FindRests, APoolThatWaitsForAQueueHasNoNote) {
  Start(1, "pool-1-thread-1");
  Call("QueueRemove", "QueueRemoved", 1, 1, 8, kReserve);
  EXPECT_FALSE(Has(SayQuiet(), "all workers"));
}

// --- filters --------------------------------------------------------------------------------

TEST_F(FindRests, AFilterForThreadsSaysNothingOfTheProgram) {
  Start(1, "main");
  Start(2, "worker");
  Sleep(1, 0.5, 9.5, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  struct filter f = {};
  f.threads = {{"main"}, 1};
  f.to = FILTER_NO_END;
  EXPECT_EQ(SayQuiet(&f), "");
  EXPECT_FALSE(answer_is_quiet(&small_.model));
}

TEST_F(FindRests, AFilterForTimeIsAboutItsPart) {
  Start(1, "main");
  Sampled(1, 0, 5, "Runnable", 400, kPrice);
  Sleep(1, 5.5, 9.5, kReserve);
  struct filter f = {};
  f.from = 106 * kSecond;
  f.to = 108 * kSecond;
  EXPECT_EQ(SayQuiet(&f),
            "* The program was idle for 2.00 s of 2.00 s: main slept 2.00 s at Inventory.reserve "
            "(Inventory.java:42).\n");
}

// --- calls that did not end -----------------------------------------------------------------

class FindStandstill : public IoLines {
 protected:
  std::string SayStandstill() { return SayKinds({FINDING_standstill, FINDING_idle}); }
};

TEST_F(FindStandstill, AnOpenParkIsTold) {
  Start(1, "main");
  Call("ThreadPark", "ThreadParked", 1, 1, 0, kReserve, ",00000000");
  EXPECT_TRUE(Has(SayStandstill(),
                  ": main has been parked at Inventory.reserve (Inventory.java:42) for 9.00 s.\n"));
}

TEST_F(FindStandstill, OpenCallsOfAnIdleProgramComeFirst) {
  Start(1, "main");
  Start(2, "pool-1-thread-1");
  Start(3, "pool-1-thread-2");
  Start(4, "timer");
  Get(1, 1, 0, kReserve);
  Get(2, 2, 0, kPrice);
  Get(3, 3, 0, kPrice);
  Sleep(4, 1, 0, kPrice);
  EXPECT_EQ(SayStandstill(),
            std::string("* Nothing moved in the program for the last 10.0 s: pool-1-thread-1 and "
                        "pool-1-thread-2 have waited in Future.get or join at OrderService.price "
                        "(OrderService.java:88) for 7.00 s to 8.00 s") +
                kPoolNote +
                "; main has waited in Future.get or join at Inventory.reserve (Inventory.java:42) "
                "for 9.00 "
                "s.\n");
}

TEST_F(FindStandstill, ACallThatIsOlderThanTheRecordingIsMarked) {
  Start(1, "main");
  small_.files.Write(DUMP_EVENTS, "");
  OpenCall(1, 0.5);
  Get(1, 0.5, 0, kReserve);
  EXPECT_TRUE(
      Has(SayStandstill(),
          "main has waited in Future.get or join at Inventory.reserve (Inventory.java:42) since "
          "before the recording."));
}

TEST_F(FindStandstill, IdleAndShortOpenCallsAreNotTold) {
  Start(1, "main");
  Start(2, "poller");
  Get(1, 9.5, 0, kReserve);
  Call("ObjectWait", "ObjectWaited", 2, 1, 0, "1;00000014;FFFFFFFF");  // a selector
  EXPECT_EQ(SayStandstill(),
            "* The program was idle for 10.0 s of 10.0 s: its threads waited for work.\n");
}

TEST_F(FindStandstill, AThreadThatRunsToTheEndHidesOpenCalls) {
  Start(1, "main");
  Start(2, "worker");
  Get(1, 1, 0, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  EXPECT_EQ(SayStandstill(), "");
}

// The threads a and b join each other.
TEST_F(FindStandstill, ADeadlockIsToldInstead) {
  Start(1, "a");
  Start(2, "b");
  Call("ThreadJoin", "", 1, 1, 0, kReserve, ",00000002");
  Call("ThreadJoin", "", 2, 1, 0, kReserve, ",00000001");
  Said said(Read());
  EXPECT_EQ(said.List({FINDING_deadlock}).size(), 1u);
  EXPECT_TRUE(said.List({FINDING_standstill, FINDING_idle}).empty());
}

// --- I/O ------------------------------------------------------------------------------------

TEST_F(FindStandstill, ThreadsInIoComeFirst) {
  Start(1, "main");
  Start(2, "pool-1-thread-1");
  Get(1, 0.5, 0, kReserve);
  Stands(2, 2, kRead);
  Rounds(3, 9.5);
  EXPECT_EQ(
      SayStandstill(),
      "* Nothing moved in the program for the last 8.00 s: pool-1-thread-1 has been in a socket "
      "read (SocketDispatcher.read0) at Inventory.reserve (Inventory.java:42) for at least "
      "7.50 s (this is the only worker of its pool: a task that is queued in it cannot run); "
      "main has waited in Future.get or join at Inventory.reserve (Inventory.java:42) for "
      "9.50 s.\n");
}

TEST_F(FindStandstill, CallsOfDifferentLengthHaveARange) {
  Start(1, "a");
  Start(2, "b");
  Stands(1, 1, kRead);
  Stands(2, 6, kRead);
  Rounds(6.5, 9.5);
  std::string text = SayStandstill();
  EXPECT_TRUE(Has(text, "a and b have been in a socket read ")) << text;
  EXPECT_TRUE(Has(text, " for 3.50 s to 8.50 s.\n")) << text;
}

TEST_F(FindStandstill, CallsOfAboutTheSameLengthHaveALeastTime) {
  Start(1, "a");
  Start(2, "b");
  Get(1, 1, 0, kPrice);
  Get(2, 1.5, 0, kPrice);
  EXPECT_TRUE(Has(SayStandstill(), " for at least 8.50 s.\n"));
}

TEST_F(FindStandstill, OnlyCallsThatAreAllOlderThanTheRecordingAreMarked) {
  Start(1, "a");
  Start(2, "b");
  small_.files.Write(DUMP_EVENTS, "");
  OpenCall(1, 0.5);
  Get(1, 0.5, 0, kReserve);
  Get(2, 1, 0, kReserve);
  std::string text = SayStandstill();
  EXPECT_TRUE(Has(text, " for at least 9.00 s.")) << text;
}

}  // namespace
