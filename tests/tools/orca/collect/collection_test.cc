#include "tools/orca/collect/collection.h"

#include "tests/tools/orca/collect/collected.h"

namespace {

const struct collected_row *Find(const Collected &c, int kind, const std::string &key) {
  size_t num;
  const struct collected_row *rows = collection_of(&c.all, kind, &num);
  for (size_t i = 0; i < num; i++) {
    if (rows[i].key == key) return &rows[i];
  }
  ADD_FAILURE() << key << (num > 0 ? rows[0].key : "");
  static const struct collected_row none = {};
  return &none;
}

TEST(Collection, LocksOfAllTestsAddUp) {
  Collected c;
  c.AddBoth();
  EXPECT_EQ(c.all.recordings, 2u);
  const struct collected_row *row =
      Find(c, COLLECTED_LOCK, "com.acme.Inventory at com.acme.Inventory.reserve");
  EXPECT_EQ(row->number, 6u) << "in each: 500 ms, 250 ms, and 2 s that never ended";
  EXPECT_EQ(row->total_ns, 5500000000u);
  EXPECT_EQ(row->longest_ns, 2000000000u);
  EXPECT_EQ(row->num_tests, 2u);
  EXPECT_EQ(row->tests[0], 0u);
  EXPECT_EQ(row->tests[1], 1u);
  EXPECT_EQ(row->worst_test, 0u);
  EXPECT_STREQ(row->recording, "/out/one.zip/run");
  EXPECT_EQ(c.Keys(COLLECTED_LOCK)[0], row->key) << "the longest blocked time comes first";
}

// Of 30 waits it is not known of which lock they are.
TEST(Collection, WaitsOfSeveralLocksAreARowOfTheirOwn) {
  Collected c;
  SmallModel small;
  AddWaitsOfSeveralLocks(&small.files);
  c.Add(0, "one", &small);
  collection_end(&c.all);
  const struct collected_row *several = Find(c, COLLECTED_LOCK, "several objects, not told apart");
  EXPECT_EQ(several->number, 30u);
  EXPECT_EQ(several->total_ns, 60000000u);
  EXPECT_EQ(several->longest_ns, 3000000u);
  EXPECT_FALSE(several->is_least);
  EXPECT_TRUE(
      Find(c, COLLECTED_LOCK, "com.acme.Inventory at com.acme.Inventory.reserve")->is_least);
  EXPECT_EQ(c.all.tests[0].waits, 1035u);
}

// Monitors stay exact if only waits of other locks lost their object. Short calls of a semaphore
// may have waited.
TEST(Collection, OnlyLocksThatMayLackWaitsAreTheLeast) {
  Collected c;
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_COUNTS, "109.6000000000,LockAcquire,00000000,30,60000000,3000000,0\n");
  c.Add(0, "one", &small);
  collection_end(&c.all);
  EXPECT_FALSE(
      Find(c, COLLECTED_LOCK, "com.acme.Inventory at com.acme.Inventory.reserve")->is_least);
  Collected permits;
  SmallModel returned;  // by the thread that had the permit, so the semaphore is a lock
  AddShortCalls(&returned.files);
  returned.files.Replace(DUMP_EVENTS, "106.7000000000,SemaphoreRelease,00000002",
                         "106.8000000000,SemaphoreRelease,00000003");
  std::string events = returned.files.Text(DUMP_EVENTS);
  size_t release = events.find("106.8000000000,SemaphoreRelease"),
         acquired = events.find("106.7500000000,SemaphoreAcquired"),
         end = events.find('\n', acquired) + 1;
  returned.files.Write(DUMP_EVENTS,
                       events.substr(0, release) + events.substr(acquired, end - acquired) +
                           events.substr(release, acquired - release) + events.substr(end));
  permits.Add(0, "one", &returned);
  collection_end(&permits.all);
  EXPECT_TRUE(
      Find(permits, COLLECTED_LOCK, "java.util.concurrent.Semaphore at com.acme.OrderService.price")
          ->is_least);
}

