#include "tools/orca/render/view/locks.h"

#include "tests/tools/orca/render/view/shown.h"

namespace {

// The locks as a report shows them, of a recording without a known path or hand-off.
void PutLocks(struct page *p, const struct model *m, size_t top) {
  struct contention none = {};
  struct view_locks v = {};
  v.model = m;
  v.locks = &m->locks;
  v.contention = &none;
  view_locks_of(p, &v, top);
}

TEST(ViewLocks, ShowsBlockedTimesPlacesAndOwners) {
  SmallModel small;
  EXPECT_EQ(
      ShowView(small.Read(), PutLocks),
      "\n"
      "Locks, worst first (waited: had to wait; failed: of those, without success)\n"
      "lock       acquired  waited         failed  blocked    mean     p99  longest  held  mean\n"
      "com.acme.Inventory@000000A1\n"
      "  monitor         -       4              0   2.88 s  719 ms  2.00 s   2.00 s     -     -\n"
      "    at Inventory.reserve (Inventory.java:42) 96 %, OrderService.price "
      "(OrderService.java:88) 4.3 %\n"
      "    blocked: worker-1 96 %, worker-2 4.3 %\n"
      "    held by: worker-2 95 %, worker-1 4.8 %\n"
      "    1 thread STILL BLOCKED at the end\n"
      "monitor in OrderService.price:88 (Object@000000A2)\n"
      "  monitor         -       1              0   1.50 s  1.50 s  1.50 s   1.50 s     -     -\n"
      "    at OrderService.price (OrderService.java:88)\n"
      "    blocked: worker-2\n"
      "    held by: worker-1\n"
      "    1 thread STILL BLOCKED at the end\n"
      "semaphore in OrderService.price:90 (Semaphore@000000A3)\n"
      "  signal          1       1  100 %       0   750 ms  750 ms  750 ms   750 ms     -     -\n"
      "    at OrderService.price (OrderService.java:90)\n"
      "    waited: worker-2\n");
}

// Their times and places are in the sums. Their threads and owners are not.
TEST(ViewLocks, ShowsWaitsWithoutLines) {
  SmallModel small;
  AddShortCalls(&small.files);
  EXPECT_EQ(
      ShowView(small.Read(), PutLocks),
      "\n"
      "Locks, worst first (waited: had to wait; failed: of those, without success)\n"
      "lock       acquired  waited    failed   blocked     mean        p99  longest  held  mean\n"
      "com.acme.Inventory@000000A1\n"
      "  monitor         -   1,004         0    6.88 s  6.85 ms  ≤ 9.00 ms   2.00 s     -     -\n"
      "    at Inventory.reserve (Inventory.java:42) 98 %, OrderService.price "
      "(OrderService.java:88) 1.8 %\n"
      "    4 of the waits took 10ms or longer, 2.88 s together\n"
      "    blocked, as far as known: worker-1 96 %, worker-2 4.3 %\n"
      "    held by, as far as known: worker-2 95 %, worker-1 4.8 %\n"
      "    1 thread STILL BLOCKED at the end\n"
      "monitor in OrderService.price:88 (Object@000000A2)\n"
      "  monitor         -       1         0    1.50 s   1.50 s     1.50 s   1.50 s     -     -\n"
      "    at OrderService.price (OrderService.java:88)\n"
      "    blocked: worker-2\n"
      "    held by: worker-1\n"
      "    1 thread STILL BLOCKED at the end\n"
      "semaphore in OrderService.price:90 (Semaphore@000000A3)\n"
      "  signal          -     ≥ 1         0  ≥ 750 ms        -   ≤ 750 ms   750 ms     -     -\n"
      "    at OrderService.price (OrderService.java:90)\n"
      "    waited: worker-2\n"
      "    200 calls shorter than 10ms, 200 ms together: it is not known which of them had to "
      "wait\n");
}

// A sum without an object may be of any of the locks.
TEST(ViewLocks, SaysThatALockMayHaveMoreWaits) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Write(DUMP_EVENTS, "");
  small.files.Write(DUMP_COUNTS,
                    "105.0000000000,LockAcquire,000000A2,60,66000000,9000000,0\n"
                    "105.0000000001,MonitorContendedEnter,000000A1,2,5000000,3000000,0\n"
                    "105.0000000002,MonitorContendedEnter,00000000,2,5000000,3000000,0\n");
  const struct model *m = small.Read();
  std::string text = ShowView(m, PutLocks);
  size_t note = text.find("    there may be more, among those of several objects\n");
  EXPECT_GT(note, text.find("Inventory@000000A1")) << text;
  EXPECT_NE(note, std::string::npos) << text;
  EXPECT_EQ(note, text.rfind("    there may be more")) << text;
  EXPECT_TRUE(Has(text, "  ≥ 2         0  ≥ 5.00 ms        -  ≤ 10.0 ms  ≥ 3.00 ms  ")) << text;
  std::string csv = ShowView(m, PutLocks, 10, FORMAT_CSV);
  EXPECT_TRUE(Has(csv, ",0,0,0,0,yes\n")) << csv;
  EXPECT_TRUE(Has(csv, ",0,0,0,0,no\n")) << csv;
}

