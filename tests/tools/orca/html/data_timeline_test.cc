#include "tests/tools/orca/html/page_of.h"
#include "tools/orca/model/replay/timeline.h"

namespace {

TEST(DataTimeline, HasTheSpansOfAThread) {
  SmallModel small;
  Json data = DataOf(small.Read());
  const Json &row = data["timeline"]["rows"].items[0];  // worker-1 used the most CPU time
  EXPECT_EQ(row["thread"].text, "0");
  const std::vector<Json> &spans = row["spans"].items;
  ASSERT_EQ(spans.size(), 4u * 8);
  EXPECT_EQ(spans[0].Integer(), 100000000u);  // worker-1 began 0.1 s after the start
  EXPECT_EQ(spans[1].Integer(), 900000000u);
  EXPECT_EQ(spans[2].Integer(), unsigned{ACTIVITY_NO_CALL});
  EXPECT_EQ(spans[4].Integer(), 0u);  // no gap
  EXPECT_EQ(spans[5].Integer(), 500000000u);
  EXPECT_EQ(spans[6].Integer(), unsigned{ACTIVITY_BLOCKED});
  size_t detail = spans[7].Integer();
  const std::vector<Json> &calls = data["timeline"]["calls"].items;
  EXPECT_EQ(data["events"].items[calls[4 * (detail - 1)].Integer()].items[0].text,
            "MonitorContendedEnter");
  EXPECT_EQ(Stack(data, calls[4 * (detail - 1) + 3].Integer()),
            "Inventory.reserve:42 < OrderService.run:20");
  uint64_t sum = 0;
  for (const Json &ns : row["sums"].items) sum += ns.Integer();
  EXPECT_EQ(sum, 9900000000u);
}

TEST(DataTimeline, ArrowsAreSortedLongestFirst) {
  SmallModel small;
  Json data = DataOf(small.Read());
  const std::vector<Json> &arrows = data["timeline"]["arrows"].items;
  ASSERT_EQ(arrows.size(), 4u * 6);
  EXPECT_EQ(data["threads"].items[arrows[0].Integer()].items[0].text, "worker-1");
  EXPECT_EQ(data["threads"].items[arrows[1].Integer()].items[0].text, "worker-2");
  EXPECT_EQ(arrows[2].Integer(), 8000000000u);
  EXPECT_EQ(arrows[3].Integer(), 2000000000u);
  EXPECT_EQ(data["timeline"]["arrowsLeft"].Integer(), 0u);
}

}  // namespace
