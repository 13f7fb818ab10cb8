#include "tests/tools/orca/render/view/verdict_lines.h"

namespace {

class VerdictIo : public IoTime {};

TEST_F(VerdictIo, NamesTheNativeMethodAndThePlace) {
  Start(1, "main");
  Start(2, "worker");
  Sampled(1, 0, 9.5, "Native", 0, kRead);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  std::string text = Show(view_io_verdict);
  EXPECT_TRUE(Has(text, "* I/O: main waited ")) << text;
  EXPECT_TRUE(
      Has(text,
          " s in a socket read (SocketDispatcher.read0) at Inventory.reserve (Inventory.java:42). "
          "That is 50 % of the time in which threads ran, were ready to run, blocked "
          "or in I/O.\n"))
      << text;
}

TEST_F(VerdictIo, APlaceIsNotNamedTwice) {
  Start(1, "main");
  Sampled(1, 0, 9.5, "Native", 0, "1;00000021;FFFFFFFF");
  std::string text = Show(view_io_verdict);
  EXPECT_TRUE(Has(text, " s in a socket read at SocketDispatcher.read0 (S.java). That is "))
      << text;
}

TEST_F(VerdictIo, ASmallShareIsLeftOut) {
  Start(1, "main");
  Start(2, "worker");
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  Sampled(1, 9.8, 9.8, "Native", 0, kRead);
  EXPECT_EQ(Show(view_io_verdict), "");
}

TEST_F(VerdictIo, ASelectorIsNoIo) {
  Start(1, "main");
  Sampled(1, 0, 9.5, "Native", 0, "1;00000014;FFFFFFFF");
  EXPECT_EQ(Show(view_io_verdict), "");
}

// A thread that waits for a CPU in a native method looks like one in I/O.
TEST_F(VerdictIo, AThreadThatWaitedLongerForACpuIsLeftOut) {
  Start(1, "main");
  Sampled(1, 5, 9, "Native", 0, kRead);
  SampleLine(9.5, "Sched,00000001,10500000000");
  EXPECT_EQ(Show(view_io_verdict), "");
}

// --- threads that stand ---------------------------------------------------------------------

TEST_F(VerdictIo, ThreadsThatStandInItAreNamed) {
  Start(1, "a");
  Start(2, "b");
  Start(3, "worker");
  Stands(1, 1, kRead);
  Stands(2, 3, kRead);
  Sampled(3, 0, 9.5, "Runnable", 400, kPrice);
  std::string text = Show(view_io_verdict);
  EXPECT_TRUE(Has(text,
                  " When the recording ended, a and b had been in one such call for at least 6.50 "
                  "s.\n"))
      << text;
}

// Each sample shows the same stack, but the thread used CPU time: these are several calls.
TEST_F(VerdictIo, AThreadThatReadsAgainDoesNotStand) {
  Start(1, "a");
  Sampled(1, 0, 9.5, "Native", 10, kRead);
  EXPECT_FALSE(Has(Show(view_io_verdict), "had been in"));
}

TEST_F(VerdictIo, AnEventEndsTheCall) {
  Start(1, "a");
  Stands(1, 1, kRead);
  Call("SemaphoreRelease", "", 1, 9, 0, kPrice);
  Rounds(2, 9.5);
  EXPECT_FALSE(Has(Show(view_io_verdict), "had been in"));
}

TEST_F(VerdictIo, WithoutRoundsAtTheEndNothingIsKnown) {
  Start(1, "a");
  Stands(1, 1, kRead);
  Rounds(2, 6);
  EXPECT_FALSE(Has(Show(view_io_verdict), "had been in"));
}

// The standstill tells it.
TEST_F(VerdictIo, NothingIsToldTwice) {
  Start(1, "a");
  Stands(1, 0.2, kRead);
  Rounds(1, 9.5);
  EXPECT_EQ(Show(view_io_verdict), "");
}

}  // namespace