// Neither number is known: the lock may have been acquired, and waited for, more often.
TEST(ViewLocks, ShowsNoShareOfTwoLeastNumbers) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Write(DUMP_EVENTS, "");
  small.files.Write(DUMP_COUNTS,
                    "105.0000000000,LockAcquire,000000A2,60,66000000,9000000,0\n"
                    "105.0000000001,LockAcquired,000000A2,240\n"
                    "105.0000000002,LockAcquire,00000000,5,6000000,3000000,0\n");
  std::string text = ShowView(small.Read(), PutLocks);
  EXPECT_TRUE(Has(text, " 240    ≥ 60       ≥ 0  ")) << text;
  EXPECT_FALSE(Has(text, "25 %")) << text;
}

TEST(ViewLocks, ShowsLocksWithoutAnyLine) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Write(DUMP_EVENTS, "");
  small.files.Write(DUMP_COUNTS,
                    "105.0000000000,LockTryAcquire,000000A2,60,66000000,9000000,"
                    "2;00000012;00000000;00000000;00000000\n"
                    "105.0000000001,LockAcquired,000000A2,50\n"
                    "105.0000000002,MonitorContendedEnter,00000000,2,5000000,3000000,0\n"
                    "105.0000000003,SemaphoreAcquire,000000A3,1,4000000,4000000,0\n");
  EXPECT_EQ(
      ShowView(small.Read(), PutLocks),
      "\n"
      "Locks, worst first (waited: had to wait; failed: of those, without success)\n"
      "lock         acquired  waited           failed  blocked     mean        p99  longest  held  "
      "mean\n"
      "lock in Inventory.reserve:42 (Object@000000A2)\n"
      "  lock             50      60  ≤ 100 %     ≥ 0  66.0 ms  1.10 ms  ≤ 9.00 ms  9.00 ms     -  "
      "   -\n"
      "    at Inventory.reserve (Inventory.java:42)\n"
      "    none of the waits took 10ms or longer\n"
      "several objects, not told apart\n"
      "  monitor           -       2                0  5.00 ms  2.50 ms  ≤ 3.00 ms  3.00 ms     -  "
      "   -\n"
      "    at an unknown place\n"
      "    none of the waits took 10ms or longer\n"
      "java.util.concurrent.Semaphore@000000A3\n"
      "  semaphore         -     ≥ 0                0        -        -          -        -     -  "
      "   -\n"
      "    1 call shorter than 10ms, 4.00 ms together: it is not known which of them had to wait\n"
      "\n"
      "acquired: at least so often. With a threshold, acquisitions before the first wait for a "
      "lock "
      "need\n"
      "not be counted.\n");
}

// Other recordings have no such columns.
TEST(ViewLocks, ProgramsGetTheLongWaitsApart) {
  SmallModel small, old;
  AddShortCalls(&small.files);
  std::string csv = ShowView(small.Read(), PutLocks, 10, FORMAT_CSV);
  EXPECT_TRUE(Has(csv,
                  ",path_ns,long_waits,long_blocked_ns,short_calls,short_calls_ns,"
                  "waited_is_least\n"))
      << csv;
  EXPECT_TRUE(Has(csv, "\n,1004,0,6875000000,9000000,2000000000,")) << csv;
  EXPECT_TRUE(Has(csv, ",4,2875000000,0,0,no\n")) << csv;
  EXPECT_TRUE(Has(csv, "\n,1,0,750000000,750000000,750000000,")) << csv;
  EXPECT_TRUE(Has(csv, ",1,750000000,200,200000000,yes\n")) << csv;
  EXPECT_FALSE(Has(ShowView(old.Read(), PutLocks, 10, FORMAT_CSV), "long_waits"));
}

