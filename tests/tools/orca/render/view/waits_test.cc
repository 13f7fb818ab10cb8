#include "tests/support/text.h"
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

// How many of the short calls were without success is not known, nor is what ended them.
TEST(ViewWaits, CountsShortCalls) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_EVENTS,
                     "109.1000000000,QueueRemove,00000001,000000A2,0\n"
                     "109.2000000000,QueueRemoveFailed,00000001,000000A2,0\n");
  small.files.Append(DUMP_COUNTS,
                     "109.6000000000,QueueRemove,000000A2,30,30000000,9000000,0\n"
                     "109.6000000001,LatchAwait,00000000,3,9000000,4000000,0\n");
  EXPECT_EQ(
      ShowView(small.Read(), view_waits),
      "\n"
      "Waits, sleeps, joins (woken: calls of notify, signal and similar)\n"
      "call                  on                               times    total     mean  longest  "
      "woken\n"
      "Object.wait           java.lang.Object@000000A2          501   3.50 s  6.99 ms   1.50 s\n"
      "    at OrderService.run (OrderService.java:20); 1 took 10ms or longer\n"
      "Thread.join           worker-1                             1   3.00 s   3.00 s   3.00 s\n"
      "    at OrderService.run (OrderService.java:20); 1 not finished at the end\n"
      "Thread.sleep                                              11   550 ms  50.0 ms   500 ms\n"
      "    at Inventory.reserve (Inventory.java:42); 1 took 10ms or longer\n"
      "BlockingQueue.take    java.lang.Object@000000A2           31   130 ms  4.19 ms   100 ms\n"
      "    at an unknown place; 1 took 10ms or longer; at least 1 without success\n"
      "CountDownLatch.await  several objects, not told apart      3  9.00 ms  3.00 ms  4.00 "
      "ms\n"
      "    at an unknown place; none took 10ms or longer\n");
}

// A sum of several objects may contain calls of each object of the same event.
TEST(ViewWaits, SaysThatAnObjectMayHaveMoreShortCalls) {
  const char kWords[] = "\n    there may be more, among those of several objects\n";
  SmallModel small, other;
  AddShortCalls(&small.files);
  AddShortCalls(&other.files);
  other.files.Append(DUMP_COUNTS, "109.6000000000,LatchAwait,00000000,3,9000000,4000000,0\n");
  std::string out = ShowView(other.Read(), view_waits);
  EXPECT_FALSE(Has(out, "there may be more")) << out;
  small.files.Append(DUMP_COUNTS, "109.6000000000,ObjectWait,00000000,3,9000000,4000000,0\n");
  out = ShowView(small.Read(), view_waits);
  EXPECT_TRUE(Has(out, std::string("; 1 took 10ms or longer") + kWords + "Thread.join")) << out;
  EXPECT_TRUE(Has(out, "Object.wait   java.lang.Object@000000A2")) << out;
  EXPECT_TRUE(Has(out, "  ≥ 501  ≥ 3.50 s        -   1.50 s\n")) << out;
  size_t first = out.find(kWords);
  EXPECT_EQ(out.find(kWords, first + 1), std::string::npos) << out;
}

// The calls that the row may lack were shorter than the threshold, but perhaps longer than its own.
TEST(ViewWaits, SaysThatTheLongestShortCallIsTheLeast) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Write(DUMP_EVENTS, "");
  small.files.Append(DUMP_COUNTS, "109.6000000000,ObjectWait,00000000,3,9000000,4000000,0\n");
  std::string out = ShowView(small.Read(), view_waits);
  EXPECT_TRUE(Has(out, "  ≥ 500  ≥ 2.00 s        -  ≥ 9.50 ms\n")) << out;
}

