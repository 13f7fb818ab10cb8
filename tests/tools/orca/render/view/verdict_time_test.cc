#include <map>

#include "tests/tools/orca/render/view/shown.h"

namespace {

const char kReserve[] = "2;00000012;00000000;00000011;00000000";
const char kPrice[] = "2;00000010;00000000;00000011;00000000";

using Verdict = void (*)(struct builder *, const struct model *, const struct style *);

// A recording from 100 s to 110 s. Its threads live from the start to the end.
class VerdictTime : public testing::Test {
 protected:
  VerdictTime() {
    small_.files.Write(DUMP_EVENTS, "");
    small_.files.Write(DUMP_SAMPLES, "");
  }

  void Start(uint32_t thread, const std::string &name) {
    events_[0] += "100.0000000000,ThreadStarted," + Hash(thread) + "," + name + "\n";
  }
  // Times are in seconds from 100 s on; `end` 0: never.
  void Call(const std::string &begin, const std::string &end, uint32_t thread, double from,
            double to, const std::string &stack, const std::string &object = ",000000A2") {
    Line(from, begin + "," + Hash(thread) + object + "," + stack);
    if (to > 0) Line(to, end + "," + Hash(thread) + object + "," + stack);
  }
  void Get(uint32_t thread, double from, double to, const std::string &stack) {
    Call("FutureAwait", "FutureAwaited", thread, from, to, stack);
  }
  // The next event of the thread begins a call that is older than the recording.
  void OpenCall(uint32_t thread, double at) { Line(at, "OpenCall," + Hash(thread)); }
  void Sleep(uint32_t thread, double from, double to, const std::string &stack) {
    Call("ThreadSleep", "ThreadSlept", thread, from, to, stack, "");
  }
  // The thread uses CPU time, or waits in I/O, in every second, until `to`.
  void Sampled(uint32_t thread, double from, double to, const std::string &state, int64_t cpu_ms,
               const std::string &stack) {
    std::string number = std::to_string(++num_stacks_);
    for (double at = from; at <= to; at += 0.5) {
      SampleLine(at, "Tick," + std::to_string(++num_ticks_) + ",1000,4");
      if (at == from) SampleLine(at, "Stack," + number + "," + stack);
      SampleLine(at, "Sample," + Hash(thread) + "," + state + "," +
                         std::to_string(cpu_ms * 1000000) + "," + number);
    }
  }
  void SampleLine(double at, const std::string &line) {
    samples_[at] += Time(at) + "," + line + "\n";
  }

  std::string Show(Verdict verdict, const struct filter *filter = nullptr) {
    for (const auto &event : events_) small_.files.Append(DUMP_EVENTS, event.second);
    for (const auto &sample : samples_) small_.files.Append(DUMP_SAMPLES, sample.second);
    std::string text = ShowView(small_.Read(filter), verdict);
    for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
    return text;
  }

  SmallModel small_;

 private:
  static std::string Hash(uint32_t hash) {
    char text[9];
    snprintf(text, sizeof text, "%08X", hash);
    return text;
  }
  static std::string Time(double at) {
    char text[30];
    snprintf(text, sizeof text, "%.10f", 100 + at);
    return text;
  }
  void Line(double at, const std::string &line) { events_[at] += Time(at) + "," + line + "\n"; }

  std::map<double, std::string> events_, samples_;
  int num_stacks_ = 0, num_ticks_ = 0;
};

// --- quiet time ---------------------------------------------------------------------------

TEST_F(VerdictTime, AnIdleProgramIsToldByItsRests) {
  Start(1, "main");
  Sleep(1, 1, 9.5, kReserve);
  EXPECT_EQ(Show(view_quiet_verdict),
            "* The program was idle for 10.0 s of 10.0 s: main slept 8.50 s at Inventory.reserve "
            "(Inventory.java:42).\n");
  EXPECT_TRUE(view_is_quiet(&small_.model));
}

TEST_F(VerdictTime, ThreadsWithoutRestsWaitForWork) {
  Start(1, "main");
  EXPECT_EQ(Show(view_quiet_verdict),
            "* The program was idle for 10.0 s of 10.0 s: its threads waited for work.\n");
}

TEST_F(VerdictTime, ABusyProgramIsNotIdle) {
  Start(1, "main");
  Start(2, "worker");
  Sleep(1, 0.5, 9.5, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  EXPECT_EQ(Show(view_quiet_verdict), "");
  EXPECT_FALSE(view_is_quiet(&small_.model));
}

TEST_F(VerdictTime, AThreadThatIsReadyToRunIsNotIdle) {
  Start(1, "main");
  Start(2, "worker");
  Sleep(1, 0.5, 9.5, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 0, kPrice);
  EXPECT_EQ(Show(view_quiet_verdict), "");
}

TEST_F(VerdictTime, NamesThreeRowsAndNoShortRest) {
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
  EXPECT_EQ(Show(view_quiet_verdict),
            "* The program was idle for 10.0 s of 10.0 s: a and b were parked 14.0 s in total at "
            "OrderService.price (OrderService.java:88); main waited 8.00 s in Future.get at "
            "Inventory.reserve (Inventory.java:42); c slept 6.50 s at OrderService.price "
            "(OrderService.java:88).\n");
}

// What the joined threads do is the reason.
TEST_F(VerdictTime, JoinsComeLast) {
  Start(1, "main");
  Start(2, "a");
  Call("ThreadJoin", "ThreadJoined", 1, 0.5, 9, kReserve, ",00000002");
  Sleep(2, 1, 5, kPrice);
  EXPECT_TRUE(Has(Show(view_quiet_verdict),
                  ": a slept 4.00 s at OrderService.price (OrderService.java:88); main waited 8.50 "
                  "s in Thread.join at Inventory.reserve (Inventory.java:42).\n"));
}

// Three threads wait for long while another one works, and two wait for less in quiet time.
TEST_F(VerdictTime, RowsAreOrderedByTheirQuietTime) {
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
  std::string text = Show(view_quiet_verdict);
  EXPECT_TRUE(Has(text, " s of 10.0 s: d slept 3.50 s at ")) << text;
}

TEST_F(VerdictTime, AShortRestIsLeftOut) {
  Start(1, "main");
  Get(1, 1, 1.5, kReserve);
  Sleep(1, 2, 9, kPrice);
  EXPECT_FALSE(Has(Show(view_quiet_verdict), "Future.get"));
}

// --- pools ----------------------------------------------------------------------------------

const char kPoolNote[] =
    " (these are all workers of their pool: a task that is queued in it cannot "
    "run)";

TEST_F(VerdictTime, AWholePoolThatWaitsForFuturesIsTold) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-1-thread-2");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_TRUE(
      Has(Show(view_quiet_verdict), std::string("(Inventory.java:42)") + kPoolNote + ".\n"));
}

