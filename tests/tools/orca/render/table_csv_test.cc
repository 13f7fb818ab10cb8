#include <string>

#include "gtest/gtest.h"
#include "tools/orca/render/cells.h"

namespace {

constexpr struct column kColumns[] = {{"lock", ALIGN_LEFT, true, "lock", nullptr, 0, false},
                                      {"share", ALIGN_RIGHT, false, NULL, nullptr, 0, false},
                                      {"time", ALIGN_RIGHT, false, "time_ns", nullptr, 0, false},
                                      {NULL, ALIGN_LEFT, false, "holder", nullptr, 0, false}};

class TableCsv : public testing::Test {
 protected:
  TableCsv() : table_(table_new(kColumns, 4)) {}
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

}  // namespace
