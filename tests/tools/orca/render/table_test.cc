#include "tools/orca/render/table.h"

#include <cstddef>
#include <string>

#include "gtest/gtest.h"
#include "tools/orca/render/cells.h"

namespace {

constexpr struct column kColumns[] = {{"lock", ALIGN_LEFT, true, "lock", nullptr, 0, false},
                                      {"times", ALIGN_RIGHT, false, "times", nullptr, 0, false},
                                      {"place", ALIGN_LEFT, true, "place", nullptr, 0, false}};

class Table : public testing::Test {
 protected:
  Table() : table_(table_new(kColumns, 3)) {}
  ~Table() override { table_free(table_); }

  void AddRow(const char *a, const char *b, const char *c) {
    for (const char *cell : {a, b, c}) {
      builder_string(table_text(table_), cell);
      table_next(table_);
    }
  }
  std::string Written(size_t width = 100) {
    struct style style = {width, false, false};
    struct builder b = {};
    table_write(&b, table_, &style);
    std::string text(b.data, b.len);
    builder_free(&b);
    return text;
  }

  struct table *table_;
};

TEST_F(Table, AlignsColumnsWithoutTrailingSpaces) {
  AddRow("Cart", "1,204", "Cart.java:1");
  AddRow("注文", "7", "");
  EXPECT_EQ(Written(),
            "lock  times  place\n"
            "Cart  1,204  Cart.java:1\n"
            "注文      7\n");
  EXPECT_EQ(table_rows(table_), 2u);
}

TEST_F(Table, WritesTitlesWithoutRows) { EXPECT_EQ(Written(), "lock  times  place\n"); }

TEST_F(Table, WritesWholeNamesInWideRows) {
  struct style narrow = {20, false, false};
  struct builder b = {};
  AddRow("com.acme.orders.Inventory", "1", "Inventory.java:42");
  builder_string(table_text(table_), "held by worker-3, who is slow");
  table_note(table_);
  table_write_whole(&b, table_, &narrow);
  EXPECT_EQ(std::string(b.data, b.len),
            "lock                       times  place\n"
            "com.acme.orders.Inventory      1  Inventory.java:42\n"
            "    held by\n"
            "    worker-3, who is\n"
            "    slow\n");
  builder_free(&b);
}

TEST_F(Table, NotesFollowTheirRow) {
  AddRow("Cart", "1", "x");
  builder_string(table_text(table_), "held by worker-3, who is slow");
  table_note(table_);
  AddRow("Dock", "2", "y");
  EXPECT_EQ(Written(20),
            "lock  times  place\n"
            "Cart      1  x\n"
            "    held by\n"
            "    worker-3, who is\n"
            "    slow\n"
            "Dock      2  y\n");
}

TEST_F(Table, HeadsPrecedeTheirRow) {
  builder_string(table_text(table_), "com.acme.warehouse.Inventory@0A1B2C3D");
  table_head(table_);
  AddRow("monitor", "1", "x");
  EXPECT_EQ(Written(20),
            "lock     times  place\n"
            "com.a…ntory@0A1B2C3D\n"
            "monitor      1  x\n");
}

TEST_F(Table, TheWidestColumnShrinksFirst) {
  AddRow("com.acme.warehouse.InventoryOfTheFirstFloor@0A1B2C3D", "12", "Inventory.java:88");
  std::string text = Written(60);
  size_t start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    EXPECT_LE(end - start, 62u);  // in bytes: … has three
  }
  EXPECT_NE(text.find("…"), std::string::npos);
  EXPECT_NE(text.find("@0A1B2C3D     12  Inventory.java:88\n"), std::string::npos) << text;
}

TEST_F(Table, NoColumnShrinksBelowTwelve) {
  AddRow("aaaaaaaaaaaaaaaaaaaaaaaa", "1", "bbbbbbbbbbbbbbbbbbbbbbbb");
  EXPECT_EQ(Written(10),
            "lock          times  place\n"
            "aaa…aaaaaaaa      1  bbb…bbbbbbbb\n");
}

