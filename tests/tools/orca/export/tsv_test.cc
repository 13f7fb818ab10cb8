#include "tools/orca/export/tsv.h"

#include <algorithm>
#include <sstream>

#include "tests/tools/orca/export/exported.h"

namespace {

std::string Escape(const std::string &text) {
  struct builder b = {};
  tsv_put_escaped(&b, Span(text));
  return TakeText(&b);
}

TEST(Tsv, EscapesAsClickHouse) {
  EXPECT_EQ(Escape("a b"), "a b");
  EXPECT_EQ(Escape(""), "");
  EXPECT_EQ(Escape("\t"), "\\t");
  EXPECT_EQ(Escape(std::string("a\b\t\n\f\r\0'\\z", 10)), "a\\b\\t\\n\\f\\r\\0\\'\\\\z");
  EXPECT_EQ(Escape("\xC3\xBC"), "\xC3\xBC");
}

TEST(Tsv, EscapesAnEmptyTextWithoutData) {
  struct builder b = {};
  builder_char(&b, 'a');
  tsv_put_escaped(&b, {nullptr, 0});
  EXPECT_EQ(TakeText(&b), "a");
}

TEST(Tsv, BeginsWithTheLabels) {
  Exported e;
  std::string text = e.ExportTable("runs", {"zone=a\tb", "version=2", "rack=", "host=web-1"});
  EXPECT_EQ(text.find("host\tservice\tversion\trun\tzone\track\tbegin_at\t"), 0u) << text;
  EXPECT_NE(text.find("\nweb-1\t\t2\t2026-11-20T11:37:36.123456789Z-4711\ta\\tb\t\t17951746561234"),
            std::string::npos)
      << text;
}

size_t CountTabs(const std::string &line) {
  return static_cast<size_t>(std::count(line.begin(), line.end(), '\t'));
}

TEST(Tsv, EachRowHasAFieldForEachColumn) {
  for (const struct tsv_table &table : tsv_tables) {
    Exported e;
    e.NameWorker("a\\u0009b\\u000A");
    std::istringstream lines(e.ExportTable(table.name, {"zone=1"}));
    std::string names, line;
    std::getline(lines, names);
    size_t rows = 0, columns;
    tsv_table_columns(&table, &columns);
    EXPECT_EQ(CountTabs(names), columns + 4) << table.name;
    for (; std::getline(lines, line); rows++) EXPECT_EQ(CountTabs(line), CountTabs(names)) << line;
    EXPECT_GT(rows, 0u) << table.name;
  }
}

TEST(Tsv, NeedsTheStart) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "start.utc", "start.frob");
  small.Read();
  struct labels labels = LABELS_NONE;
  struct output out = {};
  struct export_job job = MakeJob(&small, &out, &labels);
  EXPECT_FALSE(export_tsv(&job));
  EXPECT_STREQ(out.problem, "the recording does not tell its start.utc in .info, which times need");
  output_free(&out);
}

// Starts the first table of a recording with this start.utc, and returns whether that succeeded.
// Then `*out` is the line of a time of each of `times`.
bool WriteTimes(const std::string &start_utc, const std::vector<ticks_t> &times, std::string *out) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "2026-11-20T11:37:36.123456789Z", start_utc);
  small.Read();
  struct labels labels = LABELS_NONE;
  struct output output = {};
  struct export_job job = MakeJob(&small, &output, &labels);
  struct tsv t = {};
  t.job = &job;
  bool is_good = tsv_start(&t);
  output.text.len = 0;
  for (ticks_t time : times) tsv_put_time(&t, time);
  *out = TakeText(&output.text);
  tsv_free(&t);
  output_free(&output);
  return is_good;
}

TEST(TsvTime, MapsTimestamps) {
  std::string times;
  ASSERT_TRUE(WriteTimes("2026-11-20T11:37:36.123456789Z",
                         {100 * kSecond, 101 * kSecond + 15, 99 * kSecond}, &times));
  EXPECT_EQ(times, "1795174656123456789\t1795174657123456790\t1795174655123456789\t");
}

TEST(TsvTime, RefusesOtherTexts) {
  std::string none;
  for (const char *text : {"", "yesterday", "2026-11-20", "2026-11-20T11:37:36Z",
                           "2026-11-20T11:37:36.12345678912345Z"}) {
    EXPECT_FALSE(WriteTimes(text, {}, &none)) << text;
  }
}

TEST(Tsv, WritesNumbersOf64Bits) {
  SmallModel small;
  small.Read();
  struct output out = {};
  struct export_job job = {};
  job.out = &out;
  struct tsv t = {};
  t.job = &job;
  for (uint64_t n : {UINT64_C(0), UINT64_C(7), UINT64_MAX}) tsv_put_number(&t, n);
  tsv_put_maybe(&t, true, 12);
  tsv_put_maybe(&t, false, 12);
  for (ticks_t ticks : {124, 125, 129}) tsv_put_ticks(&t, ticks);
  EXPECT_EQ(TakeText(&out.text), "0\t7\t18446744073709551615\t12\t\\N\t12\t13\t13\t");
  tsv_free(&t);
}

}  // namespace
