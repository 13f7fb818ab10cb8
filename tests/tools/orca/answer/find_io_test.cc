#include "tests/tools/orca/answer/time_lines.h"

namespace {

class FindIo : public IoLines {
 protected:
  std::string SayIo() { return SayKinds({FINDING_io}); }
};

TEST_F(FindIo, NamesTheNativeMethodAndThePlace) {
  Start(1, "main");
  Start(2, "worker");
  Sampled(1, 0, 9.5, "Native", 0, kRead);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  std::string text = SayIo();
  EXPECT_TRUE(Has(text, "* I/O: main waited ")) << text;
  EXPECT_TRUE(
      Has(text,
          " s in a socket read (SocketDispatcher.read0) at Inventory.reserve (Inventory.java:42). "
          "That is 50 % of the time in which threads ran, were ready to run, blocked "
          "or in I/O.\n"))
      << text;
}

// The thread in I/O holds a lock for which others wait.
TEST_F(FindIo, NamesTheLockThatWaitsForIt) {
  Start(1, "main");
  Sampled(1, 0, 9.5, "Native", 0, kRead);
  Said said;
  said.answer.model = Read();
  struct found_lock lock = {};
  lock.lock.text = "Cart@000000A1";
  lock.holder = "main";
  lock.holders = 1;
  lock.holder_does = "io";
  lock.waiters = "worker";
  lock.blocked = 4500000000;
  lock.holder_place.place = spending_largest(&small_.model.spending, ACTIVITY_IO)->place;
  FINDINGS_ADD(&said.answer.findings, lock, 1, &lock);
  said.Find(find_io);
  std::string text = said.Text({FINDING_io});
  EXPECT_TRUE(Has(text, " There main held Cart@000000A1, for which worker waited 4.50 s.")) << text;
}

TEST_F(FindIo, APlaceIsNotNamedTwice) {
  Start(1, "main");
  Sampled(1, 0, 9.5, "Native", 0, "1;00000021;FFFFFFFF");
  std::string text = SayIo();
  EXPECT_TRUE(Has(text, " s in a socket read at SocketDispatcher.read0 (S.java). That is "))
      << text;
}

// No sample saw what the thread did between its sleeps: reads, perhaps.
TEST_F(FindIo, CallsBetweenSamplesAreNotCounted) {
  Start(1, "main");
  Start(2, "worker");
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  Sampled(1, 0, 3, "Native", 0, kRead);
  for (int i = 0; i < 40; i++) Sleep(1, 3.5 + i * 0.1, 3.51 + i * 0.1, kReserve);
  Sampled(1, 7.5, 9.5, "Native", 0, kRead);
  std::string text = SayIo();
  EXPECT_TRUE(Has(text, "* I/O: main waited at least ")) << text;
  EXPECT_TRUE(Has(text, " That is at least ")) << text;
}

TEST_F(FindIo, ASmallShareIsLeftOut) {
  Start(1, "main");
  Start(2, "worker");
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  Sampled(1, 9.8, 9.8, "Native", 0, kRead);
  EXPECT_EQ(SayIo(), "");
}

TEST_F(FindIo, ASelectorIsNoIo) {
  Start(1, "main");
  Sampled(1, 0, 9.5, "Native", 0, "1;00000014;FFFFFFFF");
  EXPECT_EQ(SayIo(), "");
}

// A thread that waits for a CPU in a native method looks like one in I/O.
TEST_F(FindIo, AThreadThatWaitedLongerForACpuIsLeftOut) {
  Start(1, "main");
  Sampled(1, 5, 9, "Native", 0, kRead);
  SampleLine(9.5, "Sched,00000001,10500000000");
  EXPECT_EQ(SayIo(), "");
}

// --- when the recording ended ---------------------------------------------------------------

TEST_F(FindIo, ThreadsThatStandInItAreNamed) {
  Start(1, "a");
  Start(2, "b");
  Start(3, "worker");
  Stands(1, 1, kRead);
  Stands(2, 3, kRead);
  Sampled(3, 0, 9.5, "Runnable", 400, kPrice);
  std::string text = SayIo();
  EXPECT_TRUE(Has(text,
                  " When the recording ended, a and b had been in one such call for at least 6.50 "
                  "s.\n"))
      << text;
}

// Each sample shows the same stack, but the thread used CPU time: these are several calls.
TEST_F(FindIo, AThreadThatReadsAgainDoesNotStand) {
  Start(1, "a");
  Sampled(1, 0, 9.5, "Native", 10, kRead);
  EXPECT_FALSE(Has(SayIo(), "had been in"));
}

TEST_F(FindIo, AnEventEndsTheCall) {
  Start(1, "a");
  Stands(1, 1, kRead);
  Call("SemaphoreRelease", "", 1, 9, 0, kPrice);
  Rounds(2, 9.5);
  EXPECT_FALSE(Has(SayIo(), "had been in"));
}

TEST_F(FindIo, WithoutRoundsAtTheEndNothingIsKnown) {
  Start(1, "a");
  Stands(1, 1, kRead);
  Rounds(2, 6);
  EXPECT_FALSE(Has(SayIo(), "had been in"));
}

// The standstill tells it.
TEST_F(FindIo, NothingIsToldTwice) {
  Start(1, "a");
  Stands(1, 0.2, kRead);
  Rounds(1, 9.5);
  EXPECT_EQ(SayIo(), "");
}

// The deadlock is told, and no standstill.
TEST_F(FindIo, BesideADeadlockItIsTold) {
  Start(1, "reader");
  Start(2, "a");
  Start(3, "b");
  Call("ThreadJoin", "", 2, 1, 0, kReserve, ",00000003");
  Call("ThreadJoin", "", 3, 1, 0, kReserve, ",00000002");
  Stands(1, 0.2, kRead);
  Rounds(1, 9.5);
  Said said(Read());
  EXPECT_EQ(said.List({FINDING_deadlock}).size(), 1u);
  EXPECT_TRUE(said.List({FINDING_standstill}).empty());
  std::string text = said.Text({FINDING_io});
  EXPECT_TRUE(Has(text, " When the recording ended, reader had been in one such call for "))
      << text;
}

// --- threads that stand ---------------------------------------------------------------------

class FindStood : public TimeLines {
 protected:
  FindStood() {
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000021,<clinit>,()V,000000C5,-1\n");
    Start(1, "main");
    Start(2, "worker");
  }
  std::string SayStood() { return SayKinds({FINDING_stood}); }
  void Stand(int64_t waited_ms) {
    Sampled(1, 0.25, 9.25, "Runnable", 0, kPrice);
    SampleLine(9.5, "Sched,00000001," + std::to_string(waited_ms * 1000000));
  }
  void Initialize(double from, double to) {
    Sleep(2, from, to, "4;00000003;FFFFFFFF;00000012;00000000;00000021;FFFFFFFF;00000011;00000000");
  }
};

TEST_F(FindStood, AThreadThatWaitsForAnInitializerStands) {
  Initialize(0.5, 9.5);
  Stand(20);
  Said said(Read());
  std::string text = said.Text({FINDING_stood});
  EXPECT_TRUE(Has(text, "* main stood for ")) << text;
  EXPECT_TRUE(Has(text,
                  " s at OrderService.price (OrderService.java:88), without using a CPU or "
                  "waiting for one. Meanwhile worker was in the static initializer of "
                  "com.acme.Inventory at Inventory.reserve (Inventory.java:42) for 9.00 s: a "
                  "thread that needs the class waits for that.\n"))
      << text;
  EXPECT_GT(said.List({FINDING_stood}).at(0)->weight, 8 * kSecond);
}

TEST_F(FindStood, AnInitializerAtAnotherTimeIsNotNamed) {
  Initialize(9, 9.5);
  Stand(20);
  std::string text = SayStood();
  EXPECT_TRUE(Has(text, "without using a CPU or waiting for one.\n")) << text;
}

TEST_F(FindStood, AThreadThatWaitsForACpuDoesNotStand) {
  Initialize(0.5, 9.5);
  Stand(8000);
  EXPECT_EQ(SayStood(), "");
}

TEST_F(FindStood, TimeThatWaitedForACpuDoesNotCount) {
  Initialize(0.5, 9.5);
  Stand(2000);
  Said said(Read());
  EXPECT_TRUE(Has(said.Text({FINDING_stood}), "* main stood for "));
  ticks_t weight = said.List({FINDING_stood}).at(0)->weight;
  EXPECT_GT(weight, 6 * kSecond);
  EXPECT_LE(weight, 8 * kSecond);
}

TEST_F(FindStood, WithoutWaitTimesOfTheKernelNothingIsKnown) {
  Sampled(1, 0.25, 9.25, "Runnable", 0, kPrice);
  EXPECT_EQ(SayStood(), "");
}

}  // namespace
