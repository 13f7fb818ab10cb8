#include "tests/tools/orca/answer/time_lines.h"

namespace {

const char kWait[] = "2;00000022;00000000;00000010;00000000";
const char kTask[] = "3;00000012;00000000;00000023;00000000;00000011;00000000";
const char kStart[] = "1;00000011;00000000";
const char kQueue[] = ",000000A4";
const char kFuture[] = ",000000A5";

// A program with a heartbeat, which sleeps and wakes to the end.
class FindStuck : public TimeLines {
 protected:
  FindStuck() {
    small_.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
    small_.files.Append(
        DUMP_CLASSES, "100.0000000000,000000D2,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000022,wait,()V,000000C1,-1\n"
                        "100.0000000000,00000023,runWorker,()V,000000D2,-1\n");
    Start(1, "main");
    Start(2, "worker-1");
    Start(9, "heartbeat");
    Call("ThreadJoin", "", 1, 0.1, 0, kReserve, ",00000002");
    for (int i = 0; i < 99; i++) Sleep(9, 0.1 * i + 0.01, 0.1 * i + 0.1, kPrice);
    Sleep(9, 9.95, 0, kPrice);
  }
  std::string SayStuck() {
    return SayKinds({FINDING_deadlock, FINDING_hang, FINDING_stuck, FINDING_standstill,
                     FINDING_idle, FINDING_pause});
  }
  bool IsStuck() {
    std::string text = SayStuck();
    EXPECT_FALSE(Has(text, "HANG")) << text;
    return Has(text, "* STUCK: ");
  }
  void StartedAlike(uint32_t thread) {
    char object[16];
    snprintf(object, sizeof object, ",%08X", thread);
    Call("ThreadStart", "", 1, 0.05, 0, kStart, object);
  }
};

TEST_F(FindStuck, ARequestThatDoesNotEnd) {
  Get(2, 1, 1.01, kTask);
  Call("FutureAwait", "", 2, 2, 0, kTask, kFuture);
  EXPECT_EQ(
      SayStuck(),
      "* STUCK: 1 thread has waited for long, and still did when the recording ended. "
      "worker-1 has waited in Future.get or join at Inventory.reserve (Inventory.java:42) for "
      "8.00 s, for another thread to complete the future; 1 earlier wait there took 10.0 "
      "ms.\n");
}

TEST_F(FindStuck, ATaskThatNoWorkerHasTaken) {
  Call("TaskQueued", "", 1, 1.5, 0, kPrice, kFuture);
  Call("FutureAwait", "", 2, 2, 0, kTask, kFuture);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "; no worker has taken the task that it waits for.\n")) << text;
}

TEST_F(FindStuck, ATaskThatAWorkerHasTaken) {
  Start(3, "worker-2");
  Call("TaskQueued", "", 1, 1.5, 0, kPrice, kFuture);
  Call("TaskTaken", "", 3, 1.6, 0, kPrice, kFuture);
  Call("FutureAwait", "", 2, 2, 0, kTask, kFuture);
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "no worker")) << text;
}

// worker-1, the only worker of a pool, runs a task.
class FindStuckPool : public FindStuck {
 protected:
  FindStuckPool() {
    Start(3, "worker-2");
    Sleep(3, 2, 0, kTask);
    Call("PoolSize", "", 1, 1, 0, "1,1,2147483647", ",000000E1");
    Queue(1.1, 0xF0);
    Call("TaskTaken", "", 2, 1.2, 0, kPrice, ",000000F0");
  }
  void Queue(double at, uint32_t task) {
    char object[32];
    snprintf(object, sizeof object, ",%08X,000000E1", task);
    Call("TaskQueued", "", 1, at, 0, kPrice, object);
  }
};

TEST_F(FindStuckPool, AWorkerThatKeepsTheTasksOfItsPool) {
  Queue(1.5, 0xF1);
  Queue(1.6, 0xF2);
  Call("LatchAwait", "", 2, 2, 0, kTask, kFuture);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "for another thread to count it down; nobody did in the recording (this "
                  "is the only worker of its pool; no worker has taken 2 tasks that were "
                  "queued in it).\n"))
      << text;
}

