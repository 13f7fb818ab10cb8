// An option that can change needs only its row in agent/options, which BUILD adds to a copy:
//   OPTION(probe, duration, "1s", TRIGGER, SAMPLER, KEEP, ...)
// tools/check-tree shows that the other files on the way of an option name none. So a new one takes
// five files: its row, the code that follows it, docs/options.md, options_test.cc, and a test of
// JVMs.
#include <cstring>
#include <string>

#include "gtest/gtest.h"
#include "tests/agent/options/more/changes.h"

namespace {

struct options ParseMore(const std::string &text) {
  struct options o;
  char error[2048] = "";
  EXPECT_TRUE(options_parse(text.c_str(), &o, error, sizeof error)) << text << ": " << error;
  return o;
}

std::string RefuseMore(const std::string &text) {
  struct options o;
  char error[2048] = "";
  EXPECT_FALSE(options_parse(text.c_str(), &o, error, sizeof error)) << text;
  return error;
}

TEST(NewOption, IsParsedPrintedAndRefused) {
  EXPECT_EQ(ParseMore("x").probe, 1000000000u);
  struct options o = ParseMore("x,probe=2s");
  EXPECT_EQ(o.probe, 2000000000u);
  struct builder printed = {};
  options_print(&o, &printed);
  EXPECT_NE(std::string(printed.data, printed.len).find(",probe=2s"), std::string::npos);
  builder_free(&printed);
  EXPECT_EQ(RefuseMore("x,probe=2"), "option probe takes a time such as 5s, not \"2\"");
  EXPECT_NE(RefuseMore("x,prob=2s").find(" probe, each as key=value"), std::string::npos);
}

TEST(NewOption, IsChangedWhileARecordingRuns) {
  struct options now = ParseMore("x,probe=2s"), next, copy = now;
  char error[2048] = "";
  ASSERT_TRUE(options_change(&now, "probe=3s", &next, error, sizeof error)) << error;
  EXPECT_EQ(next.probe, 3000000000u);
  EXPECT_EQ(options_compare(&now, &next), uint64_t{1} << OPTION_probe);
  EXPECT_NE(options_followed_by(FOLLOWER_SAMPLER) >> OPTION_probe & 1, 0u);
  options_copy_changing(&copy, &next);
  EXPECT_EQ(copy.probe, 3000000000u);
  EXPECT_STREQ(copy.text[OPTION_probe], "3s");
}

TEST(NewOption, IsChangedByATrigger) {
  struct options now = ParseMore("x,trigger=cpu>90%:probe=4s,for=30s"), next;
  char error[2048] = "";
  ASSERT_TRUE(options_escalate(&now, TRIGGER_CPU, &next, error, sizeof error)) << error;
  EXPECT_EQ(next.probe, 4000000000u);
}

// `orca help options`, `orca diff` and the holders of locks read the same row.
TEST(NewOption, IsKnownToTheReader) {
  int row = options_find({"probe", strlen("probe")});
  ASSERT_EQ(row, OPTION_probe);
  EXPECT_STREQ(option_infos[row].meaning, "what a test adds");
  EXPECT_STREQ(option_infos[row].effect, "one of them has no probe");
  EXPECT_FALSE(option_infos[row].forgets_holders);
}

}  // namespace
