#include "tests/support/json.h"
#include "tests/tools/orca/budget/judged.h"
#include "tools/orca/budget/format.h"

namespace {

// The properties that SARIF 2.1.0 requires: version and runs of the log (3.13), tool of a run
// (3.14.6), driver (3.18.2), its name (3.19.8), id of a rule (3.49.3), message of a result
// (3.27.11) with a text or an id (3.11.7). ruleIndex has to be the place of ruleId (3.27.6).
void ExpectValid(const Json &log) {
  EXPECT_EQ(log["version"].text, "2.1.0");
  ASSERT_EQ(log["runs"].kind, Json::kArray);
  for (const Json &run : log["runs"].items) {
    const Json &driver = run["tool"]["driver"];
    EXPECT_FALSE(driver["name"].text.empty());
    for (const Json &rule : driver["rules"].items) {
      EXPECT_FALSE(rule["id"].text.empty());
      EXPECT_FALSE(rule["shortDescription"]["text"].text.empty());
      EXPECT_FALSE(rule["help"]["text"].text.empty());
    }
    ASSERT_EQ(run["results"].kind, Json::kArray);
    for (const Json &result : run["results"].items) {
      EXPECT_FALSE(result["message"]["text"].text.empty());
      EXPECT_TRUE(result["level"].text == "error" || result["level"].text == "warning");
      size_t index = result["ruleIndex"].Integer();
      ASSERT_LT(index, driver["rules"].items.size());
      EXPECT_EQ(driver["rules"].items[index]["id"].text, result["ruleId"].text);
      for (const Json &location : result["locations"].items) {
        const Json &physical = location["physicalLocation"];
        const std::string &uri = physical["artifactLocation"]["uri"].text;
        EXPECT_FALSE(uri.empty());
        EXPECT_EQ(uri.find_first_of(" <>\"\\^`{|}"), std::string::npos) << uri;
        EXPECT_GE(physical["region"]["startLine"].Integer(), 1u);
      }
    }
  }
}

TEST(FormatSarif, HasAResultForEachBrokenBudget) {
  Runs runs;
  runs.Run("/tmp/a").Add(BUDGET_SLEEP, "A at m", 1, 0, "asleep", "shop/Cart.java", 17);
  runs.Lock("B at m", 30, 1);
  Json log = ReadJson(Judged("lock: * = 20 waits, longest 1s\n", runs).Write(format_sarif));
  ExpectValid(log);
  const Json &results = log["runs"].items[0]["results"];
  ASSERT_EQ(results.items.size(), 2u);
  const Json &sleep = results.items[0];
  EXPECT_EQ(sleep["ruleId"].text, "sleep");
  EXPECT_EQ(sleep["level"].text, "error");
  EXPECT_EQ(sleep["partialFingerprints"]["orcaBudget/v1"].text, "A at m");
  const Json &place = sleep["locations"].items[0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"].text, "shop/Cart.java");
  EXPECT_EQ(place["region"]["startLine"].Integer(), 17u);
  EXPECT_NE(sleep["message"]["text"].text.find("\nasleep\nmore: orca locks --stack /tmp/a"),
            std::string::npos);
  EXPECT_EQ(results.items[1]["level"].text, "warning");
  EXPECT_EQ(
      results.items[1]["locations"].items[0]["physicalLocation"]["artifactLocation"]["uri"].text,
      "locks.budget")
      << "the source of this lock is not known";
}

TEST(FormatSarif, IsValidWithoutResults) {
  Json log = ReadJson(Judged("", Runs().Run("a")).Write(format_sarif));
  ExpectValid(log);
  EXPECT_TRUE(log["runs"].items[0]["results"].items.empty());
}

TEST(FormatSarif, AcceptsAnyName) {
  Runs runs;
  runs.Run(HostileName()).Add(BUDGET_IO, HostileName(), 1, 0, HostileName(), HostileName(), 3);
  Json log = ReadJson(Judged("", runs).Write(format_sarif, HostileName().c_str()));
  ExpectValid(log);
}

}  // namespace