// Another thread that works cannot help.
TEST_F(FindStuckPool, AWorkerThatWaitsForItsOwnTask) {
  Call("FutureAwait", "", 2, 2, 0, kTask, ",000000F0");
  Call("ExecutorAwait", "", 1, 2, 0, kPrice, ",000000E1");
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "worker-1 has waited in Future.get or join at Inventory.reserve "
                  "(Inventory.java:42) for 8.00 s, for the task that it runs itself; main "
                  "waits for the end of its pool at OrderService.price (OrderService.java:88).\n"))
      << text;
}

// Another thread may complete it.
TEST_F(FindStuckPool, AWorkerThatWaitsForTheFutureOfItsTask) {
  Call("TaskCompletes", "", 1, 1.15, 0, "0", ",000000F0,000000FE");
  Call("FutureAwait", "", 2, 2, 0, kTask, ",000000FE");
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "itself")) << text;
}

TEST_F(FindStuckPool, AWorkerThatWaitsForATaskThatIsQueuedAgain) {
  Queue(1.5, 0xF0);
  Call("FutureAwait", "", 2, 2, 0, kTask, ",000000F0");
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "itself")) << text;
}

// By attach nobody knows who took the task.
TEST_F(FindStuck, AWaitAfterATaskFromBeforeTheRecording) {
  small_.files.Append(DUMP_METHODS, "100.0000000000,00000025,afterExecute,()V,000000C1,-1\n");
  Start(3, "worker-2");
  for (uint32_t thread : {2, 3}) {
    OpenCall(thread, 0.02);
    Call("FutureAwait", "", thread, 0.02, 0,
         "3;00000012;00000000;00000025;00000000;00000023;00000000", kFuture);
  }
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, " since before the recording.\n")) << text;
}

// What is said of the pool stands behind its worker.
TEST_F(FindStuckPool, AWorkerWhoseWaitsAnotherThreadEnded) {
  Start(4, "worker-3");
  for (int i = 0; i < 3; i++) {
    char object[16];
    snprintf(object, sizeof object, ",%08X", 0xB1 + i);
    Call("LatchAwait", "LatchAwaited", 2, 1.3 + 0.1 * i, 1.36 + 0.1 * i, kTask, object);
    Call("LatchCountDown", "", 4, 1.35 + 0.1 * i, 0, kPrice, object);
  }
  Get(4, 1.9, 0, kReserve);
  Queue(1.95, 0xF1);
  Call("LatchAwait", "", 2, 2, 0, kTask, kFuture);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  " for 8.00 s (this is the only worker of its pool; no worker has taken 1 task "
                  "that was queued in it), for another thread to count it down; nobody did in the "
                  "recording; worker-3, which ended earlier waits there 3 times, has waited"))
      << text;
}

// Nothing tells who completes a future by hand.
class FindOwnTask : public FindStuckPool {
 protected:
  FindOwnTask() {
    Start(4, "worker-3");
    for (int i = 0; i < 10; i++) Get(4, 1.2 + 0.01 * i, 1.205 + 0.01 * i, kTask);
    Call("LatchAwait", "", 2, 1.9, 0, kTask, kFuture);
    Call("FutureAwait", "", 4, 2, 0, kTask, ",000000A6");
  }
  void QueueBy(uint32_t thread, double at) {
    Call("TaskQueued", "", thread, at, 0, kPrice, ",000000F1,000000E1");
  }
};

TEST_F(FindOwnTask, NoWorkerCanTakeIt) {
  QueueBy(4, 1.99);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "for another thread to complete the future; no worker has taken the task that it "
                  "queued 10.0 ms before: worker-1 is the only worker of that pool; 10 earlier "
                  "waits there took at most 5.00 ms"))
      << text;
}

TEST_F(FindOwnTask, AnotherThreadQueuedTheSameObject) {
  QueueBy(1, 1.98);
  QueueBy(4, 1.99);
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "that it queued")) << text;
}

TEST_F(FindOwnTask, ItWasQueuedLongBefore) {
  QueueBy(4, 1.5);
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "that it queued")) << text;
}

