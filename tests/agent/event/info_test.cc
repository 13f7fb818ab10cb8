#include "agent/event/info.h"

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

// --- lines -----------------------------------------------------------------------------------

std::string WriteInfo(const char *value) {
  struct builder b = {};
  info_line_write(&b, INFO_COMMAND, value);
  return TakeLine(&b);
}

TEST(InfoLine, ReadsBackItsOutput) {
  const Case cases[] = {
      // the value, and the line that is written
      {"17.0.15", "command=17.0.15"},
      {"", "command="},
      {"a=b=c", "command=a=b=c"},
      {"orca,depth=64,", "command=orca,depth=64,"},
      {"java -cp a\nb C:\\x", "command=java -cp a\\u000Ab C:\\u005Cx"},
      {"\xed\xa0\xbd\xed\xb8\x80,\xff", "command=\xf0\x9f\x98\x80,\\uFFFD"},
  };
  for (const Case &c : cases) {
    std::string text = WriteInfo(c.line.c_str());
    EXPECT_EQ(text, c.fault);
    struct span key, value;
    EXPECT_EQ(FaultText(info_line_read(Span(text), &key, &value)), "") << text;
    EXPECT_EQ(Text(key), "command");
    EXPECT_EQ("command=" + Text(value), text);
  }
}

TEST(InfoLine, RefusesInvalidLines) {
  const Case cases[] = {
      {"", "the line is not key=value"},
      {"pid", "the line is not key=value"},
      {"=17", "the line is not key=value"},
      {"p\x01id=17", "the key is not correctly escaped UTF-8"},
      {"p,id=17", "the key is not correctly escaped UTF-8"},
      {"pid=1\t7", "the value is not correctly escaped UTF-8"},
      {"pid=1,\\", "the value is not correctly escaped UTF-8"},
      {"pid=\xff", "the value is not correctly escaped UTF-8"},
  };
  for (const Case &c : cases) {
    struct span key, value;
    EXPECT_EQ(FaultText(info_line_read(Span(c.line), &key, &value)), c.fault) << c.line;
  }
}

}  // namespace
