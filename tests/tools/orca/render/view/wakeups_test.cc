#include "tests/tools/orca/render/view/shown.h"

namespace {

TEST(ViewWakeups, ShowsTheObjects) {
  SmallModel small;
  EXPECT_EQ(
      ShowView(small.Read(), view_wakeups),
      "\n"
      "Objects waited on (useless: woken, but waited again at once; unheard: nobody waited)\n"
      "on                   waits   total  longest  woken  useless       by itself  one  all  "
      "unheard\n"
      "worker-1\n"
      "  Thread.join            1  3.00 s   3.00 s      0        -               0    -    -       "
      " -\n"
      "    1 thread STILL WAITING at the end\n"
      "java.lang.Object@000000A2\n"
      "  Object.wait            1  1.50 s   1.50 s      1        0  0 %          0    0    1       "
      " 0\n"
      "java.util.concurrent.Semaphore@000000A3\n"
      "  Semaphore.acquire      1  750 ms   750 ms      1        -               0    1    -       "
      " -\n");
}

TEST(ViewWakeups, ShowsTheWaiters) {
  SmallModel small;
  EXPECT_EQ(ShowView(small.Read(), view_waiters),
            "\n"
            "Who got through how often, object by object\n"
            "on                                       thread    waits  got through  went back  by "
            "itself   "
            "total  longest\n"
            "worker-1                                 main          1            0          -      "
            "    0  "
            "3.00 s   3.00 s\n"
            "java.lang.Object@000000A2                main          1            1          0      "
            "    0  "
            "1.50 s   1.50 s\n"
            "java.util.concurrent.Semaphore@000000A3  worker-2      1            1          -      "
            "    0  "
            "750 ms   750 ms\n");
}

TEST(ViewWakeups, ShowsTheWakers) {
  SmallModel small;
  EXPECT_EQ(
      ShowView(small.Read(), view_wakers),
      "\n"
      "Who woke whom, object by object\n"
      "woke      whom      times  call               on\n"
      "worker-1  main          1  Object.wait        java.lang.Object@000000A2\n"
      "worker-1  worker-2      1  Semaphore.acquire  java.util.concurrent.Semaphore@000000A3\n");
}

TEST(ViewWakeups, ShowsTheLimitsOfTheRecording) {
  SmallModel small;
  EXPECT_EQ(ShowView(small.Read(), view_wakeup_limits), "");
  SmallModel again;
  std::string events;
  for (const char *event : {"ObjectWait,00000001", "ObjectNotifyAll,00000002",
                            "ObjectWaited,00000001", "ObjectWait,00000001"}) {
    events += "101.00000" + std::to_string(events.size() + 10000) + "," + event +
              ",000000A2,2;00000001;FFFFFFFF;00000011;00000000\n";
  }
  again.files.Write(DUMP_EVENTS, events);
  EXPECT_TRUE(Has(ShowView(again.Read(), view_wakeup_limits), "monitors=all"));
  SmallModel lossy;
  lossy.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=7");
  EXPECT_TRUE(Has(ShowView(lossy.Read(), view_wakeup_limits), "* Events may be missing"));
  SmallModel none;
  none.files.Write(DUMP_EVENTS, "");
  EXPECT_EQ(ShowView(none.Read(), view_wakeup_limits), "");
}

}  // namespace
