#include "tools/orca/render/cells.h"

#include <string>

#include "gtest/gtest.h"

namespace {

constexpr struct column kColumns[] = {{"", ALIGN_LEFT, false, "x", nullptr, 0, false}};

// A cell as text and as CSV.
template <typename Put>
std::string TextAndCsv(Put put, const struct column *column = kColumns) {
  struct table *t = table_new(column, 1);
  put(t);
  struct builder out = {};
  struct style style = {80, false, false};
  table_write(&out, t, &style);
  table_csv(&out, t, nullptr);
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

TEST(Cells, MayBeUnknown) {
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_count_if(t, true, 1204); }),
            "\n1,204\nx\n1204\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_count_if(t, false, 1204); }), "\n-\nx\n\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_ns_if(t, true, 1500); }), "\n1.50 µs\nx\n1500\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_ns_if(t, false, 1500); }), "\n-\nx\n\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_ticks_if(t, true, 15006); }),
            "\n1.50 µs\nx\n1501\n");
  EXPECT_EQ(TextAndCsv([](struct table *t) { cell_ticks_if(t, false, 15006); }), "\n-\nx\n\n");
}

TEST(Cells, ShowAMemberOfTheRow) {
  struct Row {
    uint64_t number;
    uint32_t hash;
    const char *name;
  };
  const Row row = {15000, 0xA1, "main"};
  auto show = [&row](void (*put)(const struct cell *), size_t offset) {
    struct column column = {"", ALIGN_LEFT, false, "x", put, offset, false};
    return TextAndCsv([&](struct table *t) { table_add(t, nullptr, &row); }, &column);
  };
  EXPECT_EQ(show(column_count, offsetof(Row, number)), "\n15,000\nx\n15000\n");
  EXPECT_EQ(show(column_ns, offsetof(Row, number)), "\n15.0 µs\nx\n15000\n");
  EXPECT_EQ(show(column_ticks, offsetof(Row, number)), "\n1.50 µs\nx\n1500\n");
  EXPECT_EQ(show(column_raw, offsetof(Row, number)), "\n\nx\n15000\n");
  EXPECT_EQ(show(column_hash, offsetof(Row, hash)), "\n000000A1\nx\n000000A1\n");
  EXPECT_EQ(show(column_text, offsetof(Row, name)), "\nmain\nx\nmain\n");
}

}  // namespace