TEST_F(VerdictTime, ThePoolHasAnotherWorker) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-1-thread-2");
  Start(3, "pool-1-thread-3");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_FALSE(Has(Show(view_quiet_verdict), "all workers"));
}

TEST_F(VerdictTime, WorkersThatWaitInTurnAreNotAll) {
  Start(1, "pool-1-thread-1");
  Start(2, "pool-1-thread-2");
  Get(1, 1, 4.5, kReserve);
  Get(2, 4.5, 8, kReserve);
  std::string text = Show(view_quiet_verdict);
  EXPECT_TRUE(Has(text, "waited 7.00 s in total in Future.get")) << text;
  EXPECT_FALSE(Has(text, "all workers")) << text;
}

TEST_F(VerdictTime, ThreadsOfNoPoolHaveNoNote) {
  Start(1, "worker-1");
  Start(2, "worker-2");
  Get(1, 1, 8, kReserve);
  Get(2, 1, 8, kReserve);
  EXPECT_FALSE(Has(Show(view_quiet_verdict), "all workers"));
}

TEST_F(VerdictTime, AnOpenParkIsTold) {
  Start(1, "main");
  Call("ThreadPark", "ThreadParked", 1, 1, 0, kReserve, ",00000000");
  EXPECT_TRUE(Has(Show(view_quiet_verdict),
                  ": main has been parked at Inventory.reserve (Inventory.java:42) for 9.00 s.\n"));
}

// A queue is no result of a task.
TEST_F(VerdictTime, APoolThatWaitsForAQueueHasNoNote) {
  Start(1, "pool-1-thread-1");
  Call("QueueRemove", "QueueRemoved", 1, 1, 8, kReserve);
  EXPECT_FALSE(Has(Show(view_quiet_verdict), "all workers"));
}

// --- open calls -----------------------------------------------------------------------------

TEST_F(VerdictTime, OpenCallsOfAnIdleProgramComeFirst) {
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
                        "pool-1-thread-2 have waited in Future.get at OrderService.price "
                        "(OrderService.java:88) for 8.00 s") +
                kPoolNote +
                "; main has waited in Future.get at Inventory.reserve (Inventory.java:42) for 9.00 "
                "s.\n");
}

TEST_F(VerdictTime, ACallThatIsOlderThanTheRecordingIsMarked) {
  Start(1, "main");
  small_.files.Write(DUMP_EVENTS, "");
  OpenCall(1, 0.5);
  Get(1, 0.5, 0, kReserve);
  EXPECT_TRUE(Has(Show(view_quiet_verdict),
                  "main has waited in Future.get at Inventory.reserve (Inventory.java:42) since "
                  "before the recording."));
}

TEST_F(VerdictTime, IdleAndShortOpenCallsAreNotTold) {
  Start(1, "main");
  Start(2, "poller");
  Get(1, 9.5, 0, kReserve);
  Call("ObjectWait", "ObjectWaited", 2, 1, 0, "1;00000014;FFFFFFFF");  // a selector
  EXPECT_EQ(Show(view_quiet_verdict),
            "* The program was idle for 10.0 s of 10.0 s: its threads waited for work.\n");
}

