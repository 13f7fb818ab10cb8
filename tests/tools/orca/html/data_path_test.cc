#include "tests/tools/orca/html/page_of.h"

namespace {

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