// Nothing tells who let it go on before.
class FindOlder : public FindStuck {
 protected:
  FindOlder() {
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000025,getTask,()V,000000D2,-1\n");
    OpenCall(2, 0.02);
    Call("QueueInsert", "", 2, 0.02, 0, kReserve, kQueue);
  }
  void StartIdle(uint32_t thread, double from, bool is_older) {
    Start(thread, "taker-" + std::to_string(thread));
    if (is_older) OpenCall(thread, from);
    Call("QueueRemove", "", thread, from, 0, "1;00000025;00000000", ",000000A6");
  }
};

TEST_F(FindOlder, BesideIdleThreads) {
  StartIdle(3, 0.03, true);
  StartIdle(4, 0.03, true);
  StartIdle(5, 1, false);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "take something from the queue. taker-3 and taker-4 have waited for work since "
                  "before the recording, too.\n"))
      << text;
}

TEST_F(FindOlder, ManyIdleThreadsAreNothingSpecial) {
  for (uint32_t thread = 20; thread < 25; thread++) StartIdle(thread, 0.03, true);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "take something from the queue.\n")) << text;
}

TEST_F(FindStuck, ALaterWaitBesideIdleThreads) {
  Call("QueueInsert", "", 2, 2, 0, kReserve, kQueue);
  Start(3, "taker");
  OpenCall(3, 0.03);
  Call("QueueRemove", "", 3, 0.03, 0, "1;00000025;00000000", ",000000A6");
  small_.files.Append(DUMP_METHODS, "100.0000000000,00000025,getTask,()V,000000D2,-1\n");
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "take something from the queue.\n")) << text;
}

TEST_F(FindStuckPool, AWorkerThatWaitsForWorkIsNotStuck) {
  Queue(1.5, 0xF1);
  Call("QueueRemove", "", 2, 2, 0, kTask, kQueue);
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindStuckPool, AWorkerWithoutFurtherTasksIsNotStuck) {
  Call("LatchAwait", "", 2, 2, 0, kTask, kFuture);
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindStuck, AnEventLoopThatLeavesElementsInItsQueue) {
  for (int i = 0; i < 3; i++) {
    Call("QueueInsert", "QueueInserted", 1, 0.2 + 0.1 * i, 0.21 + 0.1 * i, kPrice, kQueue);
  }
  Call("QueueRemove", "QueueRemoved", 2, 0.25, 0.26, kReserve, kQueue);
  for (int i = 0; i < 3; i++) Get(2, 1 + 0.1 * i, 1.01 + 0.1 * i, kTask);
  Call("FutureAwait", "", 2, 2, 0, kTask, kFuture);
  std::string text = SayStuck();
  EXPECT_TRUE(
      Has(text,
          " (it alone called take on object@000000A4, 1 times after 3 calls of put; drainTo and "
          "poll are not recorded).\n"))
      << text;
}

// Perhaps this thread completes the future.
TEST_F(FindStuck, AThreadThatSleepsInATaskMayWorkOnIt) {
  Start(3, "worker-2");
  Call("FutureAwait", "", 2, 2, 0, kTask, kFuture);
  Sleep(3, 2, 0, kTask);
  EXPECT_FALSE(IsStuck());
}

// Then many earlier waits are needed, which all were much shorter.
TEST_F(FindStuck, ManyShorterWaitsAreASignBesideOthers) {
  Start(3, "worker-2");
  for (int i = 0; i < 10; i++) Get(2, 1 + 0.05 * i, 1.01 + 0.05 * i, kTask);
  Call("FutureAwait", "", 2, 2, 0, kTask, kFuture);
  Sleep(3, 2, 0, kTask);
  EXPECT_TRUE(IsStuck());
}

TEST_F(FindStuck, ManyShorterMeetingsOfMainAreASign) {
  for (int i = 0; i < 3; i++) {
    Call("BarrierAwait", "BarrierAwaited", 4, 1 + 0.05 * i, 1.01 + 0.05 * i, kReserve, kFuture);
  }
  Start(4, "main");
  Call("LatchAwait", "", 2, 0.1, 0, kPrice);
  Call("BarrierAwait", "", 4, 2, 0, kReserve, kFuture);
  EXPECT_TRUE(IsStuck());
}

