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

}  // namespace
