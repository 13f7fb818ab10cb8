#include "agent/event/info_key.h"

#include <fstream>
#include <set>
#include <string>

#include "tests/agent/event/line_case.h"

namespace {

TEST(InfoKey, FindsEachKeyByItsName) {
  std::set<std::string> names;
  for (int key = 0; key < NUM_INFO_KEYS; key++) {
    EXPECT_EQ(info_key_find(Span(info_keys[key].name)), key) << info_keys[key].name;
    EXPECT_TRUE(names.insert(info_keys[key].name).second) << info_keys[key].name;
  }
  EXPECT_EQ(info_key_find(Span("no.such.key")), NUM_INFO_KEYS);
  EXPECT_EQ(info_key_find(Span("")), NUM_INFO_KEYS);
}

TEST(InfoKey, NamesCanBeWrittenWithoutEscapes) {
  for (const struct info_key_row &row : info_keys) {
    EXPECT_NE(*row.name, '\0');
    EXPECT_EQ(std::string(row.name).find_first_not_of("abcdefghijklmnopqrstuvwxyz."),
              std::string::npos)
        << row.name;
  }
}

// The table of the keys that are written when a set begins, then the table of those at its end.
TEST(InfoKey, TablesOfTheFormatEqualTheRows) {
  std::ifstream format("docs/format.md");
  std::string expected, tables;
  for (enum info_part part : {INFO_PART_START, INFO_PART_END}) {
    expected += "|---|---|\n";
    for (const struct info_key_row &row : info_keys) {
      if (row.part != part) continue;
      expected += std::string("| `") + row.name + "` | " + row.meaning + " |\n";
    }
  }
  bool is_in_section = false;
  for (std::string line; std::getline(format, line);) {
    if (line.find("## ") == 0) is_in_section = line.find("## PREFIX.info") == 0;
    if (is_in_section && line.find('|') == 0 && line != "| key | value |") tables += line + "\n";
  }
  EXPECT_EQ(tables, expected);
}

}  // namespace
