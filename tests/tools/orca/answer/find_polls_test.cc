#include "tests/tools/orca/answer/time_lines.h"

namespace {

class FindPolls : public TimeLines {
 protected:
  // The thread sleeps `length` seconds, again and again, until 9 s.
  void SleepOften(uint32_t thread, double length, const std::string &stack) {
    for (double at = 0.5; at + length <= 9; at += length * 1.01) {
      Sleep(thread, at, at + length, stack);
    }
  }
  void AddTaskMethods() {
    small_.files.Append(
        DUMP_CLASSES, "100.0000000000,000000D2,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000022,runWorker,()V,000000D2,-1\n");
  }
};

// OrderService.price is called by Inventory.reserve.
constexpr char kInTask[] =
    "4;00000003;FFFFFFFF;00000012;00000000;00000011;00000000;00000022;FFFFFFFF";
constexpr char kNested[] = "3;00000003;FFFFFFFF;00000010;00000000;00000012;00000000";

TEST_F(FindPolls, NamesThreadsThatSleepAgainAndAgain) {
  Start(1, "gossip-1");
  Start(2, "gossip-2");
  SleepOften(1, 0.05, kNested);
  SleepOften(2, 0.05, kNested);
  Said said(Read());
  EXPECT_EQ(said.Text({FINDING_poll}),
            "* gossip-1 and gossip-2 slept 336 times for 50.0 ms on average, 16.8 s in total, at "
            "OrderService.price (OrderService.java:88), called by Inventory.reserve "
            "(Inventory.java:42).\n");
  EXPECT_EQ(said.Text({FINDING_idle, FINDING_pause}), "");
}

TEST_F(FindPolls, NamesOneThreadWhoseSleepsAreVeryShort) {
  Start(1, "waiter");
  SleepOften(1, 0.0095, kPrice);
  EXPECT_TRUE(Has(SayKinds({FINDING_poll}), "* waiter slept 8"));
}

TEST_F(FindPolls, AHeartbeatIsIdle) {
  Start(1, "heartbeat");
  SleepOften(1, 0.1, kPrice);
  Said said(Read());
  EXPECT_EQ(said.Text({FINDING_poll}), "");
  EXPECT_TRUE(Has(said.Text({FINDING_idle}), ": heartbeat slept 84 times for 100 ms on average"));
}

TEST_F(FindPolls, LongSleepsAreNoPolls) {
  Start(1, "a");
  Start(2, "b");
  SleepOften(1, 0.12, kPrice);
  SleepOften(2, 0.12, kPrice);
  Said said(Read());
  EXPECT_EQ(said.Text({FINDING_poll}), "");
  EXPECT_TRUE(Has(said.Text({FINDING_idle}), ": a and b slept 16.8 s in total at "));
}

TEST_F(FindPolls, PollsOfAMinorPartAreNotTold) {
  Start(1, "a");
  for (double at = 0.5; at < 3; at += 0.01) Sleep(1, at, at + 0.0095, kPrice);
  EXPECT_EQ(SayKinds({FINDING_poll}), "");
}

TEST_F(FindPolls, ParksThatNobodyEndsArePolls) {
  Start(1, "a");
  for (double at = 0.5; at < 9; at += 0.0105) {
    Call("ThreadPark", "ThreadParked", 1, at, at + 0.0095, kPrice, ",00000000");
  }
  EXPECT_TRUE(Has(SayKinds({FINDING_poll}), "* a was parked 81"));
}

// The other thread is the reason.
TEST_F(FindPolls, SleepsWhileOthersAreBusyAreNotTold) {
  Start(1, "a");
  Start(2, "worker");
  SleepOften(1, 0.0095, kPrice);
  Sampled(2, 0, 9.5, "Runnable", 400, kReserve);
  EXPECT_EQ(SayKinds({FINDING_poll}), "");
}

// A consumer gets its elements.
TEST_F(FindPolls, WaitsThatOthersEndAreNoPolls) {
  Start(1, "a");
  for (double at = 0.5; at < 9; at += 0.0205) {
    Call("QueueRemove", "QueueRemoved", 1, at, at + 0.0095, kPrice);
  }
  EXPECT_EQ(SayKinds({FINDING_poll}), "");
}

// The worker can do no more. The readers outside of tasks only pause.
TEST_F(FindPolls, AWorkerThatIsFullComesBeforePauses) {
  AddTaskMethods();
  Start(1, "reader-1");
  Start(2, "reader-2");
  Start(3, "listener");
  SleepOften(1, 0.0095, kPrice);
  SleepOften(2, 0.0095, kPrice);
  for (double at = 0; at < 9.9; at += 0.0101) Sleep(3, at, at + 0.01, kInTask);
  std::string said = SayKinds({FINDING_poll});
  EXPECT_LT(said.find("* listener slept"), said.find("* reader-1 and reader-2 slept"));
}

TEST_F(FindPolls, AWorkerThatIsMostlyFreeComesAfterThem) {
  AddTaskMethods();
  Start(1, "reader-1");
  Start(2, "reader-2");
  Start(3, "listener");
  SleepOften(1, 0.0095, kPrice);
  SleepOften(2, 0.0095, kPrice);
  for (double at = 0; at < 6; at += 0.0101) Sleep(3, at, at + 0.01, kInTask);
  std::string said = SayKinds({FINDING_poll});
  EXPECT_LT(said.find("* reader-1 and reader-2 slept"), said.find("* listener slept"));
}

}  // namespace
