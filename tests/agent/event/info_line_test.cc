// The lines of .info.
#include "tests/agent/event/line_case.h"

namespace {

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
