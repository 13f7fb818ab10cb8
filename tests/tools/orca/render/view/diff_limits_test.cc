#include "tests/support/json.h"
#include "tests/tools/orca/render/view/two_shown.h"

namespace {

struct Shown {
  std::string text;
  bool is_broken;
};

Shown Show(TwoRuns *runs, const std::vector<std::string> &texts, enum format format = FORMAT_TEXT) {
  std::vector<struct diff_limit> limits(texts.size());
  for (size_t i = 0; i < texts.size(); i++) {
    EXPECT_TRUE(diff_limit_parse(texts[i].c_str(), &limits[i])) << texts[i];
  }
  struct page p;
  page_start(&p, -1, format, true);
  p.style = kPlain;
  bool is_broken = view_diff_limits(&p, runs->Compare(), limits.data(), limits.size());
  if (format == FORMAT_JSON) json_end_object(&p.json);
  return {TakeText(&p.out), is_broken};
}

TEST(DiffLimits, NamesWhatBreaksALimit) {
  TwoRuns runs({}, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
  Shown shown = Show(&runs, {"lock+10%", "cpu+20%", "wait+5%"});
  EXPECT_TRUE(shown.is_broken);
  EXPECT_EQ(shown.text,
            "\nWhat must not get worse (--fail-on)\n"
            "* BROKEN lock+10%: monitor of com.acme.Inventory at Inventory.reserve "
            "(Inventory.java:42): 400 ms in\n  each second of run instead of 100 ms (+300 %)\n"
            "* BROKEN cpu+20%: the CPU time of all Java threads: 1.00 s in each second of run "
            "instead of 700 ms\n  (+43 %)\n"
            "* kept wait+5%\n");
}

TEST(DiffLimits, KeepsALimitThatIsLargeEnough) {
  TwoRuns runs({}, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
  Shown shown = Show(&runs, {"lock+300%", "blocked+300%", "method+60%"});
  EXPECT_FALSE(shown.is_broken);
  EXPECT_TRUE(Has(shown.text, "* kept lock+300%\n* kept blocked+300%\n* kept method+60%\n"));
}

TEST(DiffLimits, SaysWhatTheRunsCannotProve) {
  TwoRuns runs({}, {.blocked_ms = 40, .options = "threshold=1ms"});
  Shown shown = Show(&runs, {"lock+10%"});
  EXPECT_FALSE(shown.is_broken);
  EXPECT_TRUE(Has(shown.text, "* NOT PROVEN lock+10%: the recordings have different options "))
      << shown.text;
}

// All of the change is on several monitors, which may be those of A.
TEST(DiffLimits, DoesNotCallSeveralObjectsBrokenOrKept) {
  TwoRuns runs({.options = "threshold=5ms"}, {.options = "threshold=5ms"});
  TwoRuns::AddSum(&runs.A());
  runs.B().Append(DUMP_COUNTS,
                  "100.5000000000,MonitorContendedEnter,00000000,500,2000000000,4000000,0\n");
  Shown shown = Show(&runs, {"lock+10%", "blocked+10%", "wait+10%"});
  EXPECT_TRUE(Has(shown.text, "* NOT PROVEN lock+10%: a recording has sums of short calls on "))
      << shown.text;
  EXPECT_TRUE(Has(shown.text, "* BROKEN blocked+10%: ")) << shown.text;
  EXPECT_TRUE(Has(shown.text, "* kept wait+10%\n")) << shown.text;
}

TEST(DiffLimits, JsonHasARowForEachFinding) {
  TwoRuns runs({}, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
  Json json = JsonReader(Show(&runs, {"lock+10%", "wait+5%"}, FORMAT_JSON).text).Read();
  const auto &rows = json["limits"].items;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["limit"].text, "lock+10%");
  EXPECT_EQ(rows[0]["state"].text, "broken");
  EXPECT_EQ(rows[0]["what"].text, "monitor of com.acme.Inventory");
  EXPECT_EQ(rows[0]["main_place"].text, "Inventory.reserve (Inventory.java:42)");
  EXPECT_EQ(rows[0]["a_ns_per_s"].text, "100000000");
  EXPECT_EQ(rows[0]["b_ns_per_s"].text, "400000000");
  EXPECT_EQ(rows[1]["state"].text, "kept");
}

TEST(DiffLimits, WritesNothingWithoutLimits) {
  TwoRuns runs({}, {});
  EXPECT_EQ(Show(&runs, {}).text, "");
}

}  // namespace