// The same work with a monitor, a lock and a read-write lock.
TEST(ViewLocks, AllKindsOfLocksHaveTheSameColumns) {
  SmallModel small;
  const char reserve[] = "1;00000012;00000000";
  auto pair = [&](const char *begin, const char *xed, int ms, const char *object,
                  const std::string &thread, const std::string &owner) {
    static int now = 1000;
    char from[40], to[40];
    snprintf(from, sizeof from, "10%d.%03d0000000,", now / 1000, now % 1000);
    now += ms;
    snprintf(to, sizeof to, "10%d.%03d0000000,", now / 1000, now % 1000);
    now++;
    return from + std::string(begin) + "," + thread + "," + object + "," + owner + "," + reserve +
           "\n" + to + xed + "," + thread + "," + object + "," + reserve + "\n";
  };
  const char w1[] = "00000002", w2[] = "00000003", none[] = "00000000";
  small.files.Write(
      DUMP_EVENTS,
      "100.0000000000,ThreadStarted,00000002,worker-1\n"
      "100.0000000001,ThreadStarted,00000003,worker-2\n" +
          pair("MonitorContendedEnter", "MonitorContendedEntered", 400, "000000A1", w1, w2) +
          pair("LockAcquire", "LockAcquired", 200, "000000A2", w1, w2) +
          pair("LockTryAcquire", "LockTryAcquireFailed", 50, "000000A2", w2, w1) +
          pair("WriteLockAcquire", "WriteLockAcquired", 30, "000000A3", w1, none) +
          pair("ReadLockAcquire", "ReadLockAcquired", 20, "000000A3", w1, w2));
  small.files.Write(DUMP_COUNTS,
                    "109.0000000000,LockAcquired,000000A2,1000\n"
                    "109.0000000001,WriteLockAcquired,000000A3,100\n"
                    "109.0000000002,ReadLockAcquired,000000A3,123456\n");
  EXPECT_EQ(ShowView(small.Read(), PutLocks),
            "\n"
            "Locks, worst first (waited: had to wait; failed: of those, without success)\n"
            "lock          acquired  waited          failed  blocked     mean      p99  longest  "
            "held  mean\n"
            "com.acme.Inventory@000000A1\n"
            "  monitor            -       1               0   400 ms   400 ms   400 ms   400 ms    "
            " -     -\n"
            "    at Inventory.reserve (Inventory.java:42)\n"
            "    blocked: worker-1\n"
            "    held by: worker-2\n"
            "lock in Inventory.reserve:42 (Object@000000A2)\n"
            "  lock           1,000       2   0.2 %       1   250 ms   125 ms   200 ms   200 ms    "
            " -     -\n"
            "    at Inventory.reserve (Inventory.java:42)\n"
            "    waited: worker-1 80 %, worker-2 20 %\n"
            "    held by: worker-2 80 %, worker-1 20 %\n"
            "lock in Inventory.reserve:42 (Semaphore@000000A3)\n"
            "  write side       100       1   1.0 %       0  30.0 ms  30.0 ms  30.0 ms  30.0 ms    "
            " -     -\n"
            "    at Inventory.reserve (Inventory.java:42)\n"
            "    waited: worker-1\n"
            "  read side    123,456       1  <0.1 %       0  20.0 ms  20.0 ms  20.0 ms  20.0 ms    "
            " -     -\n"
            "    at Inventory.reserve (Inventory.java:42)\n"
            "    waited: worker-1\n"
            "    held by: worker-2\n");
}

