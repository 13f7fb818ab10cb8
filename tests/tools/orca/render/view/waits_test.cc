#include "tests/tools/orca/render/view/shown.h"

namespace {

TEST(ViewWaits, ARowIsACallAndAClass) {
  SmallModel small;
  EXPECT_EQ(ShowView(small.Read(), view_waits),
            "\n"
            "Waits, sleeps, joins (woken: calls of notify, signal and similar)\n"
            "call          on                         times   total    mean  longest  woken\n"
            "Thread.join   worker-1                       1  3.00 s  3.00 s   3.00 s\n"
            "    at OrderService.run (OrderService.java:20); 1 not finished at the end\n"
            "Object.wait   java.lang.Object@000000A2      1  1.50 s  1.50 s   1.50 s      1\n"
            "    at OrderService.run (OrderService.java:20)\n"
            "Thread.sleep                                 1  500 ms  500 ms   500 ms\n"
            "    at Inventory.reserve (Inventory.java:42)\n");
}

TEST(ViewWaits, ShowsCallsOfJavaUtilConcurrent) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,LatchAwait,00000001,000000A1,0\n"
                    "101.2000000000,LatchCountDown,00000002,000000A1,0\n"
                    "101.5000000000,LatchAwaitFailed,00000001,000000A1,0\n"
                    "102.0000000000,QueueRemove,00000001,000000A2,0\n"
                    "102.1000000000,QueueRemoved,00000001,000000A2,0\n"
                    "103.0000000000,LockAcquire,00000001,000000A2,00000000,0\n"
                    "103.1000000000,LockAcquired,00000001,000000A2,0\n");
  EXPECT_EQ(
      ShowView(small.Read(), view_waits),
      "\n"
      "Waits, sleeps, joins (woken: calls of notify, signal and similar)\n"
      "call                  on                           times   total    mean  longest  woken\n"
      "CountDownLatch.await  com.acme.Inventory@000000A1      1  500 ms  500 ms   500 ms      1\n"
      "    at an unknown place; 1 without success\n"
      "BlockingQueue.take    java.lang.Object@000000A2        1  100 ms  100 ms   100 ms\n"
      "    at an unknown place\n");
}

TEST(ViewWaits, ShowsSignalsWithoutAWait) {
  SmallModel small;
  small.files.Append(DUMP_OBJECTS, "100.0000000000,000000B1,000000C1\n");
  small.files.Append(DUMP_EVENTS,
                     "109.1000000000,ObjectNotifyAll,00000001,000000B1,0\n"
                     "109.2000000000,ObjectNotify,00000001,000000A1,0\n");
  std::string text = ShowView(small.Read(), view_waits);
  EXPECT_TRUE(Has(text, "java.lang.Object (2 objects)")) << text;
  size_t row = text.find("Object.wait   com.acme.Inventory@000000A1  ");
  ASSERT_NE(row, std::string::npos) << text;
  EXPECT_EQ(text.find("0     0 s     0 s      0 s      1\n", row), text.find("0     0 s", row));
}

TEST(ViewWaits, NothingWhereNobodyWaited) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "");
  EXPECT_EQ(ShowView(small.Read(), view_waits), "");
}

}  // namespace