// Each message completes the next future.
TEST_F(FindStuck, AConsumerOfFuturesWaitsForWork) {
  for (int i = 0; i < 60; i++) Get(2, 1 + 0.01 * i, 1.005 + 0.01 * i, kReserve);
  Call("FutureAwait", "", 2, 2, 0, kReserve, kFuture);
  EXPECT_FALSE(IsStuck());
}

// The timer may complete the future.
TEST_F(FindStuck, ATimerWithALongDelayMayDoIt) {
  small_.files.Append(DUMP_CLASSES, "100.0000000000,000000D3,Ljava/util/TimerThread;,T.java\n");
  small_.files.Append(DUMP_METHODS, "100.0000000000,00000024,mainLoop,()V,000000D3,-1\n");
  Start(3, "timer");
  Call("FutureAwait", "", 2, 2, 0, kTask, kFuture);
  Call("ObjectWait", "", 3, 2, 0, "2;00000022;00000000;00000024;00000000", kQueue);
  Sampled(3, 9, 9, "TimedWaiting", 0, "2;00000022;00000000;00000024;00000000");
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindStuck, MainMayWaitForItsEnd) {
  Start(4, "main");
  Call("LatchAwait", "", 2, 0.1, 0, kPrice);
  Call("LatchAwait", "", 4, 2, 0, kReserve);
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindStuck, AThreadOfItsOwnMayWaitForTheEnd) {
  Call("LatchAwait", "", 2, 0.1, 0, kReserve);
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindStuck, SeveralThreadsWaitForResults) {
  Start(3, "worker-2");
  Call("LatchAwait", "", 2, 2, 0, kReserve);
  Call("LatchAwait", "", 3, 2, 0, kReserve);
  EXPECT_TRUE(IsStuck());
}

TEST_F(FindStuck, AShortWaitMayEnd) {
  Start(3, "worker-2");
  Call("LatchAwait", "", 2, 8.5, 0, kReserve);
  Call("LatchAwait", "", 3, 8.5, 0, kReserve);
  EXPECT_FALSE(IsStuck());
}

// A consumer in a pool.
TEST_F(FindStuck, AConsumerWaitsForWork) {
  Start(3, "worker-2");
  for (int i = 0; i < 5; i++) {
    Call("QueueRemove", "QueueRemoved", 2, 1 + 0.1 * i, 1.05 + 0.1 * i, kTask, kQueue);
  }
  Call("QueueRemove", "", 2, 2, 0, kTask, kQueue);
  Call("QueueRemove", "", 3, 2, 0, kTask, kQueue);
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindStuck, AProducerWaitsForRoom) {
  Call("QueueInsert", "", 2, 2, 0, kReserve, kQueue);
  EXPECT_TRUE(IsStuck());
}

// Tasks of the worker before this one ended.
TEST_F(FindStuck, ATaskThatWaitsForAnything) {
  for (int i = 0; i < 3; i++) Call("TaskTaken", "", 2, 1 + 0.1 * i, 0, "0");
  Call("ObjectWait", "", 2, 2, 0, kTask);
  EXPECT_TRUE(IsStuck());
}

TEST_F(FindStuck, OthersWaitedForTheSameAndWentOn) {
  for (uint32_t thread : {2, 4, 5}) StartedAlike(thread);
  for (uint32_t thread : {4, 5}) {
    Start(thread, "worker-" + std::to_string(thread - 1));
    Call("ObjectWait", "ObjectWaited", thread, 1, 1.5, kWait);
    Ended(thread, 1.6);
  }
  Call("ObjectWait", "", 2, 2, 0, kWait);
  Call("ObjectNotifyAll", "", 9, 9.93, 0, kPrice);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "* STUCK: 1 thread has waited for long, and still did ")) << text;
  EXPECT_TRUE(Has(text, "for another thread to notify it; the only notifyAll, by heartbeat "))
      << text;
}

