#include "tests/tools/orca/html/page_of.h"
#include "tests/tools/orca/model/machine_dump.h"

namespace {

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

}  // namespace
