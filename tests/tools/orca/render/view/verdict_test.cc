#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

// The output with every paragraph on one line.
std::string Verdict(const struct model *m) {
  std::string text = ShowView(m, view_verdict);
  for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
  return text;
}

// The samples of worker-1 again and again: less than ten samples are no profile.
void AddSamples(SmallModel *small, int64_t cpu_ns = 10000000, int stack = 5) {
  for (int i = 0; i < 7; i++) {
    small->files.Append(DUMP_SAMPLES, "10" + std::to_string(i / 4 + 6) + "." +
                                          std::to_string(i % 4) + "000000000,Sample,00000002," +
                                          "Runnable," + std::to_string(cpu_ns) + "," +
                                          std::to_string(stack) + "\n");
  }
}

TEST(ViewVerdict, NamesTheHottestMethod) {
  SmallModel small;
  AddSamples(&small);
  std::string text = Verdict(small.Read());
  EXPECT_TRUE(
      Has(text,
          "* 71 % of the CPU time is spent in OrderService.price (OrderService.java:88), 99 % "
          "including what it calls. These shares are rough: only 10 samples found a running "
          "thread.\n"))
      << text;
}

TEST(ViewVerdict, AFewSamplesAreNoProfile) {
  SmallModel small;
  EXPECT_TRUE(Has(Verdict(small.Read()),
                  "* The Java threads used 1.00 s of CPU time: 3 samples are too few for a "
                  "profile.\n"));
}

TEST(ViewVerdict, UsesCpuLines) {
  SmallModel small;
  AddCpuLines(&small.files);
  std::string text = Verdict(small.Read());
  EXPECT_TRUE(Has(text,
                  "* 53 % of the Java threads' CPU time is spent in HashMap.get "
                  "(HashMap.java:571); it is called most by OrderService.price "
                  "(OrderService.java:88), which takes 89 % including what it calls. These shares "
                  "are rough: only 43 samples found a running thread.\n"))
      << text;
}

TEST(ViewVerdict, ShowsTheShareOfNativeCode) {
  SmallModel small;
  AddCpu(&small.files, "00000001,10000000,1,Native", 75);
  AddCpu(&small.files, "00000001,10000000,1,Java", 25);
  std::string text = Verdict(small.Read());
  EXPECT_TRUE(Has(text,
                  "* 100 % of the Java threads' CPU time is spent in OrderService.price "
                  "(OrderService.java:90), 75 % of it in native code.\n"))
      << text;
}

TEST(ViewVerdict, SaysHowMuchTimeHasNoKnownStack) {
  SmallModel small;
  AddCpuLines(&small.files);
  AddCpu(&small.files, "00000001,1000000000,0,Lost");
  std::string text = Verdict(small.Read());
  EXPECT_TRUE(Has(text,
                  " The stack of 62 % of that time, or its outer part, is not known: it was lost "
                  "or not sampled."))
      << text;
}

// The order of the sentences for `samples` samples of 100 ms CPU time and 1.5 s of blocked time.
std::string SentenceOrder(int samples) {
  SmallModel small;
  std::string lines = "101.0000000000,Stack,1,1;00000010;00000010\n";
  for (int i = 0; i < samples; i++) {
    lines += "10" + std::to_string(i / 10 + 1) + "." + std::to_string(i % 10) +
             "000000000,Sample,00000002,Runnable,100000000,1\n";
  }
  small.files.Write(DUMP_SAMPLES, lines);
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,MonitorContendedEnter,00000003,000000A1,00000002,0\n"
                    "102.5000000000,MonitorContendedEntered,00000003,000000A1,0\n");
  std::string text = Verdict(small.Read());
  size_t cpu = text.find("% of the CPU time"), lock = text.find("* Lock ");
  EXPECT_NE(cpu, std::string::npos) << text;
  EXPECT_NE(lock, std::string::npos) << text;
  return cpu < lock ? "CPU, lock" : "lock, CPU";
}

TEST(ViewVerdict, TheLargerTimeComesFirst) {
  EXPECT_EQ(SentenceOrder(20), "CPU, lock");
  EXPECT_EQ(SentenceOrder(12), "lock, CPU");
}

