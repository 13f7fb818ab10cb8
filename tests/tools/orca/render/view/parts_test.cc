#include "tests/tools/orca/render/view/shown.h"

namespace {

void PutLetter(struct builder *b, const struct model *, uint64_t key) {
  builder_char(b, static_cast<char>('a' + key));
}

std::string Keys(std::initializer_list<uint64_t> times) {
  struct tally t = {};
  uint64_t key = 0;
  for (uint64_t time : times) tally_add(&t, 1, key++, 1, time);
  tally_sort(&t);
  struct builder b = {};
  view_put_keys(&b, nullptr, &t, 1, PutLetter);
  tally_free(&t);
  return TakeText(&b);
}

TEST(ViewKeys, ShowsTheSharesOfTheLargestThree) {
  EXPECT_EQ(Keys({}), "");
  EXPECT_EQ(Keys({7}), "a");
  EXPECT_EQ(Keys({25, 75}), "b 75 %, a 25 %");
  EXPECT_EQ(Keys({10, 20, 30, 40}), "d 40 %, c 30 %, b 20 %, 1 more");
  EXPECT_EQ(Keys({0, 0}), "a 50 %, b 50 %");  // shares of the counts
}

TEST(ViewSentence, IsAParagraphUnlessItIsEmpty) {
  struct builder b = {}, sentence = {};
  view_put_sentence(&b, &kPlain, &sentence);
  EXPECT_EQ(b.len, 0u);
  builder_string(&sentence, "Nothing waits.");
  view_put_sentence(&b, &kPlain, &sentence);
  EXPECT_EQ(sentence.data, nullptr);
  EXPECT_FALSE(b.failed);
  EXPECT_EQ(TakeText(&b), "* Nothing waits.\n");
}

// Otherwise the report would lack a finding, and the command would say that all is well.
TEST(ViewSentence, WithoutMemoryMakesThePageFail) {
  struct builder b = {}, sentence = {};
  sentence.failed = true;
  view_put_sentence(&b, &kPlain, &sentence);
  EXPECT_TRUE(b.failed);
  EXPECT_FALSE(sentence.failed);
  EXPECT_EQ(b.len, 0u);
  builder_free(&b);
}

TEST(ViewBest, WritesTheLargestAsACell) {
  static const struct column columns[] = {{"name", ALIGN_LEFT, false, "name", nullptr, 0, false}};
  struct tally tally = {};
  tally_add(&tally, 1, 3, 1, 10);
  tally_add(&tally, 1, 4, 1, 20);
  tally_sort(&tally);
  EXPECT_EQ(ShowPage([&](struct page *p) {
              struct table *t = table_new(columns, 1);
              view_put_largest(t, nullptr, &tally, 1, PutLetter);
              view_put_largest(t, nullptr, &tally, 2, PutLetter);  // has no rows
              page_table(p, "x", "X", t, 0);
            }),
            "\nX\nname\ne\n\n");
  tally_free(&tally);
}

TEST(ViewNames, NamesThreadsPlacesAndStalls) {
  SmallModel small;
  const struct model *m = small.Read();
  struct builder b = {};
  view_thread_name(&b, m, 2);
  EXPECT_EQ(TakeText(&b), "worker-1");
  view_place_name(&b, m, place(0x12, 42));
  EXPECT_EQ(TakeText(&b), "Inventory.reserve (Inventory.java:42)");
  view_place_name(&b, m, 0);
  EXPECT_EQ(TakeText(&b), "an unknown place");
  view_put_at(&b, m, place(0x12, 42));
  EXPECT_EQ(TakeText(&b), " at Inventory.reserve (Inventory.java:42)");
  struct stall stall = {};
  view_stall_object(&b, m, &stall);  // a sleep
  EXPECT_EQ(TakeText(&b), "");
  stall.num_objects = 2;
  stall.class_id = 0xC5;
  view_stall_object(&b, m, &stall);
  EXPECT_EQ(TakeText(&b), "com.acme.Inventory (2 objects)");
}

}  // namespace
