#include "tests/tools/orca/render/view/two_shown.h"

namespace {

std::string Table(const struct comparison *c, enum compare_part part, size_t top = 10,
                  enum format format = FORMAT_TEXT) {
  return ShowPage([&](struct page *p) { view_diff_table(p, c, part, top); }, format);
}

TEST(DiffTables, ShowsMethods) {
  TwoRuns runs({}, {.seconds = 20, .price_ms = 80});
  const struct comparison *c = runs.Compare();
  EXPECT_EQ(Table(c, COMPARE_METHODS),
            "\nMethods by change of their own CPU time, in a second of run\n"
            "     A       B   change    share  method              hottest line\n"
            "500 ms  800 ms  +300 ms    100 %  OrderService.price  OrderService.java:88\n"
            "200 ms  200 ms      0 s        -  Inventory.reserve   Inventory.java:42\n");
  EXPECT_EQ(Table(c, COMPARE_METHODS, 1, FORMAT_CSV),
            "a_ns_per_s,b_ns_per_s,verdict,a_samples,b_samples,method,main_place,a_ns,b_ns\n"
            "500000000,800000000,more,143,320,OrderService.price,"
            "OrderService.price (OrderService.java:88),5000000000,16000000000\n");
  EXPECT_TRUE(Has(Table(c, COMPARE_METHODS, 1), "    and 1 more\n"));
}

TEST(DiffTables, ShowsLocksAndWaits) {
  TwoRuns runs({}, {.seconds = 20, .blocked_ms = 40});
  const struct comparison *c = runs.Compare();
  EXPECT_EQ(Table(c, COMPARE_LOCKS),
            "\nLocks by change of the time that threads are blocked, in a second of run\n"
            "     A       B   change    share  A, times     B  lock                           "
            "blocked at\n"
            "100 ms  400 ms  +300 ms    100 %      10.0  10.0  monitor of com.acme.Inventory  "
            "Inventory.reserve\n");
  EXPECT_TRUE(Has(Table(c, COMPARE_WAITS), "Thread.sleep  OrderService.run\n"));
  EXPECT_TRUE(Has(Table(c, COMPARE_WAITS, 10, FORMAT_JSON), "\"a_count\":100,\"b_count\":200,"));
}

TEST(DiffTables, MarksLeastTimes) {
  TwoRuns runs({.options = "threshold=5ms"}, {.options = "threshold=5ms"});
  runs.B().Append(DUMP_COUNTS,
                  "100.5000000000,MonitorContendedEnter,00000000,500,2000000000,4000000,0\n"
                  "100.5000000001,ObjectWait,00000000,500,1000000000,4000000,0\n");
  const struct comparison *c = runs.Compare();
  std::string text = Table(c, COMPARE_LOCKS);
  EXPECT_TRUE(Has(text, "100 ms  ≥ 100 ms ")) << text;
  EXPECT_TRUE(Has(text, "monitor of several objects, not told apart")) << text;
  EXPECT_TRUE(Has(Table(c, COMPARE_WAITS), "Object.wait on several objects, not told apart"));
  std::string csv = Table(c, COMPARE_LOCKS, 10, FORMAT_CSV);
  EXPECT_TRUE(Has(csv, ",a_ns,b_ns,a_is_least,b_is_least\n")) << csv;
  EXPECT_TRUE(Has(csv, ",1000000000,1000000000,no,yes\n")) << csv;
  EXPECT_TRUE(Has(csv, ",0,2000000000,no,no\n")) << csv;
}

// In B the waits for the lock have lost their object.
TEST(DiffTables, DoesNotCallALockGoneWhoseTimeMayBeOfSeveralObjects) {
  TwoRuns runs({.options = "threshold=5ms"}, {.blocked_ms = 0, .options = "threshold=5ms"});
  runs.B().Append(DUMP_COUNTS,
                  "100.5000000000,MonitorContendedEnter,00000000,100,1000000000,10000000,0\n"
                  "100.5000000001,ThreadPark,00000000,100,1000000000,10000000,0\n");
  const struct comparison *c = runs.Compare();
  std::string text = Table(c, COMPARE_LOCKS), csv = Table(c, COMPARE_LOCKS, 10, FORMAT_CSV);
  EXPECT_TRUE(Has(text, "≥ 0 s  ≥ -100 ms  ? ")) << text;
  EXPECT_TRUE(Has(text, " 10.0  ≥ 0.0  monitor of com.acme.Inventory")) << text;
  EXPECT_FALSE(Has(text, "gone") || Has(text, "new") || Has(text, "%")) << text;
  EXPECT_TRUE(Has(csv, "100000000,0,,100,0,monitor of com.acme.Inventory,")) << csv;
  EXPECT_TRUE(Has(Table(c, COMPARE_LOCKS, 10, FORMAT_JSON), "\"verdict\":null,"));
  std::string waits = Table(c, COMPARE_WAITS);
  EXPECT_TRUE(Has(waits, "LockSupport.park on several objects, not told apart, or none")) << waits;
  EXPECT_TRUE(Has(waits, " new ")) << waits;
}

TEST(DiffTables, MarksWhichWayAChangeIsABound) {
  TwoRuns runs({.options = "threshold=5ms"}, {.blocked_ms = 40, .options = "threshold=5ms"});
  const char kSum[] = "100.5000000000,MonitorContendedEnter,00000000,5,20000000,4000000,0\n";
  runs.A().Append(DUMP_COUNTS, kSum);
  std::string text = Table(runs.Compare(), COMPARE_LOCKS);
  EXPECT_TRUE(Has(text, "≥ 100 ms  400 ms  ≤ +300 ms ")) << text;
  TwoRuns both({.options = "threshold=5ms"}, {.blocked_ms = 40, .options = "threshold=5ms"});
  both.A().Append(DUMP_COUNTS, kSum);
  both.B().Append(DUMP_COUNTS, kSum);
  text = Table(both.Compare(), COMPARE_LOCKS);
  EXPECT_TRUE(Has(text, "≥ 100 ms  ≥ 400 ms  ? +300 ms ")) << text;
}

TEST(DiffTables, MarksNewGoneAndUnchangedRows) {
  TwoRuns runs({.reserve_ms = 0}, {.price_ms = 0, .blocked_ms = 11});
  const struct comparison *c = runs.Compare();
  std::string methods = Table(c, COMPARE_METHODS);
  EXPECT_TRUE(Has(methods, "500 ms     0 s  -500 ms  gone  100 %  OrderService.price")) << methods;
  EXPECT_TRUE(Has(methods, "   0 s  200 ms  +200 ms  new   100 %  Inventory.reserve")) << methods;
  EXPECT_TRUE(Has(Table(c, COMPARE_LOCKS), "100 ms  110 ms  +10.0 ms  ~  100 %"))
      << Table(c, COMPARE_LOCKS);
}

TEST(DiffTables, ShowsTotals) {
  TwoRuns runs({}, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
  const struct comparison *c = runs.Compare();
  auto totals = [&](struct page *p) { view_diff_totals(p, c); };
  // 402 events in 10 s, 802 in 20 s
  EXPECT_EQ(ShowPage(totals),
            "\nAll in all, on average\n"
            "                         A       B  change\n"
            "length              10.0 s  20.0 s\n"
            "CPUs busy             0.70    1.00   +0.30\n"
            "threads blocked       0.10    0.40   +0.30\n"
            "threads in waits      0.05    0.05   +0.00\n"
            "threads                  2       2\n"
            "events in a second      40      40\n");
  EXPECT_EQ(ShowPage(totals, FORMAT_CSV),
            "what,a,b,verdict\nlength_ns,10000000000,20000000000,\n"
            "cpu_ns,7000000000,20000000000,more\nblocked_ns,1000000000,8000000000,more\n"
            "waiting_ns,500000000,1000000000,same\nthreads,2,2,\nevents,402,802,\n");
}

TEST(DiffTables, NamesUnknownClassesAndMethods) {
  TwoRuns runs({}, {});
  runs.A().Write(DUMP_OBJECTS, "");
  runs.B().Write(DUMP_OBJECTS, "");
  runs.B().Write(DUMP_METHODS, "");
  const struct comparison *c = runs.Compare();
  EXPECT_TRUE(Has(Table(c, COMPARE_LOCKS), "monitor of an unknown class"))
      << Table(c, COMPARE_LOCKS);
  EXPECT_TRUE(Has(Table(c, COMPARE_METHODS), "method 00000010")) << Table(c, COMPARE_METHODS);
}

}  // namespace
