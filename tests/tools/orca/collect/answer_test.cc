#include "tools/orca/collect/answer.h"

#include "tests/tools/orca/collect/collected.h"

namespace {

TEST(Answer, SumsUpTheTests) {
  Collected c;
  c.AddBoth();
  struct builder b = {};
  answer_sum(&b, &c.all);
  EXPECT_EQ(
      TakeText(&b),
      "5 tests: 2 recorded, 1 left no recording, 1 left outputs that are not on this machine, "
      "1 did not run; 2 recordings");
  EXPECT_EQ(answer_count_tests(&c.all, COLLECTED_RECORDED), 2u);
}

TEST(Answer, NamesSomeTestsAndTheCommand) {
  Collected c;
  char recording[] = "/o/outputs.zip/run";
  struct collected_row row = {};
  row.kind = COLLECTED_HOLD;
  row.recording = recording;
  row.num_tests = 2;
  row.tests[1] = 1;
  struct builder b = {};
  answer_tests(&b, &c.all, &row);
  EXPECT_EQ(TakeText(&b), "//a:one, //b:two");
  row.num_tests = 5;
  row.tests[2] = 2;
  answer_tests(&b, &c.all, &row);
  EXPECT_EQ(TakeText(&b), "//a:one, //b:two, //c:none and 2 more");
  answer_command(&b, &row);
  EXPECT_EQ(TakeText(&b), "orca locks /o/outputs.zip/run");
  row.kind = BUDGET_DEADLOCK;
  answer_command(&b, &row);
  EXPECT_EQ(TakeText(&b), "orca deadlocks /o/outputs.zip/run");
}

TEST(Answer, HasWordsForEachState) {
  for (int state = 0; state < NUM_COLLECTED_STATES; state++) {
    EXPECT_NE(answer_state_words(static_cast<enum collected_state>(state)), nullptr);
  }
}

// --- tables ---

// Returns a table as text that is as wide as it has to be.
std::string Text(const Collected &c, size_t table, size_t top, size_t *more) {
  struct answer_context x = {"bep.json", top};
  struct builder b = {};
  struct style style = {};
  style.width = 100;
  struct table *t = answer_tables[table].make(&c.all, &x, more);
  table_write_whole(&b, t, &style);
  std::string text(b.data == nullptr ? "" : b.data, b.len);
  builder_free(&b);
  table_free(t);
  return text;
}

TEST(AnswerTables, TestsWithTheLongestBlockedTimeComeFirst) {
  Collected c;
  c.AddBoth();
  c.all.tests[1].blocked_ns++;
  size_t more;
  std::string text = Text(c, 2, 20, &more);
  EXPECT_EQ(more, 0u);
  EXPECT_LT(text.find("//b:two"), text.find("//a:one")) << text;
  EXPECT_FALSE(Has(text, "//c:none")) << text;
}

TEST(AnswerTables, MarkLeastNumbers) {
  Collected c;
  SmallModel small;
  AddWaitsOfSeveralLocks(&small.files);
  c.Add(0, "one", &small);
  collection_end(&c.all);
  size_t more;
  std::string text = Text(c, 0, 20, &more);
  EXPECT_TRUE(Has(text, "≥ 6.75 s  ≥ 1,003  ")) << text;
  EXPECT_TRUE(Has(text, " 60.0 ms       30  3.00 ms ")) << text;
}

TEST(AnswerTables, SaysWhatIsMissing) {
  Collected c;
  c.AddBoth();
  c.all.tests[0].unreadable = 2;
  c.all.tests[0].elsewhere = 1;
  size_t more;
  EXPECT_EQ(Text(c, 3, 20, &more),
            "what is missing                                                        test\n"
            "2 recordings cannot be read, outputs of 1 run are not on this machine  //a:one\n"
            "left no recording                                                      //c:none\n"
            "left outputs that are not on this machine                              //d:far\n"
            "did not run                                                            //e:idle\n");
  Text(c, 3, 1, &more);
  EXPECT_EQ(more, 3u);
}

TEST(AnswerTables, CountWhatTopLeavesOut) {
  Collected c;
  c.AddBoth();
  for (size_t i = 0; i < NUM_ANSWER_TABLES; i++) {
    size_t all, more;
    Text(c, i, 1000, &all);
    EXPECT_EQ(all, 0u) << answer_tables[i].heading;
    EXPECT_NE(Text(c, i, 1, &more), "") << answer_tables[i].heading;
  }
}

}  // namespace
