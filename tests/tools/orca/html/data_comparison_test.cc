// The comparison of two recordings on a page says the same as orca diff.
#include "tools/orca/html/data.h"

#include "tests/tools/orca/html/page_of.h"
#include "tools/orca/model/stack_diff.h"
#include "tools/orca/render/view/diff.h"

namespace {

constexpr size_t kFields = 2 + 3 * NUM_PROFILE_VALUES;  // of a node

class DataComparison : public testing::Test {
 protected:
  Json Read() { return ReadPageJson(PageOfBoth(runs_.Compare()), "comparison"); }

  TwoRuns runs_{{}, {.seconds = 20, .price_ms = 80, .blocked_ms = 40}};
};

TEST_F(DataComparison, HasTheWordsAndTablesOfOrcaDiff) {
  const struct comparison *c = runs_.Compare();
  Json both = ReadPageJson(PageOfBoth(c), "comparison");
  struct page page;
  page_start(&page, -1, FORMAT_JSON, true);
  view_diff(&page, c, SIZE_MAX);
  json_end_object(&page.json);
  Json diff = ReadJson(TakeText(&page.out));
  for (const char *list : {"verdicts", "not_comparable", "totals", "methods", "locks", "waits"}) {
    ASSERT_EQ(both[list].items.size(), diff[list].items.size()) << list;
    for (size_t i = 0; i < diff[list].items.size(); i++) {
      EXPECT_EQ(both[list].items[i].text, diff[list].items[i].text);
      for (const auto &[key, value] : diff[list].items[i].members)
        EXPECT_EQ(both[list].items[i][key].text, value.text) << list << " " << key;
    }
  }
  EXPECT_NE(both["verdicts"].items[0].text.find("B ran for 20.0 s"), std::string::npos);
  EXPECT_NE(both["verdicts"].items[1].text.find("B uses 0.30 CPUs more than A"), std::string::npos);
  EXPECT_EQ(Numbers(both["lengths"]), "10000000000 20000000000");
}

TEST_F(DataComparison, HasTheStacksOfBothRuns) {
  const struct comparison *c = runs_.Compare();
  Json stacks = ReadPageJson(PageOfBoth(c), "comparison")["stacks"];
  struct stack_diff d;
  ASSERT_TRUE(stack_diff_read(&d, c->runs[0], c->runs[1], 1000));
  const std::vector<Json> &nodes = stacks["nodes"].items;
  ASSERT_EQ(nodes.size(), d.num * kFields);
  for (size_t i = 0; i < d.num; i++) {
    EXPECT_EQ(nodes[i * kFields].Integer(), d.nodes[i].parent);
    for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
      const Json *of = &nodes[i * kFields + 2 + 3 * value];
      EXPECT_EQ(of[0].Integer(), d.nodes[i].costs[value][0].time / TICKS_PER_NS);
      EXPECT_EQ(of[1].Integer(), d.nodes[i].costs[value][1].time / TICKS_PER_NS);
      EXPECT_EQ(of[2].Integer() % 5,
                stack_diff_judge(&d, i, (enum profile_value)value, STACK_DIFF_LENGTH));
      EXPECT_EQ(of[2].Integer() / 5,
                stack_diff_judge(&d, i, (enum profile_value)value, STACK_DIFF_TOTAL));
    }
  }
  EXPECT_EQ(stacks["methods"].items[nodes[kFields + 1].Integer()].items[0].text,
            "OrderService.run");
  EXPECT_EQ(stacks["left"].text, "false");
  stack_diff_free(&d);
}

TEST_F(DataComparison, ThePageHasTheDataOfBoth) {
  Json data = ReadPageJson(PageOfBoth(runs_.Compare()), "data");
  ASSERT_EQ(data.items.size(), 2u);
  EXPECT_EQ(data.items[0]["cpu"].Integer(), 7000000000u);
  EXPECT_EQ(data.items[1]["cpu"].Integer(), 20000000000u);
}

TEST_F(DataComparison, APageOfOneRecordingHasNone) {
  SmallModel small;
  EXPECT_EQ(ReadPageJson(PageOf(small.Read()), "comparison").kind, Json::kNull);
}

TEST_F(DataComparison, NamesCannotEndTheData) {
  runs_.A().Replace(DUMP_METHODS, ",reserve,", ",</script><!--,");
  runs_.B().Replace(DUMP_CLASSES, "com/acme/Inventory", "com/acme/<img src=x>");
  Json both = Read();
  EXPECT_NE(both["locks"].items[0]["lock"].text.find("<img"), std::string::npos);
}

// More frames than a page shows: those with little time are left out, and callers never are.
TEST_F(DataComparison, KeepsTheFramesWithTheMostTime) {
  std::string methods, samples;
  const int num = 21000;
  for (int i = 0; i < num; i++) {
    char line[200];
    snprintf(line, sizeof line, "100.0000000000,%08X,m%d,()V,000000C4,1;00000000;00000001\n",
             0x1000 + i, i);
    methods += line;
    snprintf(line, sizeof line,
             "119.9950000000,Stack,%d,2;%08X;00000000;00000011;00000000\n"
             "119.9950000000,Sample,00000002,Runnable,%d,%d\n",
             10 + i, 0x1000 + i, 1000 + i, 10 + i);
    samples += line;
  }
  runs_.B().Append(DUMP_METHODS, methods);
  runs_.B().Append(DUMP_SAMPLES, "119.9950000000,Tick,201,1000,2\n" + samples);
  Json stacks = Read()["stacks"];
  EXPECT_EQ(stacks["left"].text, "true");
  const std::vector<Json> &nodes = stacks["nodes"].items;
  EXPECT_EQ(nodes.size() / kFields, 20000u);
  for (size_t i = 1; i < nodes.size() / kFields; i++) EXPECT_LT(nodes[i * kFields].Integer(), i);
  EXPECT_EQ(stacks["methods"].items.back().items[0].text, "OrderService.m20999");
}

}  // namespace