// Those that went on are still there: they may notify it.
TEST_F(FindStuck, OthersThatLiveMayNotify) {
  Start(3, "worker-2");
  StartedAlike(2);
  StartedAlike(3);
  Call("ObjectWait", "ObjectWaited", 3, 1, 1.5, kWait);
  Call("ObjectWait", "", 2, 2, 0, kWait);
  EXPECT_FALSE(IsStuck());
}

// Each waits for what the other one gives back.
// The users are tasks of a pool that do not end.
TEST_F(FindStuck, UsersInTasksWaitForEachOther) {
  const char in_task[] = "3;00000022;00000000;00000010;00000000;00000023;00000000";
  Start(3, "worker-2");
  for (int i = 0; i < 3; i++) {
    Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, in_task);
    Call("ObjectNotify", "", 3, 1.05 + 0.1 * i, 0, kPrice);
  }
  Call("ObjectWait", "", 2, 2, 0, in_task);
  Call("ObjectWait", "", 3, 2, 0, in_task);
  EXPECT_TRUE(IsStuck());
}

// A thread that has ended may have brought their work.
TEST_F(FindStuck, TasksThatAnEndedThreadSignalledMayWaitForWork) {
  const char in_task[] = "3;00000022;00000000;00000010;00000000;00000023;00000000";
  Start(3, "worker-2");
  Start(4, "producer");
  Call("ObjectNotify", "", 4, 0.5, 0, kPrice);
  Ended(4, 0.6);
  for (int i = 0; i < 3; i++) {
    Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, in_task);
    Call("ObjectNotify", "", 3, 1.05 + 0.1 * i, 0, kPrice);
  }
  Call("ObjectWait", "", 2, 2, 0, in_task);
  Call("ObjectWait", "", 3, 2, 0, in_task);
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindStuck, UsersOfAPoolWaitForEachOther) {
  Start(3, "worker-2");
  for (int i = 0; i < 3; i++) {
    Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, kWait);
    Call("ObjectNotify", "", 3, 1.05 + 0.1 * i, 0, kPrice);
  }
  Call("ObjectWait", "", 2, 2, 0, kWait);
  Call("ObjectWait", "", 3, 2, 0, kWait);
  EXPECT_TRUE(IsStuck());
}

// worker-1 waits with a monitor that others enter.
class FindBeside : public FindStuck {
 protected:
  FindBeside() {
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000025,write,(J)V,000000C1,-1\n");
    Start(3, "worker-2");
    Start(4, "worker-3");
  }
  // In the method write, which has a number as its parameter.
  void Enter(uint32_t thread) {
    Call("MonitorContendedEnter", "", thread, 2.5, 0, kWrite, ",000000A1,00000002");
  }
  const char *kWrite = "2;00000025;00000000;00000011;00000000";
};

// The parameter of the method that enters the monitor is no time limit.
TEST_F(FindBeside, AThreadThatBlocksOthers) {
  Call("ObjectWait", "", 2, 2, 0, kWait);
  Enter(3);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "* STUCK: 2 threads have waited for long")) << text;
}

TEST_F(FindBeside, AThreadThatWaitsForTheSame) {
  Call("ObjectWait", "", 2, 2, 0, kWait);
  Call("ObjectWait", "", 4, 2.1, 0, kWait);
  Enter(3);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "* STUCK: 3 threads have waited for long, and still did when the recording "
                  "ended. worker-1 and worker-3 have waited in Object.wait"))
      << text;
}

TEST_F(FindBeside, AThreadThatWaitsForAnotherObject) {
  Call("ObjectWait", "", 2, 2, 0, kWait);
  Call("ObjectWait", "", 4, 2.1, 0, kWait, ",000000A3");
  Enter(3);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "* STUCK: 2 threads have waited for long")) << text;
}

