#include "tests/support/text.h"
#include "tests/tools/orca/budget/measure/measured.h"

namespace {

class MeasureLocks : public Measured {
 protected:
  const struct figure *FindLock(const char *key) {
    return figures_find(&figures_, BUDGET_LOCK, key);
  }
  // worker-1 holds A1 and sleeps for 300 ms in reserve, while worker-2 waits for A1 in price.
  void WriteSleep() {
    small_.files.Write(
        DUMP_EVENTS,
        "100.0000000000,ThreadStarted,00000002,worker-1\n"
        "100.0000000000,ThreadStarted,00000003,worker-2\n"
        "101.0000000000,ThreadSleep,00000002,2;00000003;FFFFFFFF;00000012;00000000\n"
        "101.1000000000,MonitorContendedEnter,00000003,000000A1,00000002,"
        "1;00000010;00000000\n"
        "101.4000000000,ThreadSlept,00000002,2;00000003;FFFFFFFF;00000012;00000000\n"
        "101.5000000000,MonitorContendedEntered,00000003,000000A1,1;00000010;00000000\n");
  }
  // worker-1 is in epoll.
  void WriteIoSamples() {
    small_.files.Write(DUMP_SAMPLES,
                       "101.5000000000,Tick,1,1000000,4\n"
                       "101.5000000000,Stack,1,2;00000014;FFFFFFFF;00000012;00000000\n"
                       "101.5000000000,Sample,00000002,Native,0,1\n"
                       "102.5000000000,Tick,2,1000000,4\n"
                       "102.5000000000,Sample,00000002,Native,0,1\n");
  }
};

// A1: worker-1 waits for 0.5 s, 0.25 s and 2 s in reserve, worker-2 for 0.125 s in price.
TEST_F(MeasureLocks, HasTheWaitsOfEachMethod) {
  Measure();
  const struct figure *reserve = FindLock("com.acme.Inventory at com.acme.Inventory.reserve");
  ASSERT_NE(reserve, nullptr);
  EXPECT_EQ(reserve->number, 3u);
  EXPECT_EQ(reserve->longest_ns, 2000 * kMs);
  EXPECT_STREQ(reserve->path, "com/acme/Inventory.java");
  const struct figure *price = FindLock("com.acme.Inventory at com.acme.OrderService.price");
  ASSERT_NE(price, nullptr);
  EXPECT_EQ(price->number, 1u);
  EXPECT_EQ(price->longest_ns, 125 * kMs);
  const std::string text = reserve->text;
  EXPECT_EQ(text.find("Threads waited 2.75 s at Inventory.reserve (Inventory.java:42)\n"), 0u)
      << text;
  EXPECT_TRUE(Has(text, "\nlock: com.acme.Inventory@000000A1\nwaited: worker-1 ")) << text;
  EXPECT_TRUE(Has(text, "\nheld by: worker-2 ")) << text;
}

// The longest of them is known, too.
TEST_F(MeasureLocks, ContainsShortWaits) {
  AddShortCalls(&small_.files);
  small_.files.Append(DUMP_COUNTS, "109.6000000000,LockAcquire,00000000,30,60000000,3000000,0\n");
  Measure();
  const struct figure *reserve = FindLock("com.acme.Inventory at com.acme.Inventory.reserve");
  ASSERT_NE(reserve, nullptr);
  EXPECT_EQ(reserve->number, 1003u);
  EXPECT_EQ(reserve->longest_ns, 2000 * kMs);
  EXPECT_EQ(reserve->total_ns, 6750 * kMs);
  const std::string text = reserve->text;
  EXPECT_TRUE(Has(text, "\nlock: com.acme.Inventory@000000A1\nwaited, as far as known: worker-1 "))
      << text;
  EXPECT_TRUE(Has(text, "\nheld by, as far as known: worker-2")) << text;
  EXPECT_EQ(FindLock("(unknown class) at (unknown method)"), nullptr) << "it is no lock";
  EXPECT_EQ(figures_.more[LOCK_LOCK].number, 30u);
  EXPECT_EQ(figures_.more[LOCK_LOCK].longest_ns, 3 * kMs);
  EXPECT_EQ(figures_.more[LOCK_MONITOR].number, 0u);
  EXPECT_EQ(reserve->sorts, 1u << LOCK_MONITOR);
  EXPECT_FALSE(figures_is_least(&figures_, reserve)) << "the 30 waits are not of monitors";
}

TEST_F(MeasureLocks, TheShareContainsWaitsOfSeveralLocks) {
  AddShortCalls(&small_.files);
  small_.files.Write(DUMP_EVENTS,
                     "100.0000000000,ThreadStarted,00000002,worker-1\n"
                     "109.0000000000,ThreadSleep,00000002,0\n");
  small_.files.Write(DUMP_COUNTS, "109.6000000000,LockAcquire,00000000,300,900000000,3000000,0\n");
  Measure();
  EXPECT_GT(Only(BUDGET_BLOCKED).number, 0u);
  const std::string text = Only(BUDGET_BLOCKED).text;
  EXPECT_TRUE(Has(text, "\nlock: several objects, not told apart")) << text;
  EXPECT_FALSE(Has(text, "waited: ")) << text;
}

// A thread waits for a permit that another thread releases, which never had one.
TEST_F(MeasureLocks, LeavesOutSignals) {
  small_.files.Write(DUMP_EVENTS,
                     "101.0000000000,SemaphoreRelease,00000002,000000A3,1;00000006;00000000\n"
                     "102.0000000000,SemaphoreAcquire,00000003,000000A3,1;00000005;00000000\n"
                     "102.5000000000,SemaphoreAcquired,00000003,000000A3,1;00000005;00000000\n");
  Measure();
  EXPECT_TRUE(Keys(BUDGET_LOCK).empty());
  EXPECT_EQ(Only(BUDGET_BLOCKED).number, 0u);
}

// The threads live from 100, 100.1, 100.1 and 100.2 s to 110, 110, 110 and 109 s: 38.6 s. They are
// blocked for 0.875 s, and for 3.5 s at the end. The semaphore of the small dump is a signal.
TEST_F(MeasureLocks, HasTheShareOfBlockedTime) {
  Measure();
  EXPECT_EQ(Only(BUDGET_BLOCKED).number, 113u);
  EXPECT_EQ(
      std::string(Only(BUDGET_BLOCKED).text).find("Threads were blocked for 4.38 s of 38.6 s\n"),
      0u)
      << Only(BUDGET_BLOCKED).text;
}

TEST_F(MeasureLocks, FindsAHolderThatSleeps) {
  WriteSleep();
  Measure();
  EXPECT_EQ(Keys(BUDGET_SLEEP), Keyed({"com.acme.Inventory at com.acme.Inventory.reserve"}));
  EXPECT_TRUE(Keys(BUDGET_IO).empty());
  EXPECT_EQ(Only(BUDGET_SLEEP).total_ns, 300000000u);
  const std::string text = Only(BUDGET_SLEEP).text;
  EXPECT_EQ(
      text.find("The holder was in a sleep at Inventory.reserve (Inventory.java:42) while others "
                "waited for 300 ms\n"),
      0u)
      << text;
  EXPECT_TRUE(Has(text, "\nheld by: worker-1\nthe holder was at\n  Thread.sleep")) << text;
}

TEST_F(MeasureLocks, KnowsTheHoldersOnlyOfLongWaits) {
  WriteSleep();
  AddShortCalls(&small_.files);
  Measure();
  const std::string text = Only(BUDGET_SLEEP).text;
  EXPECT_TRUE(Has(text, "\nheld by, as far as known: worker-1\nthe holder was at\n")) << text;
}

// As WriteSleep, with a sleep of 9 ms.
TEST_F(MeasureLocks, IgnoresAHolderThatHardlySleeps) {
  small_.files.Write(
      DUMP_EVENTS,
      "101.0000000000,ThreadSleep,00000002,2;00000003;FFFFFFFF;00000012;00000000\n"
      "101.1000000000,MonitorContendedEnter,00000003,000000A1,00000002,1;00000010;00000000\n"
      "101.1090000000,ThreadSlept,00000002,2;00000003;FFFFFFFF;00000012;00000000\n"
      "101.5000000000,MonitorContendedEntered,00000003,000000A1,1;00000010;00000000\n");
  Measure();
  EXPECT_TRUE(Keys(BUDGET_SLEEP).empty());
}

// worker-1 is in epoll at each sample, while worker-2 waits for its lock.
TEST_F(MeasureLocks, FindsAHolderInIo) {
  small_.files.Write(
      DUMP_EVENTS,
      "100.0000000000,ThreadStarted,00000002,worker-1\n"
      "100.0000000000,ThreadStarted,00000003,worker-2\n"
      "100.9000000000,MonitorEntered,00000002,000000A1,1;00000012;00000000\n"
      "101.0000000000,MonitorContendedEnter,00000003,000000A1,00000002,"
      "1;00000010;00000000\n"
      "102.9000000000,MonitorExit,00000002,000000A1,1;00000012;00000000\n"
      "103.0000000000,MonitorContendedEntered,00000003,000000A1,1;00000010;00000000\n");
  WriteIoSamples();
  Measure();
  EXPECT_EQ(Keys(BUDGET_IO), Keyed({"com.acme.Inventory at com.acme.Inventory.reserve"}));
  EXPECT_TRUE(Keys(BUDGET_SLEEP).empty());
}

// Without a line of the release, worker-1 may have released the monitor before.
TEST_F(MeasureLocks, IsNotSureThatAHolderInIoStillHoldsTheMonitor) {
  small_.files.Write(
      DUMP_EVENTS,
      "101.0000000000,MonitorContendedEnter,00000003,000000A1,00000002,1;00000010;00000000\n"
      "103.0000000000,MonitorContendedEntered,00000003,000000A1,1;00000010;00000000\n");
  WriteIoSamples();
  Measure();
  EXPECT_TRUE(Keys(BUDGET_IO).empty());
}

// worker-1 holds A1 when worker-2 begins to wait, and sleeps later. It may have released A1 before
// the sleep: worker-2 was woken, but got no CPU. An owner that is named during the sleep is proof.
TEST_F(MeasureLocks, IsNotSureThatAHolderSleepsThatMayHaveReleasedTheMonitor) {
  const std::string begin =
      "101.0000000000,MonitorContendedEnter,00000003,000000A1,00000002,1;00000010;00000000\n"
      "101.1000000000,ThreadSleep,00000002,2;00000003;FFFFFFFF;00000012;00000000\n";
  const std::string owner =
      "101.2000000000,MonitorOwner,00000003,000000A1,00000002,1;00000010;00000000\n";
  const std::string end =
      "101.4000000000,ThreadSlept,00000002,2;00000003;FFFFFFFF;00000012;00000000\n"
      "101.5000000000,MonitorContendedEntered,00000003,000000A1,1;00000010;00000000\n";
  small_.files.Write(DUMP_EVENTS, begin + end);
  Measure();
  EXPECT_TRUE(Keys(BUDGET_SLEEP).empty());
  figures_free(&figures_);
  small_.files.Write(DUMP_EVENTS, begin + owner + end);
  Measure();
  EXPECT_EQ(Keys(BUDGET_SLEEP), Keyed({"com.acme.Inventory at com.acme.Inventory.reserve"}));
}

}  // namespace
