#include "tests/tools/orca/answer/time_lines.h"

namespace {

constexpr char kTake[] = "2;00000021;FFFFFFFF;00000022;FFFFFFFF";
constexpr char kTakeScheduled[] = "2;00000023;FFFFFFFF;00000022;FFFFFFFF";

class FindMain : public TimeLines {
 protected:
  FindMain() {
    small_.files.Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
    small_.files.Append(
        DUMP_CLASSES,
        "100.0000000000,000000D1,Ljava/util/concurrent/LinkedBlockingQueue;,L.java\n"
        "100.0000000000,000000D2,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n"
        "100.0000000000,000000D3,"
        "Ljava/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue;,S.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000021,take,()V,000000D1,-1\n"
                        "100.0000000000,00000022,getTask,()V,000000D2,-1\n"
                        "100.0000000000,00000023,take,()V,000000D3,-1\n");
    Start(2, "io-1");
    Start(3, "io-2");
  }
  void Wait(uint32_t thread, const std::string &stack) {
    Call("QueueRemove", "", thread, 1, 0, stack);
  }
  std::string SayMain() { return SayKinds({FINDING_main_end}); }
};

TEST_F(FindMain, NamesIdleThreadsOfAPool) {
  Start(1, "main");
  Ended(1, 0.5);
  Start(4, "timer");
  Wait(2, kTake);
  Wait(3, kTake);
  Wait(4, kTakeScheduled);
  EXPECT_EQ(SayMain(),
            "* main ended 500 ms after the start of the recording, but the JVM goes on until all "
            "threads have ended that are no daemons. io-1 and io-2 wait for tasks of pools that "
            "were not shut down. timer was alive, too.\n");
}

TEST_F(FindMain, KnowsThatMainEndedBefore) {
  Start(4, "DestroyJavaVM");
  Wait(2, kTake);
  Wait(3, kTake);
  EXPECT_EQ(SayMain().find("* main ended before the recording, but the JVM goes on until "), 0u);
}

TEST_F(FindMain, SaysNothingWhileMainLives) {
  Start(1, "main");
  Wait(2, kTake);
  EXPECT_EQ(SayMain(), "");
}

TEST_F(FindMain, SaysNothingOfThreadsThatHaveSomethingToDo) {
  Start(1, "main");
  Ended(1, 0.5);
  Wait(2, kTakeScheduled);
  Wait(3, kPrice);
  EXPECT_EQ(SayMain(), "");
}

TEST_F(FindMain, SaysNothingIfMainEndedJustNow) {
  Start(1, "main");
  Ended(1, 9.5);
  Wait(2, kTake);
  EXPECT_EQ(SayMain(), "");
}

}  // namespace