// A thread that alone signalled them waits for what only they have signalled.
class FindAwaited : public FindBeside {
 protected:
  FindAwaited() {
    for (int i = 0; i < 3; i++) {
      Call("ObjectWait", "ObjectWaited", 4, 1 + 0.1 * i, 1.06 + 0.1 * i, kOther, ",000000A3");
      Call("ObjectNotify", "", 2 + i % 2, 1.05 + 0.1 * i, 0, kPrice, ",000000A3");
      Call("ObjectNotify", "", 4, 1.08 + 0.1 * i, 0, kPrice);
    }
    Call("ObjectWait", "", 2, 2, 0, kWait);
  }
  const char *kOther = "2;00000022;00000000;00000012;00000000";
};

TEST_F(FindAwaited, ByThoseThatAreStuck) {
  Call("ObjectWait", "", 4, 1.9, 0, kOther, ",000000A4");
  Enter(3);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "* STUCK: 3 threads have waited for long")) << text;
}

TEST_F(FindAwaited, ByOneThatGoesOn) {
  Call("ObjectWait", "", 4, 1.9, 0, kOther, ",000000A4");
  Start(5, "worker-4");
  Enter(5);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "* STUCK: 2 threads have waited for long")) << text;
}

// Two users of a pool of objects let each other go on by unparks; worker-3 took an object for good.
class FindUsers : public FindStuck {
 protected:
  FindUsers() {
    Start(3, "worker-2");
    Start(4, "worker-3");
    for (int i = 0; i < 10; i++) Take(2, 3, 1 + 0.02 * i);
    Call("QueueRemove", "QueueRemoved", 4, 1.5, 1.51, kReserve, kQueue);
    Sleep(4, 1.6, 0, kPrice);
  }
  void Take(uint32_t thread, uint32_t by, double at) {
    char object[16];
    snprintf(object, sizeof object, ",%08X", thread);
    Call("QueueRemove", "QueueRemoved", thread, at, at + 0.01, kReserve, kQueue);
    Call("ThreadUnpark", "", by, at + 0.005, 0, kPrice, object);
  }
  void Wait() {
    Call("QueueRemove", "", 2, 2, 0, kReserve, kQueue);
    Call("QueueRemove", "", 3, 2, 0, kReserve, kQueue);
  }
};

// One that does something may give its object back at any moment.
TEST_F(FindUsers, BesideAThreadThatMayGiveBack) {
  Wait();
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindUsers, OnlyTheyLetEachOtherGoOn) {
  Ended(4, 1.7);
  Wait();
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "* STUCK: 2 threads have waited for long")) << text;
}

TEST_F(FindUsers, AThreadThatEndedPutSomethingIntoTheQueue) {
  Call("QueueInsert", "QueueInserted", 4, 1.65, 1.66, kPrice, kQueue);
  Ended(4, 1.7);
  Wait();
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindUsers, AnotherThreadLetsThemGoOn) {
  Ended(4, 1.7);
  Take(2, 9, 1.8);
  Wait();
  EXPECT_FALSE(IsStuck());
}

// A limit that is made of AbstractQueuedSynchronizer.
class FindOwnLock : public FindStuck {
 protected:
  FindOwnLock() {
    small_.files.Append(
        DUMP_CLASSES,
        "100.0000000000,000000D3,Ljava/util/concurrent/locks/AbstractQueuedSynchronizer;,A.java\n");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000024,acquireShared,(I)V,000000D3,-1\n");
  }
  void Parked(uint32_t thread, double from, uint32_t by) {
    char object[16];
    snprintf(object, sizeof object, ",%08X", thread);
    Call("ThreadPark", "ThreadParked", thread, from, from + 0.02, kAcquire, kQueue);
    Call("ThreadUnpark", "", by, from + 0.01, 0, kPrice, object);
  }
  const std::string kAcquire = "3;00000024;00000000;00000012;00000000;00000011;00000000";
};

TEST_F(FindOwnLock, WaitersThatLetEachOtherGoOn) {
  Start(3, "worker-2");
  for (int i = 0; i < 3; i++) {
    Parked(2, 1 + 0.1 * i, 3);
    Parked(3, 1.05 + 0.1 * i, 2);
  }
  Call("ThreadPark", "", 2, 2, 0, kAcquire, kQueue);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "* STUCK: 1 thread has waited for long")) << text;
  EXPECT_TRUE(Has(text, "worker-1 has been parked at Inventory.reserve (Inventory.java:42) for"))
      << text;
}

