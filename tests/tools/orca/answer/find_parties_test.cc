#include "tests/tools/orca/answer/time_lines.h"

namespace {

const char kWait[] = "2;00000022;00000000;00000010;00000000";
const char kBarrier[] = ",000000A4";
const char kQueue[] = ",000000A5";
const char kLatch[] = ",000000A6";

// A program with a heartbeat, which sleeps and wakes to the end, and two workers.
class FindParties : public TimeLines {
 protected:
  FindParties() {
    small_.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000022,wait,()V,000000C1,-1\n");
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D1,Ljava/lang/IllegalStateException;,I.java\n");
    small_.files.Append(DUMP_OBJECTS, "100.0000000000,000000E1,000000D1\n");
    Start(1, "main");
    Start(2, "worker-1");
    Start(3, "worker-2");
    Start(4, "worker-3");
    Start(9, "heartbeat");
    Call("ThreadJoin", "", 1, 0.1, 0, kReserve, ",00000002");
    for (int i = 0; i < 99; i++) Sleep(9, 0.1 * i + 0.01, 0.1 * i + 0.1, kPrice);
    Sleep(9, 9.95, 0, kPrice);
  }
  void Meet(uint32_t thread, double from, double to) {
    Call("BarrierAwait", "BarrierAwaited", thread, from, to, kReserve, kBarrier);
  }
  // Three workers meet twice. Then one does not come.
  void MeetWithoutTheThird() {
    for (uint32_t thread = 2; thread <= 4; thread++) {
      Meet(thread, 1, 1.01);
      Meet(thread, 1.1, 1.11);
    }
    Meet(2, 2, 0);
    Meet(3, 2, 0);
  }
  void Fails(uint32_t thread, double at, const std::string &event = "ThreadFailed") {
    Call(event, "", thread, at, 0, "com.acme.Cart.add (Cart.java:7)", ",000000E1");
  }
  // Near the end of the recording.
  void Lacks(const std::string &event, uint32_t thread, int missing, int of = -1) {
    Call(event, "", thread, 9.96, 0, std::to_string(of), "," + std::to_string(missing));
  }
  std::string SayStuck() { return SayKinds({FINDING_deadlock, FINDING_hang, FINDING_stuck}); }
};

TEST_F(FindParties, APartyThatAnExceptionEnded) {
  MeetWithoutTheThird();
  Fails(4, 1.5);
  Ended(4, 1.5);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "for another thread to come to the barrier; worker-3, which came to it 2 times, "
                  "ended 8.50 s ago, by an IllegalStateException at Cart.add (Cart.java:7); "))
      << text;
  EXPECT_FALSE(Has(text, "In the recording")) << text;
}

// The only taker of a queue, in a task that failed.
class FindTaker : public FindParties {
 protected:
  FindTaker() {
    small_.files.Append(
        DUMP_CLASSES, "100.0000000000,000000D2,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000023,getTask,()V,000000D2,-1\n");
    Call("QueueInsert", "QueueInserted", 2, 1, 1.01, kReserve, kQueue);
    Call("QueueRemove", "QueueRemoved", 3, 1, 1.01, kReserve, kQueue);
    Ended(4, 1.2);
    Fails(3, 1.5, "TaskFailed");
    Call("QueueInsert", "", 2, 2, 0, kReserve, kQueue);
  }
  void IsIdle(double from) {
    Call("QueueRemove", "", 3, from, 0, "1;00000023;00000000", ",000000A6");
  }
};

TEST_F(FindTaker, IsIdleSinceItsTaskFailed) {
  IsIdle(1.501);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "; worker-2, which took from it once, has waited for work for 8.50 s, since its "
                  "task ended by an IllegalStateException at Cart.add (Cart.java:7)"))
      << text;
  EXPECT_FALSE(Has(text, "In the recording")) << text;
}

TEST_F(FindTaker, HadAnotherTaskSince) {
  Call("TaskTaken", "", 3, 1.5001, 0, "0");
  IsIdle(1.501);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "; worker-2, which took from it once, has waited for work for 8.50 s"))
      << text;
  EXPECT_FALSE(Has(text, "since its task")) << text;
}

TEST_F(FindTaker, DidSomethingElseSince) {
  IsIdle(1.6);
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "since its task")) << text;
}

TEST_F(FindParties, APartyThatEnded) {
  MeetWithoutTheThird();
  Ended(4, 1.5);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "; worker-3, which came to it 2 times, ended 8.50 s ago; ")) << text;
}