TEST(ViewWaits, ProgramsSeeThatACountIsTheLeast) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_COUNTS,
                     "109.6000000000,ObjectWait,00000000,3,9000000,4000000,0\n"
                     "109.6000000001,ThreadPark,00000000,4,8000000,4000000,0\n");
  std::string csv = ShowView(small.Read(), view_waits, 10, FORMAT_CSV);
  EXPECT_TRUE(Has(csv, "\nObject.wait,ObjectWait,java.lang.Object@000000A2,501,3500000000,"))
      << csv;
  EXPECT_TRUE(Has(csv, ",1,yes\n")) << csv;
  EXPECT_TRUE(
      Has(csv, "\nObject.wait,ObjectWait,\"several objects, not told apart\",3,9000000,4000000,,"))
      << csv;
  EXPECT_TRUE(Has(csv, "\"several objects, not told apart, or none\",4,8000000,")) << csv;
}

TEST(ViewWaits, ProgramsGetTheLongCallsApart) {
  SmallModel small, old;
  AddShortCalls(&small.files);
  std::string csv = ShowView(small.Read(), view_waits, 10, FORMAT_CSV);
  EXPECT_TRUE(Has(csv, ",main_place,long_count,count_is_least\n")) << csv;
  EXPECT_TRUE(Has(csv,
                  "\nObject.wait,ObjectWait,java.lang.Object@000000A2,501,3500000000,"
                  "1500000000,,0,0,OrderService.run (OrderService.java:20),1,no\n"))
      << csv;
  EXPECT_FALSE(Has(ShowView(old.Read(), view_waits, 10, FORMAT_CSV), "long_count"));
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
  EXPECT_TRUE(Has(text, "\nObject.wait   java.lang.Object@000000B1 ")) << text;
  size_t row = text.find("Object.wait   com.acme.Inventory@000000A1  ");
  ASSERT_NE(row, std::string::npos) << text;
  EXPECT_EQ(text.find("0     0 s     0 s      0 s      1\n", row), text.find("0     0 s", row));
}

TEST(ViewWaits, NothingWhereNobodyWaited) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "");
  EXPECT_EQ(ShowView(small.Read(), view_waits), "");
}

// --- tasks in queues ---

constexpr char kTasks[] =
    "101.0000000000,TaskQueued,00000001,000000B1,0\n"
    "101.0500000000,TaskTaken,00000003,000000B1,0\n";
constexpr char kSums[] = "109.6000000000,TaskQueued,00000000,1000,800000000,9000000,0\n";

std::string Show(SmallModel *small, enum format format = FORMAT_TEXT) {
  const struct model *m = small->Read();
  return ShowPage([&](struct page *p) { view_queued_tasks(p, m); }, format);
}

TEST(ViewQueuedTasks, TellsShortAndLongTimes) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_EVENTS, kTasks);
  small.files.Append(DUMP_COUNTS, kSums);
  EXPECT_EQ(
      Show(&small),
      "\nTasks were in queues of executors 1,001 times for 850 ms in total (longest 50.0 ms; 1 "
      "time for 10ms\nor longer, 50.0 ms).\n");
}

TEST(ViewQueuedTasks, SaysThatNoTaskWaitedLong) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_COUNTS, "109.6000000000,TaskQueued,00000000,1,8000000,8000000,0\n");
  EXPECT_EQ(
      Show(&small),
      "\nTasks were in queues of executors 1 time for 8.00 ms in total (longest 8.00 ms; never "
      "for 10ms or\nlonger).\n");
}

TEST(ViewQueuedTasks, ProgramsGetATable) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_EVENTS, kTasks);
  small.files.Append(DUMP_COUNTS, kSums);
  EXPECT_TRUE(
      Has(Show(&small, FORMAT_JSON),
          "\"queued_tasks\":[{\"count\":1001,\"total_ns\":850000000,\"longest_ns\":50000000,"
          "\"long_count\":1,\"long_total_ns\":50000000}]"));
}

// Other recordings have the same views as before.
TEST(ViewQueuedTasks, ShowsNothingWithoutSums) {
  SmallModel text, json;
  for (SmallModel *small : {&text, &json}) small->files.Append(DUMP_EVENTS, kTasks);
  EXPECT_EQ(Show(&text), "");
  EXPECT_FALSE(Has(Show(&json, FORMAT_JSON), "queued_tasks"));
}

}  // namespace