TEST_F(FindOwnLock, AnEventThatAnotherThreadSets) {
  Start(3, "worker-2");
  for (int i = 0; i < 3; i++) Parked(2, 1 + 0.1 * i, 3);
  Call("ThreadPark", "", 2, 2, 0, kAcquire, kQueue);
  EXPECT_FALSE(IsStuck());
}

// It may be a latch for the end of the program.
TEST_F(FindOwnLock, AWaitFromBeforeTheRecording) {
  OpenCall(2, 0.01);
  Call("ThreadPark", "", 2, 0.01, 0, kAcquire, kQueue);
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindOwnLock, TheFirstWait) {
  Call("ThreadPark", "", 2, 2, 0, kAcquire, kQueue);
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindOwnLock, AParkOfAnotherKindWaitsForWork) {
  Call("ThreadPark", "ThreadParked", 2, 1, 1.01, kReserve, kQueue);
  Call("ThreadPark", "", 2, 2, 0, kReserve, kQueue);
  EXPECT_FALSE(IsStuck());
}

class FindNotified : public FindStuck {
 protected:
  FindNotified() {
    Start(3, "worker-2");
    for (int i = 0; i < 3; i++) {
      Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, kWait);
      Call("ObjectNotify", "", 3, 1.05 + 0.1 * i, 0, kPrice);
    }
    Call("ObjectWait", "", 2, 2, 0, kWait);
  }
};

TEST_F(FindNotified, ByAThreadThatLives) { EXPECT_FALSE(IsStuck()); }

TEST_F(FindNotified, ByAThreadThatHasEnded) {
  Ended(3, 2.5);
  EXPECT_TRUE(IsStuck());
}

// Each request has a thread of its own, and the next one may come.
TEST_F(FindStuck, ThreadsThatNotifiedOnceHaveEnded) {
  for (int i = 0; i < 3; i++) {
    Start(3 + i, "request");
    Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, kWait);
    Call("ObjectNotify", "", 3 + i, 1.05 + 0.1 * i, 0, kPrice);
    Ended(3 + i, 1.09 + 0.1 * i);
  }
  Call("ObjectWait", "", 2, 2, 0, kWait);
  EXPECT_FALSE(IsStuck());
}

TEST_F(FindStuck, AConsumerIsNotifiedByOthers) {
  Start(3, "worker-2");
  for (int i = 0; i < 3; i++) {
    Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, kWait);
    Call("ObjectNotify", "", 9, 1.05 + 0.1 * i, 0, kPrice);
  }
  Call("ObjectWait", "", 2, 2, 0, kWait);
  Call("ObjectWait", "", 3, 2, 0, kWait);
  EXPECT_FALSE(IsStuck());
}

// A party of the barrier has ended.
TEST_F(FindStuck, APartyIsMissing) {
  Call("BarrierAwait", "", 2, 2, 0, kReserve);
  EXPECT_TRUE(IsStuck());
}

TEST_F(FindStuck, TheOwnerOfALockHasEnded) {
  Start(4, "teller");
  Call("LockAcquire", "", 2, 2, 0, kReserve, ",000000A6,00000004");
  Ended(4, 3);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, ", for a lock of teller, which ended 7.00 s ago without releasing it"))
      << text;
}

// By attach, the owner may be any thread.
TEST_F(FindStuck, TheOwnerOfALockIsNotSeen) {
  Call("LockAcquire", "", 2, 2, 0, kReserve, ",000000A6,00000004");
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "thread 00000004, of which the recording has no line: it may have ended "
                  "before"))
      << text;
}

TEST_F(FindStuck, AProgramThatExitedIsNotStuck) {
  Start(3, "worker-2");
  small_.files.Replace(DUMP_INFO, "end.reason=stop", "end.reason=exit");
  Call("LatchAwait", "", 2, 2, 0, kReserve);
  Call("LatchAwait", "", 3, 2, 0, kReserve);
  EXPECT_FALSE(IsStuck());
}

}  // namespace
