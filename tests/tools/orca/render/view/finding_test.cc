#include "tools/orca/render/view/finding.h"

#include "tests/support/json.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

// Collects the sentences that `say` writes.
template <typename Say>
std::vector<Json> Collect(Say say) {
  struct builder text = {}, array = {};
  struct findings findings = {};
  findings.out.out = &array;
  struct style style = {100, false, &findings};
  say(&text, &style);
  std::string json = "[" + std::string(array.data == nullptr ? "" : array.data, array.len) + "]";
  findings_free(&findings);
  builder_free(&array);
  builder_free(&text);
  return JsonReader(json).Read().items;
}

void Put(struct builder *b, const struct style *style, const char *text) {
  struct builder s = {};
  builder_string(&s, text);
  view_put_sentence(b, style, &s);
}

TEST(Finding, HasKindTextAndFigures) {
  std::vector<Json> all = Collect([](struct builder *b, const struct style *style) {
    view_finding(style, "lock");
    view_figure(style, "waited", 7);
    view_figure_ticks(style, "blocked_ns", 25);
    Put(b, style, "A \"lock\".");
    Put(b, style, "Another one.");
  });
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["kind"].text, "lock");
  EXPECT_EQ(all[0]["text"].text, "A \"lock\".");
  EXPECT_EQ(all[0]["figures"]["waited"].Integer(), 7u);
  EXPECT_EQ(all[0]["figures"]["blocked_ns"].Integer(), 3u);
  EXPECT_EQ(all[1]["kind"].text, "lock");
  EXPECT_TRUE(all[1]["figures"].members.empty());
}

TEST(Finding, SaysThatANumberOfWaitsIsTheLeast) {
  struct lock lock = {};
  lock.waited = 7;
  std::vector<Json> all = Collect([&](struct builder *b, const struct style *style) {
    for (bool is_least : {false, true}) {
      lock.waited_is_least = is_least;
      view_finding(style, "lock");
      view_figure_waited(style, &lock);
      Put(b, style, "A lock.");
    }
  });
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["figures"]["waited"].Integer(), 7u);
  EXPECT_FALSE(all[0]["figures"].Has("waited_is_least"));
  EXPECT_EQ(all[1]["figures"]["waited"].Integer(), 7u);
  EXPECT_EQ(all[1]["figures"]["waited_is_least"].Integer(), 1u);
}

TEST(Finding, FiguresOfASentenceThatWasNotWrittenAreDropped) {
  std::vector<Json> all = Collect([](struct builder *b, const struct style *style) {
    view_finding(style, "io");
    view_figure(style, "time_ns", 1);
    Put(b, style, "");
    view_finding(style, "gc");
    Put(b, style, "GC.");
  });
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["kind"].text, "gc");
  EXPECT_TRUE(all[0]["figures"].members.empty());
}

TEST(Finding, NeedsNoCollector) {
  struct builder b = {};
  view_finding(&kPlain, "lock");
  view_figure(&kPlain, "waited", 7);
  Put(&b, &kPlain, "Text.");
  EXPECT_EQ(TakeText(&b), "* Text.\n");
}

// The small dump ends in a deadlock of both workers; price uses most CPU time.
TEST(Finding, TheVerdictsHaveKinds) {
  SmallModel small;
  const struct model *m = small.Read();
  std::string text = ShowPage([&](struct page *p) { view_verdicts(p, m); }, FORMAT_JSON);
  Json json = JsonReader(text + "}").Read();
  const std::vector<Json> &findings = json["findings"].items, &verdicts = json["verdicts"].items;
  ASSERT_EQ(findings.size(), verdicts.size());
  ASSERT_GT(findings.size(), 2u);
  std::map<std::string, Json> by_kind;
  for (size_t i = 0; i < findings.size(); i++) {
    EXPECT_EQ(findings[i]["text"].text, verdicts[i].text);
    EXPECT_EQ(findings[i]["kind"].kind, Json::kString) << findings[i]["text"].text;
    by_kind.emplace(findings[i]["kind"].text, findings[i]["figures"]);
  }
  EXPECT_EQ(by_kind["deadlock"]["threads"].Integer(), 2u);
  const Json &lock = by_kind["lock"];
  EXPECT_EQ(lock["lock"]["class"].text, "com.acme.Inventory");
  EXPECT_EQ(lock["lock"]["kind"].text, "monitor");
  EXPECT_EQ(lock["lock"]["hash"].text, "000000A1");
  EXPECT_EQ(lock["place"]["method"].text, "reserve");
  EXPECT_EQ(lock["place"]["line"].Integer(), 42u);
  EXPECT_EQ(lock["blocked_ns"].Integer(), 2875000000u);
  EXPECT_EQ(lock["still_waiting"].Integer(), 1u);
}

}  // namespace
