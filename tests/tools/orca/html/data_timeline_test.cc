#include "tests/tools/orca/html/page_of.h"

#include "tests/tools/orca/model/machine_dump.h"
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

TEST(DataProcess, HasOwnersSpellsAndPauses) {
  MachineModel small;
  Json process = DataOf(small.Read())["process"];
  EXPECT_EQ(process["owners"].items[0].items[0].text, "Java threads");
  EXPECT_EQ(process["owners"].items[0].items[1].Integer(), 1000 * kMs);
  EXPECT_EQ(process["owners"].items[1].items[1].Integer(), 2000 * kMs);
  EXPECT_EQ(Numbers(process["spells"]),
            "0 5000000000 2500000000 1500000000 300000000 5000000000 3999999999 1500000000 "
            "500000000 200000000");
  EXPECT_EQ(Numbers(process["pauses"]),
            "5600000000 400000000 6750000000 250000000 4900000000 100000000");
  EXPECT_EQ(process["pausesLeft"].Integer(), 0u);
}

TEST(DataProcess, AnOlderRecordingHasNoProcess) {
  SmallModel small;
  EXPECT_EQ(DataOf(small.Read())["process"].text, "null");
}

TEST(DataPath, IsNullIfItIsNotKnown) {
  SmallModel small;  // the thread main does not end
  EXPECT_EQ(DataOf(small.Read())["path"].text, "null");
}

// main joins worker-1, which sleeps.
TEST(DataPath, HasTheStretchesOfTheRun) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.0000000000,ThreadStarted,00000001,main\n"
                    "100.0000000000,ThreadStarted,00000002,worker-1\n"
                    "100.0000000000,ThreadSleep,00000001,1;00000003;FFFFFFFF\n"
                    "101.0000010000,ThreadSleep,00000002,1;00000003;FFFFFFFF\n"
                    "104.0000000000,ThreadSlept,00000001,1;00000003;FFFFFFFF\n"
                    "104.0000020000,ThreadJoin,00000001,00000002,1;00000004;00000000\n"
                    "109.5000000000,ThreadSlept,00000002,1;00000003;FFFFFFFF\n"
                    "109.5000010000,ThreadEnded,00000002\n"
                    "109.5000020000,ThreadJoined,00000001,00000002,1;00000004;00000000\n"
                    "109.5000030000,ThreadEnded,00000001\n");
  small.files.Write(DUMP_SAMPLES, "");
  Json data = DataOf(small.Read());
  const Json &path = data["path"];
  ASSERT_NE(path.text, "null");
  EXPECT_NEAR(double(path["work"].Integer()), 9.5e9, 1e7);
  const auto &numbers = path["stretches"].items;
  ASSERT_EQ(numbers.size() % 6, 0u);
  ASSERT_GE(numbers.size(), 6u);
  uint64_t total = 0;
  for (size_t i = 0; i < numbers.size(); i += 6) total += numbers[i + 1].Integer();
  EXPECT_NEAR(double(total), 9.5e9, 1e7);
  // It stays with worker-1, which did nothing that has events before it slept.
  ASSERT_GE(numbers.size(), 12u);
  EXPECT_EQ(path["reasons"].items[numbers[3].Integer()].text, "is off CPU (I/O or the like)");
  EXPECT_EQ(path["reasons"].items[numbers[9].Integer()].text, "sleeps");
}

}  // namespace
