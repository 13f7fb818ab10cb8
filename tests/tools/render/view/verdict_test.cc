#include "tests/tools/render/view/shown.h"

namespace {

// As one line, however it was broken.
std::string Verdict(const struct model *m) {
  std::string text = Shown(m, view_verdict);
  for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
  return text;
}

TEST(ViewVerdict, TheHottestMethodAndTheWorstLock) {
  SmallModel small;
  std::string text = Verdict(small.Read());
  EXPECT_TRUE(
      Has(text,
          "* 69 % of the CPU time is spent in OrderService.price (OrderService.java:88), 99 % "
          "including what it calls. Take that as rough: only 3 samples saw a thread at work.\n"))
      << text;
  EXPECT_TRUE(
      Has(text,
          "* Lock com.acme.Inventory@000000A1: threads were blocked 4 times for 2.88 s in all "
          "(longest 2.00 s), 96 % of it at Inventory.reserve (Inventory.java:42); it was held most "
          "by worker-2 (2 of 3 times that the holder is known). That is 66 % of all time "
          "blocked on monitors. 1 thread was still blocked on it when the recording ended.\n"))
      << text;
  EXPECT_TRUE(
      Has(text,
          "* Semaphore java.util.concurrent.Semaphore@000000A3: threads acquired it 1 time for 750 "
          "ms in all (longest 750 ms), at OrderService.price (OrderService.java:90).\n"))
      << text;
}

TEST(ViewVerdict, ADeadlockComesFirst) {
  SmallModel small;
  std::string text = Verdict(small.Read());
  EXPECT_EQ(text.find("\nIn short\n* DEADLOCK: worker-1 blocks on com.acme.Inventory@000000A1 at "
                      "Inventory.reserve (Inventory.java:42), held by worker-2; worker-2 blocks on "
                      "java.lang.Object@000000A2 at OrderService.price (OrderService.java:88), "
                      "held by worker-1.\n"),
            0u)
      << text;
}

TEST(ViewVerdict, TheJdksMethodsAreCalledBySomeone) {
  SmallModel small;
  small.files.Replace(DUMP_SAMPLES, "Runnable,200000000,2", "Runnable,900000000,2");
  std::string text = Verdict(small.Read());
  EXPECT_TRUE(Has(text,
                  "spent in HashMap.get (HashMap.java:571); it is called most by "
                  "OrderService.price (OrderService.java:88)."))
      << text;
}

TEST(ViewVerdict, SaysWhatItCannotSay) {
  SmallModel small;
  small.files.Write(DUMP_SAMPLES, "");
  small.files.Write(DUMP_EVENTS, "101.0000000000,ThreadStarted,00000001,main\n");
  EXPECT_EQ(Verdict(small.Read()),
            "\nIn short\n* No samples were taken, so this says nothing about CPU time.\n* No "
            "thread was blocked on a monitor.\n");
}

TEST(ViewVerdict, MonitorsThatWereNotRecorded) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "");
  small.files.Replace(DUMP_INFO, "events=all", "events=wait+sleep");
  EXPECT_TRUE(Has(Verdict(small.Read()), "* Monitors were not recorded.\n"));
}

TEST(ViewVerdict, CpuTimeThatTheJvmDoesNotTell) {
  SmallModel small;
  small.files.Write(DUMP_SAMPLES,
                    "101.0000000000,Tick,1,0,1\n101.0000000000,Sample,00000001,Runnable,-1,0\n");
  EXPECT_TRUE(Has(Verdict(small.Read()), "* The JVM did not tell the CPU time of its threads.\n"));
}

TEST(ViewVerdict, OneHolder) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "102.0000000000,MonitorContendedEnter,00000002,000000A1,00000001,0\n"
                    "102.2500000000,MonitorContendedEntered,00000002,000000A1,0\n"
                    "103.0000000000,MonitorContendedEnter,00000002,000000A1,00000000,0\n"
                    "103.2500000000,MonitorContendedEntered,00000002,000000A1,0\n"
                    "104.0000000000,ThreadStarted,00000001,main\n");
  EXPECT_TRUE(
      Has(Verdict(small.Read()), "; it was held by main whenever that is known (1 of 2 times)."));
}

TEST(ViewVerdict, StuckWithoutAKnownRing) {
  SmallModel small;
  small.files.Replace(DUMP_EVENTS,
                      "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000003",
                      "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000000");
  std::string text = Verdict(small.Read());
  EXPECT_EQ(
      text.find("\nIn short\n"
                "* Stuck when the recording ended: worker-1 blocks on "
                "com.acme.Inventory@000000A1 at Inventory.reserve (Inventory.java:42), for 2.00 "
                "s; worker-2 blocks on java.lang.Object@000000A2 at OrderService.price "
                "(OrderService.java:88), held by worker-1, for 1.50 s.\n"),
      0u)
      << text;
}

TEST(ViewVerdict, AMomentIsNotStuck) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "109.5000000000,MonitorContendedEnter,00000002,000000A1,00000001,0\n");
  EXPECT_FALSE(Has(Verdict(small.Read()), "Stuck"));
}

TEST(ViewVerdict, AHolderThatIsNotKnown) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "102.0000000000,MonitorContendedEnter,00000002,000000A1,00000000,0\n102."
                    "2500000000,MonitorContendedEntered,00000002,000000A1,0\n");
  EXPECT_TRUE(Has(Verdict(small.Read()),
                  "at an unknown place; who held it is not known. That is 100 % of all time"));
}

}  // namespace
