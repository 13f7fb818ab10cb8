#include "tests/support/json.h"
#include "tests/tools/orca/collect/collected.h"

namespace {

TEST(AnswerJson, HasTheSameFigures) {
  Collected c;
  c.AddBoth();
  Json json = ReadJson(c.Write(answer_json));
  EXPECT_EQ(json["schema"].text, "1");
  EXPECT_EQ(json["complete"].text, "true");
  EXPECT_EQ(json["recordings"].text, "2");
  const Json &deadlock = json["problems"].items[0];
  EXPECT_EQ(deadlock["kind"].text, "deadlock");
  EXPECT_EQ(deadlock["num_tests"].text, "2");
  EXPECT_EQ(deadlock["tests"].items[1].text, "//b:two");
  EXPECT_EQ(deadlock["command"].text, "orca deadlocks /out/one.zip/run");
  const Json &lock = json["locks"].items[0];
  EXPECT_EQ(lock["key"].text, "com.acme.Inventory at com.acme.Inventory.reserve");
  EXPECT_EQ(lock["blocked_ns"].text, "5500000000");
  EXPECT_EQ(lock["worst_test"].text, "//a:one");
  EXPECT_EQ(json["critical_sections"].items.size(), c.Keys(COLLECTED_HOLD).size());
  EXPECT_EQ(json["options"].items[0]["text"].text, "events=all");
  EXPECT_EQ(json["not_known"].items[0]["recordings"].text, "2");
  Strings states;
  for (const Json &test : json["tests"].items) states.push_back(test["state"].text);
  EXPECT_EQ(states, Strings({"recorded", "recorded", "no_recording", "not_local", "did_not_run"}));
}

TEST(AnswerJson, SaysThatANumberIsTheLeast) {
  Collected c;
  SmallModel small;
  AddWaitsOfSeveralLocks(&small.files);
  c.Add(0, "one", &small);
  collection_end(&c.all);
  Json json = ReadJson(c.Write(answer_json));
  const Json &lock = json["locks"].items[0], &price = json["locks"].items[2];
  EXPECT_EQ(lock["waits"].text, "1003");
  EXPECT_EQ(lock["waits_is_least"].text, "true");
  EXPECT_EQ(price["key"].text, "com.acme.Inventory at com.acme.OrderService.price");
  EXPECT_TRUE(price.Has("waits_is_least"));
  EXPECT_EQ(json["locks"].items[3]["key"].text, "several objects, not told apart");
  EXPECT_FALSE(json["locks"].items[3].Has("waits_is_least"));
}

}  // namespace
