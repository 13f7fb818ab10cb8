#include "agent/writer/change.h"

#include <stdlib.h>

#include <string>

#include "gtest/gtest.h"

namespace {

struct options Parse(const std::string &text) {
  struct options o;
  char error[1000] = "";
  EXPECT_TRUE(options_parse(text.c_str(), &o, error, sizeof error)) << error;
  return o;
}

TEST(Change, HasARowForEachOptionThatDiffers) {
  struct options before = Parse("x,threshold=5ms,depth=7");
  struct options after =
      Parse("x,threshold=1ms,depth=7,interval=5ms,trigger=cpu>9%:budget=2%;for=1s");
  struct change *c = change_new(&before, &after, "set");
  ASSERT_NE(c, nullptr);
  c->begin_ns = 1500000000;
  c->end_ns = 1700000000;
  EXPECT_TRUE(change_has(c, OPTION_threshold));
  EXPECT_FALSE(change_has(c, OPTION_depth));
  struct builder rows = {};
  change_put_rows(c, &rows, 2000000000);
  EXPECT_EQ(std::string(rows.data, rows.len),
            "change=1.5000000000,1.7000000000,set,interval=5ms\n"
            "change=1.5000000000,2.0000000000,set,threshold=1ms\n"
            "change=1.5000000000,2.0000000000,set,trigger=cpu>9%:budget=2%;for=1s\n");
  builder_free(&rows);
  free(c);
}

TEST(Change, IsNoneWithoutADifference) {
  struct options same = Parse("x,threshold=5ms");
  EXPECT_EQ(change_new(&same, &same, "set"), nullptr);
}

}  // namespace
