#include "tests/tools/orca/answer/time_lines.h"

namespace {

const char kAcquire[] = "2;00000005;00000000;00000012;00000000";
const char kRelease[] = "2;00000006;00000000;00000012;00000000";
const char kNotify[] = "2;00000002;FFFFFFFF;00000010;00000010";
const char kWait[] = "2;00000022;00000000;00000010;00000000";
const char kWaitLong[] = "2;00000001;FFFFFFFF;00000010;00000000";
const char kJoin[] = "2;00000004;00000000;00000011;00000000";
const char kSemaphore[] = ",000000A3";

class FindHang : public TimeLines {
 protected:
  FindHang() {
    End("stop");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000022,wait,()V,000000C1,-1\n");
    Start(1, "main");
    Start(2, "worker");
  }
  void End(const std::string &reason) {
    small_.files.Replace(DUMP_INFO, "end.reason=" + reason_, "end.reason=" + reason);
    reason_ = reason;
  }
  std::string SayHang() {
    return SayKinds({FINDING_deadlock, FINDING_hang, FINDING_stuck, FINDING_standstill,
                     FINDING_idle, FINDING_pause});
  }
  void Wait(uint32_t thread, double from, const char *stack = kWait) {
    Call("ObjectWait", "", thread, from, 0, stack);
  }
  void Point(const std::string &event, uint32_t thread, double at, const std::string &stack,
             const std::string &object = ",000000A2") {
    Call(event, "", thread, at, 0, stack, object);
  }
  void Join(uint32_t thread, double from, const char *joined) {
    Call("ThreadJoin", "", thread, from, 0, kJoin, joined);
  }
  void Acquire(uint32_t thread, double from, double to) {
    Call("SemaphoreAcquire", "SemaphoreAcquired", thread, from, to, kAcquire, kSemaphore);
  }