TEST(TableColumns, ColumnsWithoutTitleAreNotInText) {
  static const struct column columns[] = {{NULL, ALIGN_LEFT, true, "hidden", nullptr, 0, false},
                                          {"shown", ALIGN_LEFT, false, NULL, nullptr, 0, false},
                                          {NULL, ALIGN_RIGHT, true, "behind", nullptr, 0, false}};
  struct table *t = table_new(columns, 3);
  for (const char *cell : {"a long hidden text", "x", "y"}) {
    builder_string(table_text(t), cell);
    table_next(t);
  }
  struct style style = {12, false, false};
  struct builder b = {};
  table_write(&b, t, &style);
  EXPECT_EQ(std::string(b.data, b.len), "shown\nx\n");
  builder_free(&b);
  table_free(t);
}

struct Fruit {
  const char *name;
  uint64_t num;
};

void PutName(const struct cell *c) {
  const Fruit *fruit = static_cast<const Fruit *>(c->row);
  builder_string(c->text, static_cast<const char *>(c->context));
  builder_string(c->text, fruit->name);
}

void PutNumber(const struct cell *c) {
  table_number(c->table, *static_cast<const uint64_t *>(c->member));
}

void PutNothing(const struct cell *) {}

constexpr struct column kFruitColumns[] = {
    {"fruit", ALIGN_LEFT, false, "fruit", PutName, 0, false},
    {"", ALIGN_LEFT, false, "empty", PutNothing, 0, false},
    {NULL, ALIGN_RIGHT, false, "number", PutNumber, offsetof(Fruit, num), false}};

constexpr Fruit kFruits[] = {{"apple", 3}, {"pear", 5}, {"plum", 7}};

