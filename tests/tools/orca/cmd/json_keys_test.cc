// The JSON of the views, and its description in docs/json.md.
#include <unistd.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/support/json.h"
#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/two_runs.h"
#include "tools/orca/cmd/commands.h"

namespace {

class JsonKeys : public testing::Test {
 protected:
  JsonKeys() {
    WriteSmallDump(&small_);
    WriteRun(&other_, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
    page_ = ReadFile("docs/json.md");
  }
  Json Show(const struct command &command, std::vector<std::string> words) {
    words.push_back("--format=json");
    words.push_back(small_.Prefix());
    Outcome o = RunCommand(command, words);
    EXPECT_LE(o.status, 3) << o.err;
    return JsonReader(o.out).Read();
  }
  // All keys of the object and of the objects in it, except for those of options.
  void CollectKeys(const Json &json, std::set<std::string> *out) {
    for (const Json &item : json.items) CollectKeys(item, out);
    for (const auto &[key, member] : json.members) {
      out->insert(key);
      if (key != "options") CollectKeys(member, out);
    }
  }
  void ExpectDocumented(const Json &json) {
    std::set<std::string> keys;
    ASSERT_FALSE(page_.empty());
    EXPECT_EQ(json["schema"].text, "1");
    CollectKeys(json, &keys);
    for (const std::string &key : keys) {
      EXPECT_NE(page_.find("`" + key + "`"), std::string::npos) << key;
    }
  }

  DumpFiles small_, other_;
  std::string page_;
};

TEST_F(JsonKeys, TheReportIsDocumented) {
  Json json = Show(cmd_report, {"report"});
  EXPECT_EQ(json["source"]["prefix"].text, small_.Prefix());
  EXPECT_EQ(json["deadlocks"].items.size(), 2u);
  EXPECT_TRUE(json.Has("orders"));
  for (const char *table : {"threads", "periods"}) json.members.erase(table);
  ExpectDocumented(json);
  for (const Json &finding : json["findings"].items) {
    EXPECT_NE(page_.find("`" + finding["kind"].text + "`"), std::string::npos);
  }
}

TEST_F(JsonKeys, OtherViewsAreDocumented) {
  ExpectDocumented(Show(cmd_locks, {"locks"}));
  ExpectDocumented(Show(cmd_deadlocks, {"deadlocks"}));
  ExpectDocumented(Show(cmd_hot, {"hot"}));
  ExpectDocumented(Show(cmd_diff, {"diff", "--fail-on=lock+1%", other_.Prefix()}));
}

TEST_F(JsonKeys, SumsOfShortCallsAreDocumented) {
  AddShortCalls(&small_);
  Json locks = Show(cmd_locks, {"locks"}), waits = Show(cmd_waits, {"waits"});
  EXPECT_TRUE(locks["locks"].items[0].Has("long_waits"));
  EXPECT_TRUE(waits["waits"].items[0].Has("long_count"));
  for (const char *table : {"waiters", "wakers"}) waits.members.erase(table);
  ExpectDocumented(locks);
  ExpectDocumented(waits);
  Json report = Show(cmd_report, {"report"});
  for (const char *table : {"threads", "periods"}) report.members.erase(table);
  ExpectDocumented(report);
}

TEST_F(JsonKeys, CollectIsDocumented) {
  const std::string file = small_.Folder() + "/events";
  std::ofstream(file)
      << R"({"id":{"testResult":{"label":"//a:one"}},"testResult":{"testActionOutput":)"
      << R"([{"name":"test.outputs","uri":"file://)" << small_.Folder() << R"("}]}})";
  Outcome o =
      RunCommand(cmd_collect, {"collect", "--format=json", "--build_event_json_file=" + file});
  unlink(file.c_str());
  ASSERT_EQ(o.status, 0) << o.err;
  Json json = JsonReader(o.out).Read();
  for (const char *table : {"problems", "locks", "options", "tests"}) {
    EXPECT_FALSE(json[table].items.empty()) << table;
  }
  ExpectDocumented(json);
}

TEST_F(JsonKeys, EveryViewHasSchemaAndSource) {
  struct {
    const struct command &command;
    const char *name;
  } const views[] = {{cmd_report, "report"}, {cmd_locks, "locks"},     {cmd_deadlocks, "deadlocks"},
                     {cmd_hot, "hot"},       {cmd_waits, "waits"},     {cmd_threads, "threads"},
                     {cmd_log, "log"},       {cmd_methods, "methods"}, {cmd_path, "path"}};
  for (const auto &view : views) {
    Json json = Show(view.command, {view.name});
    EXPECT_EQ(json["schema"].text, "1") << view.name;
    EXPECT_EQ(json["source"]["options"]["interval"].text, "20ms") << view.name;
  }
}

TEST_F(JsonKeys, ALockIsAnObject) {
  const Json lock = Show(cmd_locks, {"locks"})["locks"].items.at(0);
  EXPECT_EQ(lock["lock_parts"]["kind"].text, "monitor");
  EXPECT_EQ(lock["lock_parts"]["class"].text, "com.acme.Inventory");
  EXPECT_EQ(lock["lock_parts"]["hash"].text, "000000A1");
  EXPECT_EQ(lock["lock_parts"]["objects"].Integer(), 1u);
  EXPECT_EQ(lock["main_place_parts"]["class"].text, "com.acme.Inventory");
  EXPECT_EQ(lock["main_place_parts"]["method"].text, "reserve");
  EXPECT_EQ(lock["main_place_parts"]["line"].Integer(), 42u);
  EXPECT_EQ(lock["lock"].text, "com.acme.Inventory@000000A1");  // the old key
}

TEST_F(JsonKeys, ADeadlockHasItsLocksAndStacks) {
  const Json link = Show(cmd_report, {"report"})["deadlocks"].items.at(0);
  EXPECT_EQ(link["waits_for_parts"]["kind"].text, "monitor");
  ASSERT_EQ(link["stack_parts"].items.size(), 2u);
  EXPECT_EQ(link["stack_parts"].items[1]["method"].text, "run");
}

TEST_F(JsonKeys, CsvHasNoObjects) {
  Outcome o = RunCommand(cmd_locks, {"locks", "--format=csv", small_.Prefix()});
  EXPECT_EQ(o.out.find("_parts"), std::string::npos);
  EXPECT_NE(o.out.find("main_place"), std::string::npos);
}

}  // namespace