TEST(ViewVerdict, ANegligibleLockComesLast) {
  SmallModel small;
  AddSamples(&small);
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,MonitorContendedEnter,00000003,000000A1,00000002,0\n"
                    "101.0100000000,MonitorContendedEntered,00000003,000000A1,0\n");
  std::string text = Verdict(small.Read());
  EXPECT_LT(text.find("% of the CPU time"), text.find("* Threads hardly waited for locks"))
      << text;  // 10 ms of 10 s
}

TEST(ViewVerdict, ADeadlockComesFirst) {
  SmallModel small;
  std::string text = Verdict(small.Read());
  EXPECT_EQ(
      text.find("\nIn short\n* DEADLOCK: worker-1 blocks on com.acme.Inventory@000000A1 at "
                "Inventory.reserve (Inventory.java:42), held by worker-2; worker-2 blocks on "
                "the monitor in OrderService.price:88 (Object@000000A2) at OrderService.price "
                "(OrderService.java:88), "
                "held by worker-1.\n"),
      0u)
      << text;
}

TEST(ViewVerdict, AMethodOfTheJdkHasItsMainCaller) {
  SmallModel small;
  small.files.Replace(DUMP_SAMPLES, "Runnable,200000000,2", "Runnable,900000000,2");
  AddSamples(&small, 10000000, 2);
  std::string text = Verdict(small.Read());
  EXPECT_TRUE(Has(text,
                  "spent in HashMap.get (HashMap.java:571); it is called most by "
                  "OrderService.price (OrderService.java:88), which takes 99 % including what it "
                  "calls."))
      << text;
}

TEST(ViewVerdict, SaysThatSamplesAreMissing) {
  SmallModel small;
  small.files.Write(DUMP_SAMPLES, "");
  small.files.Write(DUMP_EVENTS, "101.0000000000,ThreadStarted,00000001,main\n");
  EXPECT_EQ(
      Verdict(small.Read()),
      "\nIn short\n* The program was idle for 10.0 s of 10.0 s: its threads waited for work.\n"
      "* No samples were taken, so the use of CPU time is not known.\n* No thread waited for "
      "a lock.\n");
}

TEST(ViewVerdict, CountsPinnedVirtualThreads) {
  SmallModel small;
  EXPECT_FALSE(Has(Verdict(small.Read()), "pinned"));
  SmallModel pinned;
  pinned.files.Append(DUMP_EVENTS,
                      "109.1000000000,ThreadPinned,00000002,2;00000001;FFFFFFFF;00000012;00000000\n"
                      "109.2000000000,ThreadPinned,00000003,2;00000001;FFFFFFFF;00000012;00000000\n"
                      "109.3000000000,ThreadPinned,00000003,0\n");
  std::string text = Verdict(pinned.Read());
  EXPECT_TRUE(Has(text,
                  "* Virtual threads were pinned 3 times, which also blocks their carrier threads: "
                  "at Inventory.reserve (Inventory.java:42) 67 %, an unknown place 33 "
                  "%.\n"))
      << text;
}

// worker-1 holds A1 and waits for the lock A2 of worker-2. worker-2 waits for the semaphore A3 of
// poller. poller waits for A1.
TEST(ViewVerdict, ADeadlockCanMixMonitorsLocksAndSemaphores) {
  SmallModel small;
  small.files.Write(
      DUMP_EVENTS,
      "100.0000000000,ThreadStarted,00000002,worker-1\n"
      "100.0000000001,ThreadStarted,00000003,worker-2\n"
      "100.0000000002,ThreadStarted,00000004,poller\n"
      "101.0000000000,SemaphoreAcquire,00000004,000000A3,"
      "2;00000005;00000000;00000010;00000010\n"
      "101.0000000001,SemaphoreAcquired,00000004,000000A3,"
      "2;00000005;00000000;00000010;00000010\n"
      "102.0000000000,LockAcquire,00000002,000000A2,00000003,1;00000012;00000000\n"
      "102.0000000001,SemaphoreAcquire,00000003,000000A3,2;00000005;00000000;00000010;00000000\n"
      "102.0000000002,MonitorContendedEnter,00000004,000000A1,00000002,1;00000011;00000000\n");
  std::string text = Verdict(small.Read());
  EXPECT_EQ(
      text.find(
          "\nIn short\n* DEADLOCK: worker-1 waits for the lock in Inventory.reserve:42 "
          "(Object@000000A2) at "
          "Inventory.reserve (Inventory.java:42), held by worker-2; worker-2 waits for "
          "the semaphore in OrderService.price:90 (Semaphore@000000A3) at OrderService.price "
          "(OrderService.java:88), "
          "held by poller, which acquired it at OrderService.price (OrderService.java:90); poller "
          "blocks on "
          "com.acme.Inventory@000000A1 at OrderService.run (OrderService.java:20), held by "
          "worker-1.\n"),
      0u)
      << text;
}

