#include "tools/orca/render/cells.h"

#include <string>

#include "gtest/gtest.h"

namespace {

constexpr struct column kColumns[] = {{"", ALIGN_LEFT, false, "x"}};

// A cell as text and as CSV.
template <typename Put>
std::string TextAndCsv(Put put) {
  struct table *t = table_new(kColumns, 1);
  put(t);
  struct builder out = {};
  struct style style = {80, false};
  table_write(&out, t, &style);
  table_csv(&out, t);
  std::string text(out.data, out.len);
  builder_free(&out);
  table_free(t);
  return text;
}

TEST(Cells, HaveATextAndAValue) {
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_count(t, 1204); }), "\n1,204\nx\n1204\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_ns(t, 1500); }), "\n1.50 µs\nx\n1500\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_ticks(t, 15006); }), "\n1.50 µs\nx\n1501\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_share(t, 1, 4); }), "\n25 %\nx\n\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_hash(t, 0xA1); }), "\n000000A1\nx\n000000A1\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_text(t, "main"); }), "\nmain\nx\nmain\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_raw(t, 7); }), "\n\nx\n7\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_unknown(t); }), "\n-\nx\n\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_empty(t); }), "\n\nx\n\n");
}

}  // namespace
