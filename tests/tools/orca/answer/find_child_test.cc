#include "tests/tools/orca/answer/time_lines.h"

namespace {

// OrderService.price waits for a process.
constexpr char kWaitFor[] = "3;00000001;FFFFFFFF;00000021;FFFFFFFF;00000010;00000000";

class FindChild : public TimeLines {
 protected:
  FindChild() {
    small_.files.Append(DUMP_CLASSES, "100.0000000000,000000D1,Ljava/lang/ProcessImpl;,P.java\n");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000021,waitFor,()I,000000D1,-1\n");
    Start(1, "main");
    Start(2, "builder-1");
    Start(3, "builder-2");
  }
  void WaitFor(uint32_t thread, double from, double to) {
    Call("ObjectWait", "ObjectWaited", thread, from, to, kWaitFor);
  }
  std::string SayChild() { return SayKinds({FINDING_child, FINDING_idle, FINDING_pause}); }
};

TEST_F(FindChild, NamesTheWaitAndThoseOfOthers) {
  WaitFor(2, 1, 8);
  Get(1, 1, 8, kReserve);
  EXPECT_EQ(SayChild(),
            "* builder-1 waited 7.00 s in ProcessImpl.waitFor at OrderService.price "
            "(OrderService.java:88) for a child process. Meanwhile main waited 7.00 s in "
            "Future.get or join at Inventory.reserve (Inventory.java:42).\n");
}

// Another thread runs, so it is no standstill. The first wait has ended.
TEST_F(FindChild, NamesOnlyTheThreadsThatStillWait) {
  WaitFor(2, 0.5, 0.6);
  WaitFor(3, 1, 0);
  Sampled(1, 0, 9.5, "Runnable", 100, kReserve);
  EXPECT_EQ(SayChild(),
            "* builder-2 waited 9.00 s in ProcessImpl.waitFor at OrderService.price "
            "(OrderService.java:88) for a child process, which had not ended when the recording "
            "did. A child process cannot go on while the pipe of its output is full.\n");
}

TEST_F(FindChild, ComesFirstInAStandstill) {
  Get(1, 0.5, 0, kReserve);
  WaitFor(2, 1, 0);
  EXPECT_TRUE(Has(SayKinds({FINDING_standstill}), ": builder-1 has waited in ProcessImpl.waitFor"));
}

TEST_F(FindChild, AShortWaitIsNotTold) {
  WaitFor(2, 1, 3);
  EXPECT_TRUE(Has(SayChild(), "* The program was idle for "));
}

// The wait of another method is none for a process.
TEST_F(FindChild, OtherWaitsAreNotTold) {
  Call("ObjectWait", "ObjectWaited", 2, 1, 9, "2;00000001;FFFFFFFF;00000010;00000000");
  EXPECT_TRUE(Has(SayChild(), "* The program was idle for "));
}

}  // namespace