 private:
  std::string reason_ = "exit";
};

TEST_F(FindHang, ASignalBeforeTheWaitIsLost) {
  Point("ObjectNotifyAll", 1, 1, kNotify);
  Wait(2, 1.5);
  Join(1, 2, ",00000002");
  EXPECT_EQ(
      SayHang(),
      "* HANG: for the last 8.00 s no thread of the program could go on. worker has waited in "
      "Object.wait at OrderService.price (OrderService.java:88) for 8.50 s, and no living "
      "thread can notify it; the only notifyAll, by main at OrderService.price "
      "(OrderService.java:90), came 500 ms before it began to wait. main has waited in "
      "Thread.join at OrderService.run (OrderService.java:20) for 8.00 s, for the end of "
      "worker.\n");
}

TEST_F(FindHang, AThreadThatRunsMaySignal) {
  Wait(2, 1.5);
  Sampled(1, 2, 9.5, "Runnable", 400, kReserve);
  EXPECT_EQ(SayHang(), "");
}

TEST_F(FindHang, WhoSleepsGoesOn) {
  Wait(2, 1.5);
  Sleep(1, 2, 0, kReserve);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

TEST_F(FindHang, AThreadInIoGoesOn) {
  Wait(2, 1.5);
  Stands(1, 2, "2;00000014;FFFFFFFF;00000011;00000000");
  Rounds(2.5, 9.5);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

// The thread was on its way into the call when the sampler saw it.
TEST_F(FindHang, NothingRunsInsideOfAJoin) {
  Wait(2, 1.5);
  Join(1, 2, ",00000002");
  Sampled(1, 2.01, 2.01, "Runnable", 1, kJoin);
  std::string text = SayHang();
  EXPECT_TRUE(Has(text, "HANG")) << text;
}

// CompletableFuture.get may run a task meanwhile.
TEST_F(FindHang, ATaskRunsInsideOfAWaitForAFuture) {
  Wait(2, 1.5);
  Get(1, 2, 0, kPrice);
  Sampled(1, 2.5, 2.5, "Runnable", 400, kPrice);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

TEST_F(FindHang, AVirtualThreadWithoutACarrierWaits) {
  Wait(2, 1.5);
  Get(1, 2, 0, kPrice);
  Sampled(1, 2.5, 2.5, "Unmounted", 0, kPrice);
  std::string text = SayHang();
  EXPECT_TRUE(Has(text, "HANG")) << text;
}

// A shutdown hook may count it down: it has no thread yet.
TEST_F(FindHang, MainMayKeepTheProgramAlive) {
  Call("LatchAwait", "", 1, 1.5, 0, kReserve);
  Join(2, 2, ",00000001");
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

TEST_F(FindHang, ALatchThatWasCountedDownBeforeIsOne) {
  Call("LatchAwait", "", 1, 1.5, 0, kReserve);
  Point("LatchCountDown", 2, 1.7, kNotify);
  Join(2, 2, ",00000001");
  std::string text = SayHang();
  EXPECT_TRUE(Has(text, "HANG: for the last 8.00 s no thread of the program")) << text;
}

TEST_F(FindHang, APermitOfAThreadThatHasEndedHasNoOwner) {
  Start(3, "other");
  Sampled(3, 2, 9.5, "Runnable", 400, kReserve);
  Start(4, "acquirer");
  Acquire(1, 0.5, 0.6);
  Point("SemaphoreRelease", 1, 0.7, kRelease, kSemaphore);
  Acquire(4, 1, 1.1);
  Ended(4, 1.15);
  Acquire(1, 1.2, 0);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

// A wait of less than a second may be on its way.
TEST_F(FindHang, AHangTakesASecond) {
  Wait(2, 1.5);
  Join(1, 9.5, ",00000002");
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

// main gives up at some time, but that is all it can do.
TEST_F(FindHang, ALimitMayEndTheWaitForAResult) {
  Wait(2, 1.5);
  Call("FutureAwait", "", 1, 2, 0, kWaitLong);
  std::string text = SayHang();
  EXPECT_TRUE(
      Has(text, "no thread of the program could go on before the time limit of a wait is over. "))
      << text;
}

// The other threads go on, and the wait ends by itself.
TEST_F(FindHang, ALimitOfAPartIsNoHang) {
  Call("FutureAwait", "", 1, 2, 0, kWaitLong);
  Join(2, 2, ",00000001");
  Start(3, "poller");
  Sleep(3, 2, 0, kReserve);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

// It may signal others when the time is over.
TEST_F(FindHang, WhoWaitsUntilATimeGoesOn) {
  Wait(2, 1.5);
  Wait(1, 2, kWaitLong);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

// The sample shows the inner wait, which has no limit, though the method has a parameter for one.
TEST_F(FindHang, ASampleTellsWhetherThereIsALimit) {
  Wait(2, 1.5);
  Wait(1, 2, kWaitLong);
  Sampled(1, 3, 3, "Waiting", 0, kWaitLong);
  std::string text = SayHang();
  EXPECT_TRUE(Has(text, "no thread of the program could go on. ")) << text;
}

TEST_F(FindHang, PermitsThatWereKept) {
  Acquire(1, 0.5, 0.6);
  Point("SemaphoreRelease", 1, 0.7, kRelease, kSemaphore);
  Acquire(2, 1, 1.1);
  Acquire(1, 1.2, 0);
  Acquire(2, 1.3, 0);
  EXPECT_EQ(
      SayHang(),
      "* HANG: for the last 8.70 s no thread of the program could go on. main and worker have "
      "waited in Semaphore.acquire at Inventory.reserve (Inventory.java:42) for at least 8.70 "
      "s, and no living thread can release a permit; 1 permit was acquired at "
      "Inventory.reserve (Inventory.java:42) and not released, by worker (2 acquired, 1 "
      "released).\n");
}

// The threads that the end of the JVM wakes are no help.
TEST_F(FindHang, PermitsAreThoseOfTheMomentOfTheSignal) {
  End("signal TERM");
  Acquire(1, 0.5, 0.6);
  Point("SemaphoreRelease", 1, 0.7, kRelease, kSemaphore);
  Acquire(2, 1, 1.1);
  Acquire(1, 1.2, 0);
  Acquire(2, 1.3, 0);
  Call("ThreadStarted", "", 3, 9, 0, "SIGTERM handler", "");
  Point("SemaphoreRelease", 2, 9.5, kRelease, kSemaphore);
  std::string text = SayHang();
  EXPECT_TRUE(Has(text, "1 permit was acquired at Inventory.reserve")) << text;
}

TEST_F(FindHang, CountsTheThreadsThatItDoesNotName) {
  static const char *const stacks[] = {kWait, kReserve, kJoin, kNotify};
  for (uint32_t thread = 1; thread <= 4; thread++) Wait(thread, 2, stacks[thread - 1]);
  Get(5, 2, 0, kReserve);
  for (uint32_t thread = 3; thread <= 5; thread++) Start(thread, "other");
  std::string text = SayHang();
  EXPECT_TRUE(Has(text, "; and 1 more thread waits elsewhere.")) << text;
}

TEST_F(FindHang, APartOfTheProgramCanHang) {
  Start(3, "other");
  Sampled(3, 2, 9.5, "Runnable", 400, kReserve);
  Start(5, "owner");
  Ended(5, 1.5);
  Call("LockAcquire", "", 2, 2, 0, kReserve, ",000000A4,00000005");
  std::string text = SayHang();
  EXPECT_TRUE(Has(text, "* HANG: 1 thread cannot go on. worker has waited in ")) << text;
}

// Others run, and may give back the permits that main and worker have.
TEST_F(FindHang, PermitsMayComeFromAThreadThatRuns) {
  Start(3, "other");
  Sampled(3, 2, 9.5, "Runnable", 400, kReserve);
  Acquire(1, 0.5, 0.6);
  Point("SemaphoreRelease", 1, 0.7, kRelease, kSemaphore);
  Acquire(2, 1, 1.1);
  Acquire(1, 1.2, 0);
  Acquire(2, 1.3, 0);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

// Nobody has given a permit back yet: the one that runs may hand out more.
TEST_F(FindHang, CreditsMayComeFromAnyone) {
  Start(3, "other");
  Sampled(3, 2, 9.5, "Runnable", 400, kReserve);
  Acquire(1, 0.5, 0.6);
  Acquire(2, 1, 1.1);
  Acquire(1, 1.2, 0);
  Acquire(2, 1.3, 0);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
  EXPECT_FALSE(Has(text, "DEADLOCK")) << text;
}

// worker gave back one permit of its own, and now has two: others may hand out permits.
TEST_F(FindHang, OneReturnDoesNotMakeOwners) {
  Start(3, "other");
  Sampled(3, 2, 9.5, "Runnable", 400, kReserve);
  Acquire(2, 0.5, 0.6);
  Point("SemaphoreRelease", 2, 0.7, kRelease, kSemaphore);
  Acquire(2, 1, 1.1);
  Acquire(2, 1.2, 1.3);
  Acquire(2, 1.4, 0);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

// A way to keep a program alive.
TEST_F(FindHang, WhoJoinsItselfDoesNotHangBesideOthers) {
  Sampled(2, 2, 9.5, "Runnable", 400, kReserve);
  Join(1, 1, ",00000001");
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
  EXPECT_FALSE(Has(text, "DEADLOCK")) << text;
}

TEST_F(FindHang, AProgramThatExitedDidNotHang) {
  End("exit");
  Wait(2, 1.5);
  Wait(1, 2);
  std::string text = SayHang();
  EXPECT_FALSE(Has(text, "HANG")) << text;
}

// The signal starts threads of the JVM, which notify others.
TEST_F(FindHang, ASignalThatEndsTheJvmIsNoSignOfLife) {
  End("signal TERM");
  Wait(2, 1.5);
  Wait(1, 2);
  Call("ThreadStarted", "", 5, 9.5, 0, "SIGTERM handler", "");
  Point("ObjectNotifyAll", 5, 9.6, kNotify, ",000000A1");
  std::string text = SayHang();
  EXPECT_TRUE(Has(text, "* HANG: for the last 7.50 s no thread of the program could go on. "))
      << text;
}

TEST_F(FindHang, SpeedUpsAreNoneThen) {
  Wait(2, 1.5);
  Wait(1, 2);
  Said said(Read());
  for (const struct finding *lock : said.List({FINDING_lock})) {
    const auto *row = static_cast<const struct found_lock *>(lock->row);
    EXPECT_EQ(row->gain.num, 0u);
    EXPECT_FALSE(row->path_is_known);
  }
  EXPECT_TRUE(said.List({FINDING_path}).empty());
}

}  // namespace