TEST(ViewVerdict, NamesOnlyTheMethodThatAcquiredAMonitorIfTheLineIsNotKnown) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.9000000000,MonitorHeld,00000003,000000A1,1;00000011;00000000\n");
  std::string text = Verdict(small.Read());
  EXPECT_TRUE(Has(text, ", held by worker-2, which acquired it in OrderService.run; ")) << text;
}

TEST(ViewVerdict, SaysThatTheJvmReportsNoCpuTime) {
  SmallModel small;
  small.files.Write(DUMP_SAMPLES,
                    "101.0000000000,Tick,1,0,1\n101.0000000000,Sample,00000001,Runnable,-1,0\n");
  EXPECT_TRUE(
      Has(Verdict(small.Read()), "* The JVM did not report the CPU time of its threads.\n"));
}

// worker-1 waits for the write side of a lock whose read side it or worker-2 holds.
std::string UpgradeVerdict(const std::string &reader, const std::string &options) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "options=", "options=x,events=all," + options);
  small.files.Write(DUMP_EVENTS,
                    "100.1000000000,ThreadStarted,00000002,worker-1\n"
                    "100.1000000000,ThreadStarted,00000003,worker-2\n"
                    "101.0000000000,ReadLockAcquire," +
                        reader +
                        ",000000A1,00000000,1;00000012;00000000\n"
                        "101.1000000000,ReadLockAcquired," +
                        reader +
                        ",000000A1,1;00000012;00000000\n"
                        "102.0000000000,WriteLockAcquire,00000002,000000A1,00000000,"
                        "1;00000010;00000000\n");
  return Verdict(small.Read());
}

TEST(ViewVerdict, SaysThatAThreadHoldsTheReadSideItself) {
  const std::string words = ", though it holds the read side itself, which it acquired at";
  std::string text = UpgradeVerdict("00000002", "locks=all,");
  EXPECT_TRUE(Has(text, "DEADLOCK: worker-1 waits for the write side of ")) << text;
  EXPECT_TRUE(Has(text, words + " Inventory.reserve (Inventory.java:42).\n")) << text;
  EXPECT_FALSE(Has(UpgradeVerdict("00000003", "locks=all,"), words)) << "another reader";
  EXPECT_FALSE(Has(UpgradeVerdict("00000002", ""), words)) << "its release may have no line";
}

TEST(ViewVerdict, NamesStuckThreadsWithoutAKnownDeadlock) {
  SmallModel small;
  small.files.Replace(DUMP_EVENTS,
                      "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000003",
                      "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000000");
  std::string text = Verdict(small.Read());
  EXPECT_EQ(
      text.find("\nIn short\n"
                "* Stuck when the recording ended: worker-1 blocks on "
                "com.acme.Inventory@000000A1 at Inventory.reserve (Inventory.java:42), for 2.00 "
                "s; worker-2 blocks on the monitor in OrderService.price:88 (Object@000000A2) at "
                "OrderService.price "
                "(OrderService.java:88), held by worker-1, for 1.50 s.\n"),
      0u)
      << text;
}

TEST(ViewVerdict, AShortWaitIsNotStuck) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "109.5000000000,MonitorContendedEnter,00000002,000000A1,00000001,0\n");
  EXPECT_FALSE(Has(Verdict(small.Read()), "Stuck"));
}

}  // namespace
