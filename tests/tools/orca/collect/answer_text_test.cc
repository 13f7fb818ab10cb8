#include "tests/tools/orca/collect/collected.h"

namespace {

TEST(AnswerText, SaysWhatAllRecordingsHave) {
  Collected c;
  c.AddBoth();
  std::string text = c.Write(answer_text);
  EXPECT_EQ(text.find("Build     bep.json\nTests     5 tests: 2 recorded, "), 0u) << text;
  EXPECT_TRUE(Has(text, "\nLost      nothing\n")) << text;
  EXPECT_TRUE(Has(text, "\ndeadlock: ")) << text;
  EXPECT_TRUE(Has(text, "\n  in 2 recordings of //a:one, //b:two\n")) << text;
  EXPECT_TRUE(Has(text, "\n  more: orca deadlocks /out/one.zip/run\n")) << text;
  EXPECT_TRUE(Has(
      text, "\n 5.50 s      6   2.00 s      2  com.acme.Inventory at com.acme.Inventory.reserve  "))
      << text;
  EXPECT_TRUE(Has(text, "\nleft no recording ")) << text;
  EXPECT_TRUE(Has(text, "  //d:far\n")) << text;
  EXPECT_TRUE(Has(text, "\nNot known, as these recordings do not contain it\n  in 2 recordings: "))
      << text;
  EXPECT_TRUE(Has(text, "\n  in 2 recordings: order: lock orders need")) << text;
}

TEST(AnswerText, SaysThatTheBuildWasInterrupted) {
  Collected c("");
  collection_end(&c.all);
  EXPECT_TRUE(Has(c.Write(answer_text), "bep.json, which has no end: the build was interrupted\n"));
}

TEST(AnswerText, TopLimitsTheRows) {
  Collected c;
  c.AddBoth();
  EXPECT_TRUE(Has(c.Write(answer_text, 1), "    and 1 more\n")) << c.Write(answer_text, 1);
}

TEST(AnswerText, AnEmptyBuildHasNoTables) {
  Events events(LastEvent());
  struct collection all = {};
  ASSERT_TRUE(collection_start(&all, &events.build));
  collection_end(&all);
  struct builder b = {};
  struct answer_context x = {"a\x1b[1m", 20};
  answer_text(&b, &all, &x);
  EXPECT_EQ(std::string(b.data, b.len),
            "Build     a\xef\xbf\xbd[1m\nTests     0 tests: 0 recorded; 0 recordings\n");
  builder_free(&b);
  collection_free(&all);
}

}  // namespace
