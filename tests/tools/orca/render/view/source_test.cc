#include "tests/support/json.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

Json Source(SmallModel *small) {
  const struct model *m = small->Read();
  std::string text = ShowPage([&](struct page *p) { view_source(p, m->dump); }, FORMAT_JSON);
  return JsonReader(text + "}").Read()["source"];
}

TEST(Source, NamesFilesAndOptions) {
  SmallModel small;
  Json source = Source(&small);
  EXPECT_EQ(source["prefix"].text, small.files.Prefix());
  EXPECT_EQ(source["orca_version"].text, "0.1.0");
  EXPECT_EQ(source["test"].kind, Json::kNull);
  EXPECT_EQ(source["options"].members.size(), 3u);
  EXPECT_EQ(source["options"]["interval"].text, "20ms");
  EXPECT_TRUE(source["option_changes"].items.empty());
}

TEST(Source, NamesTheTestOfBazel) {
  SmallModel small;
  small.files.Append(DUMP_INFO, "test.target=//app:cart_test\ntest.shard=2 of 4\n");
  Json test = Source(&small)["test"];
  EXPECT_EQ(test["target"].text, "//app:cart_test");
  EXPECT_EQ(test["shard"].text, "2 of 4");
  EXPECT_EQ(test["run"].kind, Json::kNull);
}

TEST(Source, HasTheLosses) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=7");
  Json losses = Source(&small)["losses"];
  EXPECT_EQ(losses["events_dropped"].Integer(), 7u);
  EXPECT_EQ(losses["stacks_cut"].kind, Json::kNull);
  EXPECT_EQ(losses["sets_missing"].Integer(), 0u);
  EXPECT_EQ(losses["is_lossy"].text, "true");
  EXPECT_EQ(losses["has_end"].text, "true");
  SmallModel killed;
  killed.files.Replace(DUMP_INFO, "end.monotonic=110.0000000000\n", "");
  EXPECT_EQ(Source(&killed)["losses"]["has_end"].text, "false");
}

TEST(Source, HasTheChangesOfOptions) {
  SmallModel small;
  small.files.Append(DUMP_INFO, "change=102.0000000000,102.5000000000,set,threshold=1ms\n");
  Json change = Source(&small)["option_changes"].items.at(0);
  EXPECT_EQ(change["since_ns"].Integer(), 2500000000u);
  EXPECT_EQ(change["option"].text, "threshold");
  EXPECT_EQ(change["value"].text, "1ms");
  EXPECT_EQ(change["cause"].text, "set");
}

TEST(Source, IsOnlyForJson) {
  SmallModel small;
  const struct model *m = small.Read();
  EXPECT_EQ(ShowPage([&](struct page *p) { view_source(p, m->dump); }), "");
}

}  // namespace