TEST_F(FindParties, APartyThatWaitsElsewhere) {
  MeetWithoutTheThird();
  Call("ObjectWait", "", 4, 1.5, 0, kWait);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "; worker-3, which came to it 2 times, has waited for 8.50 s in Object.wait at "
                  "OrderService.price (OrderService.java:88); "))
      << text;
}

// worker-1 waits with a monitor that worker-2 enters.
class FindSignallers : public FindParties {
 protected:
  void Wait() {
    Call("ObjectWait", "", 2, 2, 0, kWait);
    Call("MonitorContendedEnter", "", 3, 2.5, 0, kReserve, ",000000A1,00000002");
  }
  void Notify(uint32_t thread, double at) { Call("ObjectNotify", "", thread, at, 0, kPrice); }
};

TEST_F(FindSignallers, OneThatSignalledAloneWaitsForWork) {
  Notify(4, 1);
  Notify(4, 1.5);
  Get(4, 1.9, 0, kReserve);
  Wait();
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "for another thread to notify it; worker-3, which made all 2 calls of notify, "
                  "the last at OrderService.price (OrderService.java:88) 500 ms before it began to "
                  "wait, has waited for 8.10 s in Future.get or join at Inventory.reserve "
                  "(Inventory.java:42). "))
      << text;
}

TEST_F(FindSignallers, SeveralThatAllWaitElsewhere) {
  Notify(3, 1);
  Notify(4, 1.5);
  Get(4, 1.9, 0, kReserve);
  Wait();
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "; all 2 calls of notify came from threads that wait now, the last by worker-3 "
                  "at OrderService.price (OrderService.java:88), 500 ms before it began to wait; "
                  "worker-2, which notified it once, has waited for 7.50 s in synchronized"))
      << text;
}

TEST_F(FindSignallers, OneOfThemGoesOn) {
  Notify(3, 1);
  Notify(9, 1.5);
  Wait();
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "; the last of 2 calls of notify, by heartbeat at ")) << text;
}

// Each wait has an object of its own.
TEST_F(FindSignallers, ManyThatLetOthersGoOnAllWait) {
  Start(5, "worker-4");
  const char *objects[] = {",000000B1", ",000000B2", ",000000B3", ",000000B4"};
  for (uint32_t i = 0; i < 3; i++) {
    Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, kWait, objects[i]);
    Call("ObjectNotify", "", 3 + i, 1.05 + 0.1 * i, 0, kPrice, objects[i]);
  }
  Call("ObjectWait", "", 2, 2, 0, kWait, objects[3]);
  for (uint32_t thread : {3, 4, 5})
    Call("MonitorContendedEnter", "", thread, 2.5, 0, kReserve, ",000000A1,00000002");
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "; worker-2…4, which ended earlier waits there 3 times, all wait now; "))
      << text;
}

// Users of a pool of objects let each other go on, but not those that took an object for good.
TEST_F(FindParties, ThreadsThatTookObjectsForGood) {
  Start(5, "worker-4");
  for (int i = 0; i < 10; i++) {
    Call("QueueRemove", "QueueRemoved", 2, 1 + 0.04 * i, 1.02 + 0.04 * i, kReserve, kQueue);
    Call("ThreadUnpark", "", 3, 1.01 + 0.04 * i, 0, kPrice, ",00000002");
  }
  for (uint32_t thread : {4, 5}) {
    Call("QueueRemove", "QueueRemoved", thread, 1.5, 1.51, kReserve, kQueue);
    Call("ObjectWait", "", thread, 1.5 + 0.1 * thread, 0, kWait);
  }
  Call("QueueRemove", "", 2, 2.5, 0, kReserve, kQueue);
  Call("QueueRemove", "", 3, 2.5, 0, kReserve, kQueue);
  std::string text = SayStuck();
  EXPECT_TRUE(
      Has(text,
          "; worker-3 and worker-4, which got past this call 2 times, have waited for at least "
          "8.00 s in Object.wait at OrderService.price (OrderService.java:88); 12 earlier "
          "waits there took at most 20.0 ms."))
      << text;
}

// Four calls of countDown are needed, and the recording has the one of worker-3.
TEST_F(FindParties, ALatchThatLacksCalls) {
  Ended(4, 1.9);
  Call("LatchCountDown", "", 4, 1, 0, kPrice, kLatch);
  Call("LatchAwait", "", 2, 2, 0, kReserve, kLatch);
  Call("LatchAwait", "", 3, 2, 0, kReserve, kLatch);
  Lacks("LatchLacks", 2, 3);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "for another thread to count it down (it lacks 3 more calls; 1 came from "
                  "worker-3); the only countDown, by worker-3 at"))
      << text;
}

