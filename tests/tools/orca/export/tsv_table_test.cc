#include "tools/orca/export/tsv_table.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

std::string Read(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str(), "") << path;
  return text.str();
}

// Calls `visit` with each table and its columns.
template <typename Visit>
void ForEachTable(const Visit &visit) {
  for (const struct tsv_table &table : tsv_tables) {
    size_t num;
    const struct tsv_column *columns = tsv_table_columns(&table, &num);
    ASSERT_GT(num, 0u) << table.name;
    visit(table, std::vector<struct tsv_column>(columns, columns + num));
  }
}

TEST(TsvTable, FindsEachByItsName) {
  for (const struct tsv_table &table : tsv_tables) {
    EXPECT_EQ(tsv_table_find(table.name), &table);
    EXPECT_NE(table.write, nullptr);
  }
  EXPECT_EQ(tsv_table_find("frob"), nullptr);
  EXPECT_EQ(tsv_table_find(""), nullptr);
}

TEST(TsvTable, ColumnsAreUnique) {
  ForEachTable([](const struct tsv_table &table, const std::vector<struct tsv_column> &columns) {
    std::set<std::string> names;
    for (const struct tsv_column &c : columns) {
      EXPECT_TRUE(names.insert(c.name).second) << table.name << "." << c.name;
      EXPECT_TRUE(tsv_has_column(c.name, std::string(c.name).size()));
    }
  });
  EXPECT_FALSE(tsv_has_column("host", 4));
  EXPECT_FALSE(tsv_has_column("run", 3));
  EXPECT_FALSE(tsv_has_column("blocked_n", 9));
}

const char *const kKinds[] = {"text",   "number",        "number or `\\N`", "time",
                              "0 or 1", "list of texts", "list of numbers"};

TEST(TsvTable, IsInTheManual) {
  std::string manual = Read("docs/fleet.md") + "\n";  // an empty line ends each table
  ForEachTable([&](const struct tsv_table &table, const std::vector<struct tsv_column> &columns) {
    std::string rows = std::string("### `") + table.name + "`: " + table.help +
                       "\n\n| column | kind | meaning |\n|---|---|---|\n";
    for (const struct tsv_column &c : columns) {
      rows += std::string("| `") + c.name + "` | " + kKinds[c.kind] + " | " + c.meaning + " |\n";
    }
    EXPECT_NE(manual.find(rows + "\n"), std::string::npos) << "docs/fleet.md lacks\n" << rows;
  });
}

const char *const kTypes[] = {"String", "UInt64",        "Nullable(UInt64)", "UInt64",
                              "UInt8",  "Array(String)", "Array(UInt64)"};

TEST(TsvTable, IsInTheSchema) {
  std::string schema = Read("tools/fleet/schema.sql");
  ForEachTable([&](const struct tsv_table &table, const std::vector<struct tsv_column> &columns) {
    std::string rows = std::string("CREATE TABLE IF NOT EXISTS ") + table.name +
                       "\n(\n    host String,\n    service String,\n    version String,\n"
                       "    run String,\n";
    for (const struct tsv_column &c : columns) {
      rows += std::string("    ") + c.name + " " + kTypes[c.kind] + ",\n";
    }
    EXPECT_NE(schema.find(rows), std::string::npos) << "schema.sql lacks\n" << rows;
  });
}

}  // namespace
