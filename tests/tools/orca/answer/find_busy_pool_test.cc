#include "tests/tools/orca/answer/time_lines.h"

namespace {

const char kTask[] = "2;00000012;00000000;00000061;00000000";
const char kOther[] = "2;00000011;00000000;00000061;00000000";
const char kIdle[] = "2;00000062;00000000;00000061;00000000";

// Two clients wait for futures from 3 s on. The workers of the common pool are 4 and 5.
class FindBusyPool : public TimeLines {
 protected:
  explicit FindBusyPool(int cpus = 3) {
    small_.files.Replace(DUMP_INFO, "end.reason=exit",
                         "end.reason=stop\ncpus.allowed=" + std::to_string(cpus));
    small_.files.Append(
        DUMP_CLASSES,
        "100.0000000000,000000D3,Ljava/util/concurrent/ForkJoinWorkerThread;,F.java\n"
        "100.0000000000,000000D4,Ljava/util/concurrent/ForkJoinPool;,P.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000061,run,()V,000000D3,-1\n"
                        "100.0000000000,00000062,awaitWork,()V,000000D4,-1\n");
    Start(1, "main");
    Start(2, "http-1");
    Start(3, "http-2");
    Start(4, "ForkJoinPool.commonPool-worker-1");
    Start(5, "ForkJoinPool.commonPool-worker-2");
    Call("ThreadJoin", "", 1, 0.1, 0, kReserve, ",00000002");
    Get(2, 3, 0, kPrice);
    Get(3, 3, 0, kPrice);
  }
  void Works(uint32_t thread, double from, const char *stack = kTask) {
    Call("LatchAwait", "", thread, from, 0, stack, ",000000A4");
  }
  std::string SayStuck() { return SayKinds({FINDING_hang, FINDING_stuck}); }
};

TEST_F(FindBusyPool, AllWorkersDoTheSame) {
  Works(4, 1);
  Works(5, 2);
  std::string text = SayStuck();
  EXPECT_TRUE(
      Has(text,
          "; each of the 2 workers of ForkJoinPool.commonPool has waited for at least 8.00 s "
          "in CountDownLatch.await at Inventory.reserve (Inventory.java:42)"))
      << text;
}

TEST_F(FindBusyPool, WorkersDoDifferentThings) {
  Works(4, 1);
  Works(5, 2, kOther);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text,
                  "; all 2 workers of ForkJoinPool.commonPool are in tasks: "
                  "ForkJoinPool.commonPool-worker-2 has waited for 8.00 s in CountDownLatch.await"))
      << text;
}

TEST_F(FindBusyPool, AWorkerThatBeganLaterMayHaveRunTheTask) {
  Works(4, 1);
  Works(5, 4);
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "workers of ForkJoinPool.commonPool")) << text;
}

TEST_F(FindBusyPool, AnIdleWorkerCouldRunTheTask) {
  Works(4, 1);
  Call("ThreadPark", "", 5, 1, 0, kIdle, ",00000000");
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "workers of ForkJoinPool.commonPool")) << text;
}

class FindLargerPool : public FindBusyPool {
 protected:
  FindLargerPool() : FindBusyPool(8) {}
};

TEST_F(FindLargerPool, ThePoolCanStartMoreWorkers) {
  Works(4, 1);
  Works(5, 2);
  std::string text = SayStuck();
  EXPECT_FALSE(Has(text, "workers of ForkJoinPool.commonPool")) << text;
}

TEST_F(FindLargerPool, TheCommandTellsHowManyWorkersThereAre) {
  small_.files.Replace(DUMP_INFO, "-cp shop.jar",
                       "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2 -cp shop.jar");
  Works(4, 1);
  Works(5, 2);
  std::string text = SayStuck();
  EXPECT_TRUE(Has(text, "each of the 2 workers of ForkJoinPool.commonPool")) << text;
}

}  // namespace