std::string Csv(const struct table *t) {
  struct builder b = {};
  table_csv(&b, t, nullptr);
  std::string text(b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(TableRows, AddWritesTheCellsOfAllColumns) {
  struct table *t = TABLE_NEW(kFruitColumns);
  table_add(t, "a ", &kFruits[1]);
  EXPECT_EQ(table_rows(t), 1u);
  EXPECT_EQ(Csv(t), "fruit,empty,number\na pear,,5\n");
  table_free(t);
}

TEST(TableColumns, ATableCanLackParts) {
  const struct column more[] = {{"more", ALIGN_LEFT, false, "more", PutNothing, 0, false}};
  for (bool has_more : {false, true}) {
    const struct column_part parts[] = {COLUMN_PART(more, has_more),
                                        COLUMN_PART(kFruitColumns, true)};
    struct column chosen[4];
    size_t num = column_parts_join(chosen, parts, 2);
    EXPECT_EQ(num, has_more ? 4u : 3u);
    struct table *t = table_new(chosen, num);
    table_add(t, "a ", &kFruits[1]);
    EXPECT_EQ(Csv(t), has_more ? "more,fruit,empty,number\n,a pear,,5\n"
                               : "fruit,empty,number\na pear,,5\n");
    table_free(t);
  }
}

TEST(TableRows, FillWritesTheFirstRowsOfAnArray) {
  struct table *t = TABLE_NEW(kFruitColumns);
  EXPECT_EQ(table_fill(t, "", kFruits, sizeof *kFruits, 3, 2), 1u);
  EXPECT_EQ(Csv(t), "fruit,empty,number\napple,,3\npear,,5\n");
  table_clear(t);
  EXPECT_EQ(table_fill(t, "", kFruits, sizeof *kFruits, 3, SIZE_MAX), 0u);
  EXPECT_EQ(table_rows(t), 3u);
  table_free(t);
}

TEST(TableNone, AcceptsNull) {
  struct style style = {80, false, false};
  struct builder b = {};
  builder_string(table_text(nullptr), "x");
  table_next(nullptr);
  table_head(nullptr);
  table_note(nullptr);
  table_add(nullptr, nullptr, kFruits);
  EXPECT_EQ(table_fill(nullptr, nullptr, kFruits, sizeof *kFruits, 3, 2), 1u);
  table_write(&b, nullptr, &style);
  table_free(nullptr);
  EXPECT_EQ(b.len, 0u);
  EXPECT_EQ(table_rows(nullptr), 0u);
}

// A part of a table would look like the whole.
TEST(TableNone, WritersFailIfMemoryRanOut) {
  struct style style = {80, false, false};
  struct table *t = table_new(kColumns, 3);
  cell_text(t, "lock");
  table_text(t)->failed = true;
  for (const struct table *table : {static_cast<struct table *>(nullptr), t}) {
    for (int writer = 0; writer < 5; writer++) {
      struct builder b = {};
      struct json j = {};
      j.out = &b;
      if (writer == 0) table_write(&b, table, &style);
      if (writer == 1) table_csv(&b, table, nullptr);
      if (writer == 2) table_csv_rows(&b, table);
      if (writer == 3) table_json_rows(&j, table);
      if (writer == 4) table_html(&b, table);
      EXPECT_TRUE(b.failed) << writer;
      EXPECT_EQ(b.len, 0u) << writer;
      builder_free(&b);
    }
  }
  table_free(t);
}

// --- CSV ---

constexpr struct column kCsvColumns[] = {{"lock", ALIGN_LEFT, true, "lock", nullptr, 0, false},
                                         {"share", ALIGN_RIGHT, false, NULL, nullptr, 0, false},
                                         {"time", ALIGN_RIGHT, false, "time_ns", nullptr, 0, false},
                                         {NULL, ALIGN_LEFT, false, "holder", nullptr, 0, false}};

class TableCsv : public testing::Test {
 protected:
  TableCsv() : table_(table_new(kCsvColumns, 4)) {}
  ~TableCsv() override {
    table_free(table_);
    builder_free(&out_);
  }
  void AddRow(const char *lock, uint64_t ns, const char *holder) {
    cell_text(table_, lock);
    cell_share(table_, ns, 100);
    cell_ns(table_, ns);
    cell_text(table_, holder);
  }
  std::string Out() { return std::string(out_.data, out_.len); }

  struct table *table_;
  struct builder out_ = {};
};

TEST_F(TableCsv, WritesKeysAndPlainValues) {
  AddRow("Cart", 1204, "main");
  builder_string(table_text(table_), "a note is for a person");
  table_note(table_);
  cell_text(table_, "Dock");
  cell_empty(table_);
  cell_unknown(table_);
  cell_text(table_, "");
  table_csv(&out_, table_, nullptr);
  EXPECT_EQ(Out(), "lock,time_ns,holder\nCart,1204,main\nDock,,\n");
}

TEST_F(TableCsv, QuotesFieldsThatNeedIt) {
  AddRow("a,b", 0, "say \"x\"");
  AddRow("two\nlines", UINT64_MAX, " blank");
  table_csv(&out_, table_, nullptr);
  EXPECT_EQ(Out(),
            "lock,time_ns,holder\n\"a,b\",0,\"say \"\"x\"\"\"\n"
            "\"two\nlines\",18446744073709551615,\" blank\"\n");
}

TEST_F(TableCsv, RowsCanBeginWithTheNameOfTheTable) {
  AddRow("Cart", 7, "main");
  cell_text(table_, "Dock");
  cell_empty(table_);
  cell_unknown(table_);
  cell_text(table_, "worker");
  table_csv(&out_, table_, "locks");
  EXPECT_EQ(Out(), "table,lock,time_ns,holder\nlocks,Cart,7,main\nlocks,Dock,,worker\n");
}

TEST_F(TableCsv, WritesNoRowsAndNoTable) {
  table_csv(&out_, table_, nullptr);
  EXPECT_EQ(Out(), "lock,time_ns,holder\n");
  table_csv(&out_, nullptr, nullptr);
  EXPECT_EQ(Out(), "lock,time_ns,holder\n");
}

TEST_F(TableCsv, HasNoColumnsOfJson) {
  static const struct column columns[] = {{NULL, ALIGN_LEFT, false, "parts", nullptr, 0, true},
                                          {NULL, ALIGN_LEFT, false, "n", nullptr, 0, false}};
  struct table *t = table_new(columns, 2);
  struct builder b = {};
  cell_text(t, "{}");
  cell_count(t, 7);
  table_csv(&b, t, nullptr);
  table_csv(&b, t, "x");
  EXPECT_EQ(std::string(b.data, b.len), "n\n7\ntable,n\nx,7\n");
  builder_free(&b);
  table_free(t);
}

// --- JSON ---

constexpr struct column kJsonColumns[] = {
    {NULL, ALIGN_LEFT, false, "lock", nullptr, 0, false},
    {"share", ALIGN_RIGHT, false, NULL, nullptr, 0, false},
    {"time", ALIGN_RIGHT, false, "time_ns", nullptr, 0, false}};

std::string Json(const struct table *t) {
  struct builder out = {};
  struct json j = {&out, false};
  table_json(&j, t);
  std::string text(out.data, out.len);
  builder_free(&out);
  return text;
}

TEST(TableJson, WritesAnObjectPerRow) {
  struct table *t = table_new(kJsonColumns, 3);
  EXPECT_EQ(Json(t), "[]");
  cell_text(t, "a \"quoted\" one");
  cell_share(t, 1, 2);
  cell_ns(t, 1204);
  builder_string(table_text(t), "for a person");
  table_note(t);
  cell_text(t, "");
  cell_empty(t);
  cell_unknown(t);
  EXPECT_EQ(Json(t),
            "[{\"lock\":\"a \\\"quoted\\\" one\",\"time_ns\":1204},"
            "{\"lock\":\"\",\"time_ns\":null}]");
  table_free(t);
}

// A JSON text is the value as it is; an empty one is null.
TEST(TableJson, AColumnMayBeJson) {
  static const struct column columns[] = {{NULL, ALIGN_LEFT, false, "lock", nullptr, 0, true},
                                          {NULL, ALIGN_LEFT, false, "n", nullptr, 0, false}};
  struct table *t = table_new(columns, 2);
  cell_text(t, "{\"class\":\"Cart\"}");
  cell_count(t, 7);
  cell_text(t, "");
  cell_count(t, 8);
  EXPECT_EQ(Json(t), "[{\"lock\":{\"class\":\"Cart\"},\"n\":7},{\"lock\":null,\"n\":8}]");
  table_free(t);
}

// --- HTML ---

constexpr struct column kHtmlColumns[] = {{"time", ALIGN_RIGHT, false, NULL, nullptr, 0, false},
                                          {NULL, ALIGN_LEFT, false, "hidden", nullptr, 0, false},
                                          {"a & b", ALIGN_LEFT, false, NULL, nullptr, 0, false}};

std::string Html(const struct table *t) {
  struct builder b = {};
  table_html(&b, t);
  std::string text(b.data == nullptr ? "" : b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(TableHtml, WritesTheColumnsThatHaveATitle) {
  struct table *t = table_new(kHtmlColumns, 3);
  cell_ns(t, 1500000);
  cell_raw(t, 7);
  cell_text(t, "<lock>");
  EXPECT_EQ(
      Html(t),
      "<table><thead><tr><th class=\"number\">time</th><th>a &amp; b</th></tr></thead><tbody>\n"
      "<tr><td class=\"number\">1.50 ms</td><td>&lt;lock&gt;</td></tr>\n"
      "</tbody></table>\n");
  table_free(t);
  EXPECT_EQ(Html(nullptr), "");
}

}  // namespace
