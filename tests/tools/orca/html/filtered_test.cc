// A page with a filter: each part of its data contains only what matches.
#include <set>
#include <string>

#include "tests/tools/orca/html/page_of.h"
#include "tools/orca/html/gather.h"

namespace {

// worker-1 from 1.25 s to 9 s. In this time it is blocked three times and sleeps. The first block
// begins before this time, and the last one ends after it.
class Filtered : public testing::Test {
 protected:
  struct model *Read() {
    return small_.Read(&filter_);
  }
  std::string Thread(const Json &data, const Json &index) {
    return data["threads"].items.at(index.Integer()).items[0].text;
  }

  SmallModel small_;
  struct filter filter_ = {{{"worker-1"}, 1},           {},           {}, {},
                           101 * kSecond + kSecond / 4, 109 * kSecond};
};

TEST_F(Filtered, GathersOnlyMatchingPairs) {
  struct gathered g;
  ASSERT_TRUE(gather(&g, Read(), 1));
  EXPECT_EQ(g.timeline.num, 1u);
  EXPECT_EQ(g.lengths.num, 3u);
  EXPECT_EQ(g.log.events, 8u);
  ASSERT_EQ(g.arrows.num, 2u);
  EXPECT_EQ(g.arrows.rows[0].end - g.arrows.rows[0].begin, kSecond);
  EXPECT_EQ(g.arrows.rows[1].end - g.arrows.rows[1].begin, kSecond / 4);
  ASSERT_EQ(g.blockers.num, 1u);
  EXPECT_EQ(g.blockers.rows[0].total, kSecond * 5 / 4);
  ticks_t waited = 0;
  for (size_t i = 0; i < g.waits.num; i++) waited += g.waits.rows[i].end - g.waits.rows[i].begin;
  EXPECT_EQ(waited, kSecond * 3 / 2);
  EXPECT_EQ(waited, g.model->locks.blocked);
  gathered_free(&g);
}

TEST_F(Filtered, TheLogKeepsToTheTimeButHasFullDurations) {
  Json data = DataOf(Read());
  const std::vector<Json> &rows = data["log"]["rows"].items;
  std::string text;
  for (size_t i = 0; i < rows.size(); i += 7) {
    EXPECT_EQ(Thread(data, rows[i + 1]), "worker-1");
    text +=
        data["events"].items[rows[i + 2].Integer()].items[0].text + " " + rows[i + 6].text + "\n";
  }
  EXPECT_EQ(text,
            "MonitorContendedEntered 500000000\nMonitorContendedEnter 250000000\n"
            "MonitorContendedEntered 250000000\nObjectNotifyAll -1\nThreadSleep 500000000\n"
            "ThreadSlept 500000000\nSemaphoreRelease -1\nMonitorContendedEnter 2000000000\n");
  EXPECT_EQ(data["log"]["events"].Integer(), 8u);
  EXPECT_EQ(data["log"]["whole"].text, "true");
  EXPECT_EQ(rows[0].Integer(), 250000000u);  // since the start of the filter's time
}

TEST_F(Filtered, OtherThreadsHaveNamesButNoRows) {
  Json data = DataOf(Read());
  EXPECT_EQ(data["asked"].Integer(), 1u);
  EXPECT_EQ(data["threads"].items.size(), 4u);
  ASSERT_EQ(data["timeline"]["rows"].items.size(), 1u);
  uint64_t sum = 0;
  for (const Json &ns : data["timeline"]["rows"].items[0]["sums"].items) sum += ns.Integer();
  EXPECT_EQ(sum, 7750000000u);
  EXPECT_EQ(data["length"].Integer(), 7750000000u);
  EXPECT_EQ(Thread(data, data["timeline"]["arrows"].items[1]), "worker-2");
}

TEST_F(Filtered, ADeadlockIsShownCompletely) {
  Json data = DataOf(Read());
  EXPECT_EQ(data["graph"]["openAll"].Integer(), 2u);
  std::set<std::string> names;
  for (const Json &wait : data["graph"]["open"].items) names.insert(Thread(data, wait["thread"]));
  EXPECT_EQ(names, (std::set<std::string>{"worker-1", "worker-2"}));
  EXPECT_EQ(data["graph"]["run"].items.size(), 4u);
}

TEST_F(Filtered, FiltersByLock) {
  filter_ = {{}, {{"Object"}, 1}, {}, {}, 0, FILTER_NO_END};
  Json data = DataOf(Read());
  EXPECT_EQ(data["log"]["events"].Integer(),
            4u);  // main's wait, its notification, worker-2's block
  EXPECT_EQ(data["timeline"]["arrows"].items.size(), 6u);
  EXPECT_EQ(data["locks"]["rows"].items.size(), 1u);
  EXPECT_EQ(data["cpu"].Integer(), 0u);
}

TEST_F(Filtered, ThePageShowsTheFilter) {
  Json data = DataOf(Read());
  std::string shown;
  for (const Json &fact : data["facts"].items) {
    if (fact.items[0].text == "Shown") shown = fact.items[1].text;
  }
  EXPECT_EQ(shown, "8 of 22 events, 3 of 7 samples match --thread worker-1, from 1.25 s to 9.00 s");
}

}  // namespace
