#include "tests/tools/orca/render/view/two_shown.h"

namespace {

std::string Page(const struct comparison *c, enum format format) {
  return ShowPage([&](struct page *p) { view_diff(p, c, 10); }, format);
}

TEST(Diff, TextHasAllPartsInOrder) {
  TwoRuns runs({}, {.seconds = 20, .price_ms = 80});
  std::string page = Page(runs.Compare(), FORMAT_TEXT);
  EXPECT_EQ(page.find("A         " + runs.A().Prefix()), 0u) << page;
  EXPECT_TRUE(Has(page,
                  "java -jar shop.jar\n          10.0 s; ended by exit; JVM 17.0.9; "
                  "CPU time sampled at safepoints\nB  "));
  EXPECT_TRUE(Has(page, "B         " + runs.B().Prefix()));
  size_t at = 0;
  for (const char *part :
       {"\nIn short\n", "\nAll in all", "\nMethods by", "\nLocks by", "\nWaits, "}) {
    EXPECT_GT(page.find(part), at) << part;
    at = page.find(part);
  }
  EXPECT_FALSE(Has(page, "What cannot be compared"));
}

TEST(Diff, JsonHasAllParts) {
  TwoRuns runs({}, {.seconds = 20, .price_ms = 80, .options = "locks=all"});
  std::string page = Page(runs.Compare(), FORMAT_JSON) + "}";
  for (const char *part :
       {"{\"runs\":[{\"command\":\"java -jar shop.jar\"", "\"length_ns\":20000000000",
        "\"verdicts\":[\"B ran for ", "\"not_comparable\":[\"A was recorded with locks=waits",
        "\"totals\":[{\"what\":\"length_ns\",\"a\":10000000000,\"b\":20000000000,\"verdict\":null}",
        "\"methods\":[{\"a_ns_per_s\":500000000,", "\"locks\":[{", "\"waits\":[{"}) {
    EXPECT_TRUE(Has(page, part)) << part << " in " << page;
  }
}

TEST(Diff, FollowsTheFilter) {
  TwoRuns runs({}, {});
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-1"}, 1};
  std::string page = Page(runs.Compare(&filter), FORMAT_TEXT);
  EXPECT_TRUE(
      Has(page, "Shown     1 of 402 events, 100 of 200 samples match --thread worker-1\nB  "))
      << page;
}

}  // namespace