TEST(ViewLocks, ShowsHoldTimes) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.0000000001,ThreadStarted,00000003,worker-2\n"
                    "101.0000000000,MonitorEntered,00000003,000000A1,1;00000012;00000000\n"
                    "101.2500000000,MonitorExit,00000003,000000A1,1;00000012;00000000\n"
                    "102.0000000000,MonitorEntered,00000003,000000A1,1;00000012;00000000\n"
                    "102.7500000000,MonitorExit,00000003,000000A1,1;00000012;00000000\n");
  struct model *m = small.Read();
  std::string all = ShowPage([&](struct page *p) {
    struct contention none = {};
    struct view_locks v = {m, &m->locks, &none, nullptr, false, false, true};
    view_locks_of(p, &v, 10);
  });
  EXPECT_EQ(
      all,
      "\n"
      "Locks, worst first (waited: had to wait; failed: of those, without success)\n"
      "lock       acquired  waited       failed  blocked  mean  p99  longest    held    mean\n"
      "com.acme.Inventory@000000A1\n"
      "  monitor         2       0  0 %       0        -     -    -        -  1.00 s  500 ms\n"
      "    held by: worker-2\n");
  EXPECT_EQ(ShowView(m, PutLocks), "\nNo thread waited for 1 lock (orca locks --all shows it).\n");
}

TEST(ViewLocks, LeavesOutLocksThatNoThreadWaitedFor) {
  SmallModel small;
  small.files.Write(DUMP_COUNTS,
                    "109.0000000000,LockAcquired,000000B1,7\n"
                    "109.0000000001,LockAcquired,000000B2,8\n");
  struct model *m = small.Read();
  std::string text = ShowView(m, PutLocks);
  EXPECT_FALSE(Has(text, "@000000B1")) << text;
  EXPECT_TRUE(Has(text, "\nNo thread waited for 2 more locks (orca locks --all shows them).\n"))
      << text;
  std::string json = ShowView(m, PutLocks, 10, FORMAT_JSON);
  EXPECT_TRUE(Has(json, "@000000B1\"")) << json;
  EXPECT_TRUE(Has(json, "\"lock\":\"java.lang.Object@000000A2\"")) << json;
  EXPECT_TRUE(Has(json, "\"title\":\"monitor in OrderService.price:88 (Object@000000A2)\""))
      << json;
}

TEST(ViewLocks, SaysThatCountsAreLeastNumbersWithAThreshold) {
  const std::string note =
      "\nacquired: at least so often. With a threshold, acquisitions before the first wait for a "
      "lock need\nnot be counted.\n";
  for (bool has_threshold : {false, true}) {
    SmallModel small;
    if (has_threshold) small.files.Replace(DUMP_INFO, "engine=weave", "threshold=10ms");
    small.files.Write(DUMP_EVENTS,
                      "101.0000000000,LockAcquire,00000002,000000A3,00000001,0\n"
                      "103.0000000000,LockAcquired,00000002,000000A3,0\n"
                      "104.0000000000,MonitorContendedEnter,00000002,000000A1,00000001,0\n"
                      "108.0000000000,MonitorContendedEntered,00000002,000000A1,0\n");
    small.files.Write(DUMP_COUNTS, "104.0000000000,LockAcquired,000000A3,1234\n");
    const struct model *m = small.Read();
    std::string text = ShowView(m, PutLocks);
    EXPECT_EQ(Has(text, note), has_threshold) << text;
    EXPECT_FALSE(Has(ShowView(m, PutLocks, 1), note)) << "the monitor has no such number";
    EXPECT_FALSE(Has(ShowView(m, PutLocks, 10, FORMAT_CSV), "at least")) << "it is no sentence";
  }
}

TEST(ViewLocks, SaysThatCountsAreLeastNumbersAfterTheTableOfCountsWasFull) {
  for (bool was_full : {false, true}) {
    SmallModel small;
    small.files.Append(DUMP_INFO, was_full ? "locks.full=1\n" : "locks.full=0\n");
    small.files.Write(DUMP_EVENTS,
                      "101.0000000000,LockAcquire,00000002,000000A3,00000001,0\n"
                      "103.0000000000,LockAcquired,00000002,000000A3,0\n");
    small.files.Write(DUMP_COUNTS,
                      "104.0000000000,LockAcquired,000000A3,+1230\n"
                      "104.0000000001,LockAcquired,000000A3,+4\n");
    std::string text = ShowView(small.Read(), PutLocks);
    EXPECT_TRUE(Has(text, "1,234") || Has(text, "1234")) << text;
    EXPECT_EQ(
        Has(text, "\nacquired: at least so often. The table of lock counts was full at times.\n"),
        was_full)
        << text;
  }
}