TEST(Collection, TheWorstRecordingIsNamed) {
  Collected c;
  SmallModel one, two;
  two.files.Replace(DUMP_EVENTS, "101.0000000000,MonitorContendedEnter,00000002,000000A1,00000003",
                    "100.5000000000,MonitorContendedEnter,00000002,000000A1,00000003");
  two.files.Replace(DUMP_INFO, "end.monotonic=110", "end.monotonic=112");
  c.Add(0, "one", &one);
  c.Add(1, "two", &two);
  collection_end(&c.all);
  const struct collected_row *row =
      Find(c, COLLECTED_LOCK, "com.acme.Inventory at com.acme.Inventory.reserve");
  EXPECT_EQ(row->longest_ns, 4000000000u);
  EXPECT_STREQ(row->recording, "two");
  EXPECT_EQ(row->worst_test, 1u);
}

TEST(Collection, ADeadlockIsOneRowWithItsTests) {
  Collected c;
  SmallModel again;
  c.Add(0, "/out/zero", &again);
  c.AddBoth();
  ASSERT_EQ(c.Keys(BUDGET_DEADLOCK).size(), 1u);
  const struct collected_row *row = Find(c, BUDGET_DEADLOCK, c.Keys(BUDGET_DEADLOCK)[0]);
  EXPECT_EQ(row->number, 3u);
  EXPECT_EQ(row->num_tests, 2u);
  EXPECT_STREQ(row->recording, "/out/zero") << "the first one";
  EXPECT_TRUE(Has(row->text, "worker-1")) << row->text;
  EXPECT_EQ(c.all.tests[0].recordings, 2u);
}

// worker-1 holds A1 and sleeps in reserve for so many ms, while worker-2 waits for A1.
void WriteSleep(SmallModel *small, int ms) {
  const std::string end = "101." + std::to_string(100 + ms) + "0000000";
  small->files.Write(DUMP_EVENTS,
                     "100.0000000000,ThreadStarted,00000002,worker-1\n"
                     "100.0000000000,ThreadStarted,00000003,worker-2\n"
                     "101.0000000000,ThreadSleep,00000002,2;00000003;FFFFFFFF;00000012;00000000\n"
                     "101.1000000000,MonitorContendedEnter,00000003,000000A1,00000002,"
                     "1;00000010;00000000\n" +
                         end + ",ThreadSlept,00000002,2;00000003;FFFFFFFF;00000012;00000000\n" +
                         end + ",MonitorContendedEntered,00000003,000000A1,1;00000010;00000000\n");
}

TEST(Collection, TheWorstSleepIsNamed) {
  Collected c;
  SmallModel one, two, three;
  WriteSleep(&one, 200);
  WriteSleep(&two, 300);
  WriteSleep(&three, 100);
  c.Add(0, "one", &one);
  c.Add(1, "two", &two);
  c.Add(1, "three", &three);
  collection_end(&c.all);
  const struct collected_row *row =
      Find(c, BUDGET_SLEEP, "com.acme.Inventory at com.acme.Inventory.reserve");
  EXPECT_EQ(row->number, 3u);
  EXPECT_EQ(row->total_ns, 600000000u);
  EXPECT_EQ(row->longest_ns, 300000000u);
  EXPECT_STREQ(row->recording, "two");
  EXPECT_EQ(row->worst_test, 1u);
  EXPECT_TRUE(Has(row->text, "while others waited for 300 ms")) << row->text;
}

TEST(Collection, KeepsSomeTestsOfARowAndCountsAll) {
  std::string text;
  for (int i = 100; i < 100 + 2 * COLLECTED_TESTS; i++) {
    text += ResultEvent("//a:t" + std::to_string(i), "");
  }
  Events events(text);
  struct collection all = {};
  ASSERT_TRUE(collection_start(&all, &events.build));
  SmallModel small;
  struct model *m = small.Read();
  for (size_t i = 0; i < events.build.num; i++) EXPECT_TRUE(collection_add(&all, i, "x", m));
  collection_end(&all);
  size_t num;
  const struct collected_row *row = collection_of(&all, BUDGET_DEADLOCK, &num);
  ASSERT_EQ(num, 1u);
  EXPECT_EQ(row->num_tests, 2u * COLLECTED_TESTS);
  EXPECT_EQ(row->tests[COLLECTED_TESTS - 1], COLLECTED_TESTS - 1u);
  collection_free(&all);
}

