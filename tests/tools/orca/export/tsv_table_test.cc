#include "tools/orca/export/tsv_table.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

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
      struct labels labels = LABELS_NONE;
      EXPECT_STREQ(labels_add(&labels, (std::string(c.name) + "=x").c_str()),
                   "a column of the tables has the name of the label ");
    }
  });
  struct labels labels = LABELS_NONE;
  for (const char *text : {"host=x", "run=x", "blocked_n=x"}) {
    EXPECT_EQ(labels_add(&labels, text), nullptr) << text;
  }
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

class Labels : public testing::Test {
 protected:
  std::string Add(const char *text) {
    const char *problem = labels_add(&labels_, text);
    return problem == nullptr ? "" : problem;
  }

  struct labels labels_ = LABELS_NONE;
};

TEST_F(Labels, BeginWithFour) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < labels_.num; i++) keys.push_back(Text(labels_.rows[i].key));
  EXPECT_EQ(keys, (std::vector<std::string>{"host", "service", "version", "run"}));
  EXPECT_FALSE(labels_.has_values);
}

TEST_F(Labels, KeepTheirPlacesAndTheOrderOfOthers) {
  EXPECT_EQ(Add("zone=eu=1"), "");
  EXPECT_EQ(Add("version="), "");
  EXPECT_EQ(Add("a_1=x"), "");
  EXPECT_EQ(labels_.num, 6u);
  EXPECT_TRUE(labels_.has_values);
  EXPECT_EQ(Text(labels_.rows[4].key), "zone");
  EXPECT_EQ(Text(labels_.rows[4].value), "eu=1");
  EXPECT_NE(labels_.rows[LABEL_VERSION].value.data, nullptr);
  EXPECT_EQ(labels_.rows[LABEL_HOST].value.data, nullptr);
  EXPECT_EQ(Text(labels_.rows[5].key), "a_1");
}

TEST_F(Labels, RefuseWrongTexts) {
  for (const char *text :
       {"", "host", "=a", "1a=b", "_a=b", "A=b", "a-b=c", "a b=c", "\xC3\xBC=1"}) {
    EXPECT_EQ(Add(text).find("a label is key=value"), 0u) << text;
  }
  EXPECT_EQ(Add((std::string(65, 'a') + "=b").c_str()).find("a label is key=value"), 0u);
  EXPECT_EQ(Add("blocked_ns=b"), "a column of the tables has the name of the label ");
  EXPECT_FALSE(labels_.has_values);
}

TEST_F(Labels, RefuseASecondValue) {
  EXPECT_EQ(Add("host=a"), "");
  EXPECT_EQ(Add("zone="), "");
  EXPECT_EQ(Add("host=a"), "this label is given twice: ");
  EXPECT_EQ(Add("zone=x"), "this label is given twice: ");
}

TEST_F(Labels, HaveABound) {
  std::vector<std::string> texts;
  for (int i = 0; i < LABELS_MAX; i++) texts.push_back("k" + std::to_string(i) + "=v");
  for (int i = 0; i < LABELS_MAX - NUM_FIXED_LABELS; i++) EXPECT_EQ(Add(texts[i].c_str()), "");
  EXPECT_EQ(Add(texts.back().c_str()), "there are more than 32 labels with ");
  EXPECT_EQ(labels_.num, static_cast<size_t>(LABELS_MAX));
}

}  // namespace
