#include "tests/support/json.h"
#include "tests/tools/orca/budget/judged.h"
#include "tools/orca/budget/format.h"

namespace {

TEST(FormatJson, HasEachBudgetWithItsFigures) {
  Runs runs;
  runs.Run("/tmp/a", 1500).Lock("A at m", 30, 1).Add(BUDGET_ORDER, "A > B", 1, 0, "one\ntwo");
  runs.Run("/tmp/b").Lock("A at m", 40, 20).Unproven(BUDGET_IO, "no samples");
  Json json =
      ReadJson(Judged("unheard = 7\nblocked = 12.5%\nlock: * = 15 waits, longest 100ms\n", runs)
                   .Write(format_json));
  EXPECT_EQ(json["file"].text, "locks.budget");
  EXPECT_EQ(json["broken"].Integer(), 2u);
  EXPECT_EQ(json["kept"].Integer(), 6u);
  EXPECT_EQ(json["unproven"].Integer(), 1u);
  ASSERT_EQ(json["runs"].items.size(), 2u);
  EXPECT_EQ(json["runs"].items[0]["prefix"].text, "/tmp/a");
  EXPECT_EQ(json["runs"].items[0]["scale"].text, "1.500");
  ASSERT_EQ(json["budgets"].items.size(), 9u);
  const Json &order = json["budgets"].items[2];
  EXPECT_EQ(order["kind"].text, "order");
  EXPECT_EQ(order["key"].text, "A > B");
  EXPECT_EQ(order["state"].text, "broken");
  EXPECT_EQ(order["details"].text, "one\ntwo");
  EXPECT_EQ(order["command"].text, "orca deadlocks /tmp/a");
  EXPECT_EQ(order["allowed"].kind, Json::kNull);
  EXPECT_EQ(json["budgets"].items[5]["why"].text, "no samples");
  EXPECT_EQ(json["budgets"].items[6]["allowed"]["count"].Integer(), 7u);
  EXPECT_EQ(json["budgets"].items[7]["allowed"]["permille"].Integer(), 125u);
  const Json &lock = json["budgets"].items[8];
  EXPECT_EQ(lock["allowed"]["waits"].Integer(), 15u);
  ASSERT_EQ(lock["found"].items.size(), 2u);
  EXPECT_EQ(lock["found"].items[1]["run"].Integer(), 1u);
  EXPECT_EQ(lock["found"].items[1]["waits"].Integer(), 40u);
  EXPECT_EQ(lock["found"].items[1]["longest_ns"].Integer(), 20000000u);
}

TEST(FormatJson, SaysThatANumberIsTheLeast) {
  Runs runs;
  runs.Run("/tmp/a").More(10, 9).Lock("A at m", 30, 1).Run("/tmp/b").Lock("A at m", 40, 20);
  Json json = ReadJson(Judged("lock: A at m = 15 waits, longest 100ms\n", runs).Write(format_json));
  const Json &found = json["budgets"].items.back()["found"];
  ASSERT_EQ(found.items.size(), 2u);
  EXPECT_EQ(found.items[0]["waits_is_least"].text, "true");
  EXPECT_FALSE(found.items[1].Has("waits_is_least"));
  runs.runs[0].rows[0].sorts = 1u << LOCK_LOCK;
  json = ReadJson(Judged("lock: A at m = 15 waits, longest 100ms\n", runs).Write(format_json));
  EXPECT_FALSE(json["budgets"].items.back()["found"].items[0].Has("waits_is_least"))
      << "the others are monitors";
}

TEST(FormatJson, AcceptsAnyName) {
  Runs runs;
  runs.Run(HostileName()).Add(BUDGET_IO, HostileName(), 1, 0, HostileName());
  std::string text = Judged("", runs).Write(format_json, HostileName().c_str());
  Json json = ReadJson(text);
  EXPECT_EQ(json["runs"].items[0]["prefix"].text.substr(0, 15), "a<b>&\"c\"|'d'`e`");
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

}  // namespace