TEST_F(VerdictTime, AThreadThatRunsToTheEndHidesOpenCalls) {
  Start(1, "main");
  Start(2, "worker");
  Get(1, 1, 0, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  EXPECT_EQ(Show(view_quiet_verdict), "");
}

// main joins worker-1 in the small recording.
TEST(VerdictTimeOfDeadlock, ADeadlockIsToldInstead) {
  SmallModel small;
  small.Read();
  EXPECT_GT(small.model.deadlocks.num_rings, 0u);
  EXPECT_FALSE(Has(ShowView(&small.model, view_quiet_verdict), "has been idle"));
}

// --- filters --------------------------------------------------------------------------------

TEST_F(VerdictTime, AFilterForThreadsSaysNothingOfTheProgram) {
  Start(1, "main");
  Start(2, "worker");
  Sleep(1, 0.5, 9.5, kReserve);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  struct filter f = {};
  f.threads = {{"main"}, 1};
  f.to = FILTER_NO_END;
  EXPECT_EQ(Show(view_quiet_verdict, &f), "");
  EXPECT_FALSE(view_is_quiet(&small_.model));
}

TEST_F(VerdictTime, AFilterForTimeIsAboutItsPart) {
  Start(1, "main");
  Sampled(1, 0, 5, "Runnable", 400, kPrice);
  Sleep(1, 5.5, 9.5, kReserve);
  struct filter f = {};
  f.from = 106 * kSecond;
  f.to = 108 * kSecond;
  EXPECT_EQ(Show(view_quiet_verdict, &f),
            "* The program was idle for 2.00 s of 2.00 s: main slept 2.00 s at Inventory.reserve "
            "(Inventory.java:42).\n");
}

// --- I/O ------------------------------------------------------------------------------------

class VerdictIo : public VerdictTime {
 protected:
  VerdictIo() {
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D1,Lsun/nio/ch/SocketDispatcher;,S.java\n");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000021,read0,()V,000000D1,-1\n");
  }
  const std::string kRead = "3;00000021;FFFFFFFF;00000012;00000000;00000011;00000000";
};

TEST_F(VerdictIo, NamesTheNativeMethodAndThePlace) {
  Start(1, "main");
  Start(2, "worker");
  Sampled(1, 0, 9.5, "Native", 0, kRead);
  Sampled(2, 0, 9.5, "Runnable", 400, kPrice);
  std::string text = Show(view_io_verdict);
  EXPECT_TRUE(Has(text, "* I/O: main waited ")) << text;
  EXPECT_TRUE(Has(text,
                  " s in SocketDispatcher.read0 at Inventory.reserve (Inventory.java:42). "
                  "That is 51 % of the time in which threads ran, were ready to run, blocked "
                  "or in I/O.\n"))
      << text;
}

TEST_F(VerdictIo, APlaceIsNotNamedTwice) {
  Start(1, "main");
  Sampled(1, 0, 9.5, "Native", 0, "1;00000021;FFFFFFFF");
  EXPECT_TRUE(Has(Show(view_io_verdict), " s in SocketDispatcher.read0. That is 100 % "));
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

// --- threads that stand ---------------------------------------------------------------------

class VerdictStood : public VerdictTime {
 protected:
  VerdictStood() {
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000021,<clinit>,()V,000000C5,-1\n");
    Start(1, "main");
    Start(2, "worker");
  }
  void Stand(int64_t waited_ms) {
    Sampled(1, 0.25, 9.25, "Runnable", 0, kPrice);
    SampleLine(9.5, "Sched,00000001," + std::to_string(waited_ms * 1000000));
  }
  void Initialize(double from, double to) {
    Sleep(2, from, to, "4;00000003;FFFFFFFF;00000012;00000000;00000021;FFFFFFFF;00000011;00000000");
  }
};

TEST_F(VerdictStood, AThreadThatWaitsForAnInitializerStands) {
  Initialize(0.5, 9.5);
  Stand(20);
  std::string text = Show(view_stood_verdict);
  EXPECT_TRUE(Has(text, "* main stood for ")) << text;
  EXPECT_TRUE(Has(text,
                  " s at OrderService.price (OrderService.java:88), without using a CPU or "
                  "waiting for one. Meanwhile worker was in the static initializer of "
                  "com.acme.Inventory at Inventory.reserve (Inventory.java:42) for 9.00 s: a "
                  "thread that needs the class waits for that.\n"))
      << text;
  EXPECT_GT(view_stood_time(&small_.model), 8 * kSecond);
}

TEST_F(VerdictStood, AnInitializerAtAnotherTimeIsNotNamed) {
  Initialize(9, 9.5);
  Stand(20);
  std::string text = Show(view_stood_verdict);
  EXPECT_TRUE(Has(text, "without using a CPU or waiting for one.\n")) << text;
}

TEST_F(VerdictStood, AThreadThatWaitsForACpuDoesNotStand) {
  Initialize(0.5, 9.5);
  Stand(8000);
  EXPECT_EQ(Show(view_stood_verdict), "");
  EXPECT_EQ(view_stood_time(&small_.model), 0u);
}

TEST_F(VerdictStood, WithoutWaitTimesOfTheKernelNothingIsKnown) {
  Sampled(1, 0.25, 9.25, "Runnable", 0, kPrice);
  EXPECT_EQ(Show(view_stood_verdict), "");
}

}  // namespace
