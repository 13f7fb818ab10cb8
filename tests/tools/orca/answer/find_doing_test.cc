#include "tests/tools/orca/answer/time_lines.h"

namespace {

// main is blocked on a monitor of worker from 2 s on.
class FindDoing : public IoLines {
 protected:
  FindDoing() {
    Start(1, "main");
    Start(2, "worker");
    Start(3, "other");
    Call("MonitorContendedEnter", "", 1, 2, 0, kReserve, ",000000A1,00000002");
  }
  std::string SayHolder() {
    std::string text = SayKinds({FINDING_stuck});
    size_t at = text.find("held by");
    return at == std::string::npos ? text : text.substr(at, text.find(".\n") - at);
  }
};

TEST_F(FindDoing, AHolderThatSleeps) {
  Sleep(2, 1, 0, kPrice);
  EXPECT_EQ(SayHolder(),
            "held by worker, which has slept for 9.00 s at OrderService.price "
            "(OrderService.java:88)");
}

TEST_F(FindDoing, AHolderThatWaits) {
  Call("LatchAwait", "", 2, 1.5, 0, kPrice);
  EXPECT_EQ(SayHolder(),
            "held by worker, which has waited for 8.50 s in CountDownLatch.await at "
            "OrderService.price (OrderService.java:88)");
}

TEST_F(FindDoing, AHolderThatJoins) {
  Call("ThreadJoin", "", 2, 1.5, 0, kPrice, ",00000003");
  EXPECT_EQ(SayHolder(),
            "held by worker, which has waited for 8.50 s for the end of other at "
            "OrderService.price (OrderService.java:88)");
}

TEST_F(FindDoing, AHolderInIo) {
  Stands(2, 1, kRead);
  Rounds(1.5, 9.5);
  EXPECT_EQ(SayHolder(),
            "held by worker, which has been for 9.00 s in a socket read (SocketDispatcher.read0) "
            "at Inventory.reserve (Inventory.java:42)");
}

TEST_F(FindDoing, AHolderThatRuns) {
  Sampled(2, 2, 9.5, "Runnable", 400, kPrice);
  EXPECT_EQ(SayHolder(),
            "held by worker, which was last seen running at OrderService.price "
            "(OrderService.java:88)");
}

}  // namespace
