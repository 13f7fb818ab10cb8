#include "tests/tools/orca/html/page_of.h"

namespace {

TEST(DataLocks, LocksAreThoseOfTheModel) {
  SmallModel small;
  struct model *m = small.Read();
  Json data = DataOf(m);
  const std::vector<Json> &rows = data["locks"]["rows"].items;
  ASSERT_EQ(rows.size(), m->locks.num);
  for (size_t i = 0; i < rows.size(); i++) {
    const struct lock &lock = m->locks.rows[i];
    EXPECT_EQ(rows[i]["waited"].Integer(), lock.waited);
    EXPECT_EQ(rows[i]["blocked"].Integer(), lock.blocked / TICKS_PER_NS);
    EXPECT_EQ(rows[i]["longest"].Integer(), lock.longest_blocked / TICKS_PER_NS);
    EXPECT_EQ(rows[i]["handoff"].Integer(), lock.sort == LOCK_SEMAPHORE ? 50000000u : 0u);
    EXPECT_EQ(rows[i]["open"].Integer(), lock.open);
    EXPECT_EQ(rows[i].Has("acquired"), lock.acquired_known);
    EXPECT_EQ(rows[i].Has("held"), lock.holds > 0);
  }
  EXPECT_EQ(data["locks"]["left"].Integer(), 0u);
}

TEST(DataLocks, HasWaitersPlacesAndOwners) {
  SmallModel small;
  Json data = DataOf(small.Read());
  const Json &lock = data["locks"]["rows"].items[0];
  EXPECT_EQ(data["objects"].items[lock["object"].Integer()].text, "com.acme.Inventory@000000A1");
  EXPECT_EQ(lock["sort"].text, "monitor");
  const Json &first = lock["threads"].items[0];
  EXPECT_EQ(data["threads"].items[first.items[0].Integer()].items[0].text, "worker-1");
  EXPECT_EQ(first.items[1].Integer(), 3u);
  EXPECT_EQ(first.items[2].Integer(), 2750000000u);
  EXPECT_EQ(lock["places"].items[0].items[0].text, "Inventory.reserve (Inventory.java:42)");
  EXPECT_EQ(lock["owners"].items.size(), 2u);
  const Json &holder = lock["holderPlaces"].items[0];
  EXPECT_EQ(holder.items[0].text, "OrderService.price (OrderService.java:88)");
  EXPECT_GT(holder.items[2].Integer(), 1500000000u - 1);
}

TEST(DataLocks, ACountWithAThresholdIsALeastNumber) {
  for (bool has_threshold : {false, true}) {
    SmallModel small;
    if (has_threshold) small.files.Replace(DUMP_INFO, "engine=weave", "threshold=10ms");
    small.files.Write(DUMP_COUNTS, "109.0000000000,LockAcquired,000000B1,7\n");
    Json data = DataOf(small.Read());
    const Json &lock = data["locks"]["rows"].items.back();
    EXPECT_EQ(lock["acquired"].Integer(), 7u);
    EXPECT_EQ(lock.Has("atLeast"), has_threshold);
  }
}

TEST(DataLocks, TellsShortCallsApart) {
  SmallModel small, old;
  AddShortCalls(&small.files);
  Json data = DataOf(small.Read());
  EXPECT_EQ(data["locks"]["threshold"].text, "10ms");
  const Json &lock = data["locks"]["rows"].items[0], &semaphore = data["locks"]["rows"].items[2];
  EXPECT_EQ(lock["waited"].Integer(), 1004u);
  EXPECT_EQ(lock["shortWaits"].Integer(), 1000u);
  EXPECT_EQ(lock["longWaits"].Integer(), 4u);
  EXPECT_EQ(lock["longBlocked"].Integer(), 2875000000u);
  EXPECT_EQ(lock["p99"].Integer(), 9000000u);
  EXPECT_TRUE(lock.Has("p99AtMost"));
  EXPECT_FALSE(lock.Has("shortCalls"));
  EXPECT_EQ(semaphore["shortCalls"].Integer(), 200u);
  EXPECT_EQ(semaphore["shortCallTime"].Integer(), 200000000u);
  EXPECT_FALSE(semaphore.Has("shortWaits"));
  EXPECT_FALSE(lock.Has("waitedAtLeast"));
  EXPECT_TRUE(semaphore.Has("waitedAtLeast"));
  EXPECT_FALSE(semaphore.Has("hasOthers"));
  EXPECT_FALSE(data["locks"].Has("several"));
  Json before = DataOf(old.Read());
  EXPECT_FALSE(before["locks"].Has("threshold"));
  EXPECT_FALSE(before["locks"]["rows"].items[0].Has("p99AtMost"));
}

TEST(DataLocks, SaysThatALockMayHaveWaitedMore) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_COUNTS, "109.6000000000,MonitorContendedEnter,00000000,3,600,300,0\n");
  Json data = DataOf(small.Read());
  EXPECT_EQ(data["locks"]["several"].text, "several objects, not told apart");
  const std::vector<Json> &rows = data["locks"]["rows"].items;
  EXPECT_TRUE(rows[0].Has("waitedAtLeast"));
  EXPECT_TRUE(rows[0].Has("hasOthers"));
  EXPECT_FALSE(rows[0].Has("longestAtLeast")) << "longer than the threshold";
  EXPECT_FALSE(rows[3].Has("waitedAtLeast")) << "the row of several objects";
}

TEST(DataLocks, SaysThatAWaitMayHaveBeenLonger) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Write(DUMP_EVENTS, "");
  small.files.Append(DUMP_COUNTS, "109.6000000000,MonitorContendedEnter,00000000,3,600,300,0\n");
  Json data = DataOf(small.Read());
  const std::vector<Json> &rows = data["locks"]["rows"].items;
  EXPECT_EQ(rows[0]["longest"].Integer(), 9000000u);
  EXPECT_TRUE(rows[0].Has("longestAtLeast"));
}

TEST(DataLocks, SumsUpTheOthersOfManyThreads) {
  SmallModel small;
  std::string lines;
  for (int i = 0; i < 30; i++) {
    char line[200];
    snprintf(line, sizeof line,
             "109.1000000%03d,MonitorContendedEnter,000001%02X,000000B1,00000000,0\n", i, i);
    lines += line;
  }
  small.files.Append(DUMP_EVENTS, lines);
  Json data = DataOf(small.Read());
  const Json *lock = nullptr;  // with the most threads: the order of locks is another matter
  for (const Json &row : data["locks"]["rows"].items) {
    bool is_more = lock == nullptr || row["threads"].items.size() > (*lock)["threads"].items.size();
    if (is_more) lock = &row;
  }
  const Json &last = (*lock)["threads"].items[12];
  ASSERT_EQ((*lock)["threads"].items.size(), 13u);
  EXPECT_EQ(last.items[0].kind, Json::kNull);
  EXPECT_EQ(last.items[1].Integer(), 18u);
}

}  // namespace