TEST_F(FindParties, ALatchThatIsCountedDownLater) {
  Call("LatchAwait", "", 2, 2, 0, kReserve, kLatch);
  Call("LatchAwait", "", 3, 2, 0, kReserve, kLatch);
  Lacks("LatchLacks", 2, 3);
  Call("LatchCountDown", "", 4, 9.97, 0, kPrice, kLatch);
  Ended(4, 9.98);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "for another thread to count it down; the only countDown")) << text;
}

// The count is that of another latch.
TEST_F(FindParties, AWaitThatEndedBeforeTheCountWasRead) {
  Ended(4, 1.9);
  Call("LatchAwait", "LatchAwaited", 2, 2, 9.7, kReserve, kLatch);
  Call("LatchAwait", "", 3, 2, 0, kReserve, kLatch);
  Call("LatchAwait", "", 2, 9.8, 0, kPrice, ",000000B1");
  Lacks("LatchLacks", 2, 3);
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "lacks")) << text;
}

TEST_F(FindParties, APhaserThatLacksParties) {
  Ended(4, 1.9);
  Call("PhaserAwait", "PhaserAwaited", 4, 1, 1.1, kReserve, kLatch);
  Call("PhaserAwait", "", 2, 2, 0, kReserve, kLatch);
  Call("PhaserAwait", "", 3, 2, 0, kReserve, kLatch);
  Lacks("PhaserLacks", 2, 1, 3);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "for another thread to arrive at the phaser (at least 1 party has not "
                  "arrived); worker-3, which came to it once, ended"))
      << text;
  EXPECT_FALSE(Has(text, "nobody did")) << text;
}

// Its wait began before the recording, so its object is the sync of the latch.
TEST_F(FindParties, AnOlderWaitOnALatch) {
  Ended(4, 1.9);
  OpenCall(2, 0.2);
  Call("LatchAwait", "", 2, 0.2, 0, kReserve, kLatch);
  OpenCall(3, 0.2);
  Call("LatchAwait", "", 3, 0.2, 0, kReserve, kLatch);
  Lacks("LatchLacks", 2, 1);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "to count it down (it lacks 1 more call); nobody did in the recording"))
      << text;
}

TEST_F(FindParties, AnOlderWaitOnALatchThatAThreadMayHaveCountedDown) {
  OpenCall(2, 0.2);
  Call("LatchAwait", "", 2, 0.2, 0, kReserve, kLatch);
  OpenCall(3, 0.2);
  Call("LatchAwait", "", 3, 0.2, 0, kReserve, kLatch);
  Call("LatchCountDown", "", 4, 1, 0, kPrice, ",000000B1");
  Ended(4, 1.9);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "for another thread to count it down")) << text;
  EXPECT_FALSE(Has(text, "nobody did")) << text;
}

TEST_F(FindParties, TheThreadThatTookFromAQueue) {
  Call("QueueRemove", "QueueRemoved", 4, 1, 1.1, kReserve, kQueue);
  Ended(4, 1.5);
  Call("QueueInsert", "", 2, 2, 0, kPrice, kQueue);
  Call("QueueInsert", "", 3, 2, 0, kPrice, kQueue);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "; worker-3, which took from it once, ended 8.50 s ago.")) << text;
}

TEST_F(FindParties, AThreadThatOnlyTriedTo) {
  Call("QueueRemove", "QueueRemoveFailed", 4, 1, 1.1, kReserve, kQueue);
  Ended(4, 1.5);
  Call("QueueInsert", "", 2, 2, 0, kPrice, kQueue);
  Call("QueueInsert", "", 3, 2, 0, kPrice, kQueue);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "; worker-3, which tried to take from it once, ended 8.50 s ago.")) << text;
}

// Nobody else has ever notified them.
TEST_F(FindParties, ThreadsThatOnlySignalEachOther) {
  Ended(4, 1.9);
  for (int i = 0; i < 3; i++) {
    Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, kWait);
    Call("ObjectNotify", "", 3, 1.05 + 0.1 * i, 0, kPrice);
  }
  Call("ObjectWait", "", 2, 2, 0, kWait);
  Call("ObjectWait", "", 3, 2, 0, kWait);
  std::string text = SayStuck();
  EXPECT_TRUE(
      Has(text,
          "; all 3 calls of notify came from threads that wait now, the last by worker-2 at "
          "OrderService.price (OrderService.java:88), 750 ms before the first of them began "
          "to wait; "))
      << text;
}