// The semaphore has two permits, so it is not known which of its two holders made others wait.
TEST(ViewLocks, ASemaphoreCanHaveSeveralHolders) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,SemaphoreAcquire,00000002,000000A3,0\n"
                    "101.0000000001,SemaphoreAcquired,00000002,000000A3,0\n"
                    "101.0000000002,SemaphoreAcquire,00000003,000000A3,0\n"
                    "101.0000000003,SemaphoreAcquired,00000003,000000A3,0\n"
                    "101.1000000000,SemaphoreAcquire,00000004,000000A3,0\n"
                    "101.2000000000,SemaphoreRelease,00000002,000000A3,0\n"
                    "101.2000000001,SemaphoreAcquired,00000004,000000A3,0\n"
                    "101.4000000000,SemaphoreRelease,00000003,000000A3,0\n");
  std::string text = ShowView(small.Read(), PutLocks);
  EXPECT_TRUE(
      Has(text,
          "  semaphore         3       1  33 %       0   100 ms  100 ms  100 ms   100 ms  9.40 s  "
          "3.13 s\n"))
      << text;
  EXPECT_TRUE(Has(text, "    held by: thread 00000004 94 %, ")) << text;
}

// The bounds are those of the locks of the model, and not of classes of locks.
TEST(ViewLocks, ShowsTheTimeOnThePath) {
  SmallModel small;
  struct model *m = small.Read();
  struct contention none = {};
  struct bounds b = {};
  b.known = b.of_run = true;
  b.work = 10 * kSecond;
  ASSERT_TRUE(tally_add(&b.locks, m->locks.rows[0].id, 0, 1, 4 * kSecond));
  tally_sort(&b.locks);
  struct view_locks v = {m, &m->locks, &none, &b, false, false, false};
  auto put = [&](struct page *p) { view_locks_of(p, &v, 10); };
  std::string text = ShowPage(put), json = ShowPage(put, FORMAT_JSON);
  EXPECT_TRUE(Has(text, "    on the critical path for 4.00 s (40 %)\n")) << text;
  EXPECT_TRUE(Has(text, "    not on the critical path\n")) << text;
  EXPECT_TRUE(Has(json, "\"path_ns\":4000000000")) << json;
  EXPECT_TRUE(Has(json, "\"path_ns\":0")) << json;
  const struct {
    bool known, of_run, is_given;
  } unknown[] = {{false, true, true}, {true, false, true}, {true, true, false}};
  for (const auto &row : unknown) {
    b.known = row.known;
    b.of_run = row.of_run;
    v.bounds = row.is_given ? &b : nullptr;
    json = ShowPage(put, FORMAT_JSON);
    EXPECT_TRUE(Has(json, "\"path_ns\":null")) << json;
    EXPECT_FALSE(Has(json, "\"path_ns\":4")) << json;
    EXPECT_FALSE(Has(ShowPage(put), "critical path"));
  }
  bounds_free(&b);
}

TEST(ViewLocks, TopLimitsTheRows) {
  SmallModel small;
  std::string text = ShowView(small.Read(), PutLocks, 1);
  EXPECT_FALSE(Has(text, "java.lang.Object@000000A2")) << text;
  EXPECT_TRUE(Has(text, "    and 2 more\n")) << text;
}

TEST(ViewLocks, NoBlockedThreadNoTable) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "101.0000000000,ThreadStarted,00000001,main\n");
  EXPECT_EQ(ShowView(small.Read(), PutLocks), "");
}

TEST(ViewLocks, CautionsAgainstStringsAndClasses) {
  SmallModel small;
  small.files.Replace(DUMP_CLASSES, "Lcom/acme/Inventory;", "Ljava/lang/String;");
  EXPECT_TRUE(Has(ShowView(small.Read(), PutLocks),
                  "\n    CAUTION: any code with an equal value may lock the same object\n"));
  SmallModel of_class;
  of_class.files.Replace(DUMP_CLASSES, "Lcom/acme/Inventory;", "Ljava/lang/Class;");
  EXPECT_TRUE(Has(ShowView(of_class.Read(), PutLocks), "CAUTION: any code can lock a class\n"));
}

}  // namespace
