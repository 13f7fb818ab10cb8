#include "tests/tools/orca/html/page_of.h"

namespace {

TEST(DataLog, HasEveryEventOfASmallDump) {
  SmallModel small;
  Json data = DataOf(small.Read());
  const std::vector<Json> &rows = data["log"]["rows"].items;
  ASSERT_EQ(rows.size(), 22u * 7);
  std::string text;
  long long at = 0;
  for (size_t i = 0; i < 6 * 7; i += 7) {
    at += strtoll(rows[i].text.c_str(), nullptr, 10);
    text += std::to_string(at / 1000000) + " " +
            data["events"].items[rows[i + 2].Integer()].items[0].text + " " + rows[i + 6].text +
            "\n";
  }
  EXPECT_EQ(text,
            "0 ThreadStarted -1\n100 ThreadStarted -1\n100 ThreadStarted -1\n"
            "200 ThreadStarted -1\n1000 MonitorContendedEnter 500000000\n"
            "1500 MonitorContendedEntered 500000000\n");
  EXPECT_EQ(data["log"]["whole"].text, "true");
  EXPECT_EQ(data["log"]["events"].Integer(), 22u);
}

TEST(DataLog, HasTheLongPairsOfALargeDump) {
  SmallModel small;
  std::string lines;
  for (int i = 0; i < 50000; i++) {
    char line[300];
    snprintf(line, sizeof line,
             "109.%05d00000,ThreadSleep,00000004,1;00000003;FFFFFFFF\n"
             "109.%05d%05d,ThreadSlept,00000004,1;00000003;FFFFFFFF\n",
             i, i, 1 + i % 1000);
    lines += line;
  }
  small.files.Replace(DUMP_EVENTS, "109.0000000000,ThreadEnded,00000004\n", lines);
  Json data = DataOf(small.Read());
  size_t rows = data["log"]["rows"].items.size() / 7;
  EXPECT_EQ(data["log"]["whole"].text, "false");
  EXPECT_LE(rows, 60000u);
  EXPECT_GT(rows, 30000u);
  EXPECT_GT(data["log"]["least"].Integer(), 50u);
}

}  // namespace