TEST_F(FindParties, SignalsOfOneThreadAndOfAll) {
  Ended(4, 1.9);
  for (int i = 0; i < 3; i++) {
    Call("ObjectWait", "ObjectWaited", 2, 1 + 0.1 * i, 1.06 + 0.1 * i, kWait);
    Call(i == 0 ? "ObjectNotify" : "ObjectNotifyAll", "", 3, 1.05 + 0.1 * i, 0, kPrice);
  }
  Call("ObjectWait", "", 2, 2, 0, kWait);
  Call("ObjectWait", "", 3, 2, 0, kWait);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "; all 3 calls of notify and notifyAll came from threads that wait now"))
      << text;
}

TEST_F(FindParties, ATaskThatAnExceptionEnded) {
  Ended(4, 1.9);
  Call("TaskTaken", "", 4, 0.5, 0, kPrice, ",000000A7");
  Fails(4, 1, "TaskFailed");
  Call("QueueInsert", "", 2, 2, 0, kPrice, kQueue);
  Call("QueueInsert", "", 3, 2, 0, kPrice, kQueue);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  " In the recording, an exception ended a task of worker-3 9.00 s ago (an "
                  "IllegalStateException at Cart.add (Cart.java:7)).\n"))
      << text;
}

// It runs a FutureTask of its own, and handles what that throws.
TEST_F(FindParties, AFutureThatNoWorkerRan) {
  Ended(4, 1.9);
  Fails(4, 1, "TaskFailed");
  Call("QueueInsert", "", 2, 2, 0, kPrice, kQueue);
  Call("QueueInsert", "", 3, 2, 0, kPrice, kQueue);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "STUCK")) << text;
  EXPECT_FALSE(Has(text, "exception")) << text;
}

// Then they are nothing special.
TEST_F(FindParties, ManyTasksThatExceptionsEnded) {
  Ended(4, 1.9);
  for (int i = 0; i < 9; i++) Fails(4, 1 + 0.1 * i, "TaskFailed");
  Call("QueueInsert", "", 2, 2, 0, kPrice, kQueue);
  Call("QueueInsert", "", 3, 2, 0, kPrice, kQueue);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "STUCK")) << text;
  EXPECT_FALSE(Has(text, "exception")) << text;
}

TEST_F(FindParties, TheOwnerOfALockThatAnExceptionEnded) {
  Call("LockAcquire", "", 2, 2, 0, kReserve, ",000000A6,00000004");
  Fails(4, 3);
  Ended(4, 3);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  ", for a lock of worker-3, which ended 7.00 s ago without releasing it, by an "
                  "IllegalStateException at Cart.add (Cart.java:7)"))
      << text;
}

// Each request has a latch of its own.
class FindEnders : public FindParties {
 protected:
  void Await(uint32_t thread, double from, double to, const char *latch) {
    Call("LatchAwait", "LatchAwaited", thread, from, to, kReserve, latch);
  }
  void AwaitThreeLatches() {
    const char *latches[] = {",000000B1", ",000000B2", ",000000B3"};
    for (int i = 0; i < 3; i++) {
      Await(2, 1 + 0.1 * i, 1.06 + 0.1 * i, latches[i]);
      Call("LatchCountDown", "", 4, 1.05 + 0.1 * i, 0, kPrice, latches[i]);
    }
  }
};

TEST_F(FindEnders, TheThreadThatLetOthersGoDoesSomethingElse) {
  AwaitThreeLatches();
  Await(2, 2, 0, ",000000B4");
  Await(3, 2, 0, ",000000B5");
  Call("ObjectWait", "", 4, 1.5, 0, kWait);
  std::string text = SayStuck();
  EXPECT_TRUE(
      Has(text,
          "; worker-3, which ended earlier waits there 3 times, has waited for 8.50 s in "
          "Object.wait at OrderService.price (OrderService.java:88); 3 earlier waits there "))
      << text;
}

TEST_F(FindEnders, TheThreadThatLetOthersGoWaitsToo) {
  AwaitThreeLatches();
  Ended(3, 1.9);
  Await(2, 2, 0, ",000000B4");
  Await(4, 2, 0, ",000000B5");
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "; worker-3, which ended earlier waits there 3 times, is one of them; "))
      << text;
}

TEST_F(FindEnders, OneEarlierWaitTellsNothing) {
  Await(2, 1, 1.06, ",000000B1");
  Call("LatchCountDown", "", 4, 1.05, 0, kPrice, ",000000B1");
  Ended(4, 1.9);
  Await(2, 2, 0, ",000000B4");
  Await(3, 2, 0, ",000000B5");
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "STUCK")) << text;
  EXPECT_FALSE(Has(text, "ended earlier waits")) << text;
}

}  // namespace
