#include "tests/tools/orca/render/view/verdict_lines.h"

namespace {

class VerdictStill : public IoTime {};

const char kPoolNote[] =
    " (these are all workers of their pool: a task that is queued in it cannot "
    "run)";

TEST_F(VerdictStill, AnOpenParkIsTold) {
  Start(1, "main");
  Call("ThreadPark", "ThreadParked", 1, 1, 0, kReserve, ",00000000");
  EXPECT_TRUE(Has(Show(view_quiet_verdict),
                  ": main has been parked at Inventory.reserve (Inventory.java:42) for 9.00 s.\n"));
}

TEST_F(VerdictStill, OpenCallsOfAnIdleProgramComeFirst) {
  Start(1, "main");
  Start(2, "pool-1-thread-1");
  Start(3, "pool-1-thread-2");
  Start(4, "timer");
  Get(1, 1, 0, kReserve);
  Get(2, 2, 0, kPrice);
  Get(3, 3, 0, kPrice);
  Sleep(4, 1, 0, kPrice);
  EXPECT_EQ(Show(view_quiet_verdict),
            std::string("* The program has been idle for the last 10.0 s: pool-1-thread-1 and "
                        "pool-1-thread-2 have waited in Future.get or join at OrderService.price "
                        "(OrderService.java:88) for 7.00 s to 8.00 s") +
                kPoolNote +
                "; main has waited in Future.get or join at Inventory.reserve (Inventory.java:42) "
                "for 9.00 "
                "s.\n");
}

TEST_F(VerdictStill, ACallThatIsOlderThanTheRecordingIsMarked) {
  Start(1, "main");
  small_.files.Write(DUMP_EVENTS, "");
  OpenCall(1, 0.5);
  Get(1, 0.5, 0, kReserve);
  EXPECT_TRUE(
      Has(Show(view_quiet_verdict),
          "main has waited in Future.get or join at Inventory.reserve (Inventory.java:42) since "
          "before the recording."));
}

TEST_F(VerdictStill, IdleAndShortOpenCallsAreNotTold) {
  Start(1, "main");
  Start(2, "poller");
  Get(1, 9.5, 0, kReserve);
  Call("ObjectWait", "ObjectWaited", 2, 1, 0, "1;00000014;FFFFFFFF");  // a selector
  EXPECT_EQ(Show(view_quiet_verdict),
            "* The program was idle for 10.0 s of 10.0 s: its threads waited for work.\n");
}

TEST_F(VerdictStill, AThreadThatRunsToTheEndHidesOpenCalls) {
  Start(1, "main");
  Start(2, "worker");
  Get(1, 1, 0, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  EXPECT_EQ(Show(view_quiet_verdict), "");
}

// main joins worker-1 in the small recording.
TEST(VerdictStillOfDeadlock, ADeadlockIsToldInstead) {
  SmallModel small;
  small.Read();
  EXPECT_GT(small.model.deadlocks.num_rings, 0u);
  EXPECT_FALSE(Has(ShowView(&small.model, view_quiet_verdict), "has been idle"));
}

// --- I/O ------------------------------------------------------------------------------------

TEST_F(VerdictStill, ThreadsInIoComeFirst) {
  Start(1, "main");
  Start(2, "pool-1-thread-1");
  Get(1, 0.5, 0, kReserve);
  Stands(2, 2, kRead);
  Rounds(3, 9.5);
  EXPECT_EQ(Show(view_quiet_verdict),
            "* The program has been idle for the last 8.00 s: pool-1-thread-1 has been in a socket "
            "read (SocketDispatcher.read0) at Inventory.reserve (Inventory.java:42) for at least "
            "7.50 s (this is the only worker of its pool: a task that is queued in it cannot run); "
            "main has waited in Future.get or join at Inventory.reserve (Inventory.java:42) for "
            "9.50 s.\n");
}

TEST_F(VerdictStill, CallsOfDifferentLengthHaveARange) {
  Start(1, "a");
  Start(2, "b");
  Stands(1, 1, kRead);
  Stands(2, 6, kRead);
  Rounds(6.5, 9.5);
  std::string text = Show(view_quiet_verdict);
  EXPECT_TRUE(Has(text, "a and b have been in a socket read ")) << text;
  EXPECT_TRUE(Has(text, " for 3.50 s to 8.50 s.\n")) << text;
}

TEST_F(VerdictStill, CallsOfAboutTheSameLengthHaveALeastTime) {
  Start(1, "a");
  Start(2, "b");
  Get(1, 1, 0, kPrice);
  Get(2, 1.5, 0, kPrice);
  EXPECT_TRUE(Has(Show(view_quiet_verdict), " for at least 8.50 s.\n"));
}

TEST_F(VerdictStill, OnlyCallsThatAreAllOlderThanTheRecordingAreMarked) {
  Start(1, "a");
  Start(2, "b");
  small_.files.Write(DUMP_EVENTS, "");
  OpenCall(1, 0.5);
  Get(1, 0.5, 0, kReserve);
  Get(2, 1, 0, kReserve);
  std::string text = Show(view_quiet_verdict);
  EXPECT_TRUE(Has(text, " for at least 9.00 s.")) << text;
}

}  // namespace