TEST(Collection, HasNoRowsWithoutRecordings) {
  Collected c;
  collection_end(&c.all);
  for (int kind : {static_cast<int>(COLLECTED_LOCK), static_cast<int>(BUDGET_DEADLOCK)}) {
    size_t num = 1;
    EXPECT_EQ(collection_of(&c.all, kind, &num), nullptr);
    EXPECT_EQ(num, 0u);
  }
}

TEST(Collection, CountsLostEventsAndOptions) {
  Collected c;
  SmallModel one, two;
  one.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=3");
  two.files.Replace(DUMP_INFO, "engine=weave", "engine=weave,locks=all");
  c.Add(0, "one", &one);
  c.Add(1, "two", &two);
  collection_end(&c.all);
  EXPECT_EQ(c.all.lost, 3u);
  EXPECT_EQ(c.all.tests[0].lost, 3u);
  EXPECT_EQ(c.all.tests[1].lost, 0u);
  EXPECT_EQ(c.Keys(COLLECTED_OPTIONS), Strings({"events=all", "events=all,locks=all"}));
  const std::string both =
      "order: lock orders need the options monitors=all,filter=YOUR.CLASSES.* and locks=all";
  const std::string monitors =
      "order: orders of monitors need the options monitors=all,filter=YOUR.CLASSES.*";
  EXPECT_EQ(Find(c, COLLECTED_UNPROVEN, both)->number, 1u);
  EXPECT_EQ(Find(c, COLLECTED_UNPROVEN, monitors)->number, 1u);
  EXPECT_EQ(c.Keys(COLLECTED_UNPROVEN).size(), 5u) << "value, sleep and io, too";
}

TEST(Collection, CriticalSectionsAreKnownWithAllUsesOfMonitors) {
  Collected c;
  SmallModel all, contended;
  all.files.Replace(DUMP_INFO, "engine=weave", "engine=weave,monitors=all");
  all.files.Replace(DUMP_EVENTS, "104.0000000000,ObjectWait",
                    "103.2000000000,MonitorEntered,00000003,000000A2,1;00000010;00000000\n"
                    "103.4000000000,MonitorExit,00000003,000000A2,1;00000010;00000000\n"
                    "103.5000000000,MonitorEntered,00000003,000000A2,1;00000010;00000000\n"
                    "103.6000000000,MonitorExit,00000003,000000A2,1;00000010;00000000\n"
                    "104.0000000000,ObjectWait");
  c.Add(0, "all", &all);
  c.Add(1, "contended", &contended);
  collection_end(&c.all);
  const struct collected_row *row =
      Find(c, COLLECTED_HOLD, "java.lang.Object at com.acme.OrderService.price");
  EXPECT_EQ(row->number, 2u);
  EXPECT_EQ(row->longest_ns, 200000000u);
  EXPECT_EQ(row->total_ns, 300000000u);
  EXPECT_EQ(row->num_tests, 1u);
}

TEST(Collection, KnowsWhatBecameOfEachTest) {
  Collected c;
  c.all.tests[1].unreadable = 1;
  EXPECT_EQ(collected_state(&c.all, 0), COLLECTED_NONE);
  EXPECT_EQ(collected_state(&c.all, 1), COLLECTED_UNREADABLE);
  EXPECT_EQ(collected_state(&c.all, 3), COLLECTED_ELSEWHERE);
  EXPECT_EQ(collected_state(&c.all, 4), COLLECTED_NOT_RUN);
  c.AddBoth();
  EXPECT_EQ(collected_state(&c.all, 1), COLLECTED_RECORDED);
}

}  // namespace
