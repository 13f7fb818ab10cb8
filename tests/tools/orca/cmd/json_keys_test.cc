// The JSON of the views, and its description in docs/json.md.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/json.h"
#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/two_runs.h"
#include "tools/orca/answer/finding.h"
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
  void ExpectDocumented(const Json &json, const std::string &schema = "2") {
    std::set<std::string> keys;
    ASSERT_FALSE(page_.empty());
    EXPECT_EQ(json["schema"].text, schema);
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
  EXPECT_FALSE(json.Has("verdicts")) << "the texts are in the findings";
  ExpectDocumented(json);
  for (const Json &finding : json["findings"].items) {
    EXPECT_NE(page_.find("`" + finding["kind"].text + "`"), std::string::npos);
  }
}

// What the page has to say in parentheses after a key that does not tell its type.
std::string DescribeType(const struct finding_field &field) {
  switch (field.type) {
    case TYPE_TEXT:
      return "text";
    case TYPE_FLAG:
      return std::regex_search(field.key, std::regex("(^|_)(is|are|was|has)_")) ? "" : "flag: ";
    case TYPE_ROWS:
      return "array of `" + std::string(finding_infos[field.part].key) + "`";
    default:
      return "";
  }
}

// The page tells these types by the names of the keys.
bool HasKeyOfItsType(const struct finding_field &field) {
  bool is_place = std::regex_match(field.key, std::regex("place|caller|[a-z_]*_place|[a-z_]*_at"));
  bool is_lock = std::regex_match(field.key, std::regex("lock|limit_lock|asks_for|has"));
  return is_place == (field.type == TYPE_PLACE) && is_lock == (field.type == TYPE_LOCK);
}

class FindingKeys : public testing::TestWithParam<int> {};

// The last cell of its row has all keys, in their order: "`waited`, `holder` (text: who held it)".
TEST_P(FindingKeys, AreDocumented) {
  const struct finding_info &info = finding_infos[GetParam()];
  std::string page = ReadFile("docs/json.md"), begin = "\n| `" + std::string(info.key) + "` | ";
  size_t row = page.find(begin), end = page.find(" |\n", row + 1);
  ASSERT_NE(row, std::string::npos) << info.key << " has no row";
  EXPECT_EQ(page.find(begin, row + 1), std::string::npos) << "it has two rows";
  size_t cell = page.rfind(" | ", end - 1) + 3;
  std::string text = page.substr(cell, end - cell), read;
  const std::regex form("`([a-z_]+)`(?: [(]([^()]*)[)])?(?:, |$)");
  size_t num = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), form), no; at != no; ++at, num++) {
    read += at->str();
    ASSERT_LT(num, info.num_fields) << at->str();
    const struct finding_field &field = info.fields[num];
    EXPECT_EQ((*at)[1], field.key);
    EXPECT_EQ((*at)[2].str().find(DescribeType(field)), 0u) << at->str();
    EXPECT_TRUE(HasKeyOfItsType(field)) << field.key;
  }
  EXPECT_EQ(num, info.num_fields);
  EXPECT_EQ(read, text);
}

INSTANTIATE_TEST_SUITE_P(, FindingKeys, testing::Range(0, static_cast<int>(NUM_FINDING_KINDS)),
                         [](const auto &info) {
                           std::string name = finding_infos[info.param].key;
                           name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
                           return name;
                         });

// Whatever a finding says, its figures have the keys of its kind.
TEST_F(JsonKeys, AFindingHasAllItsFigures) {
  Json json = Show(cmd_report, {"report"});
  ASSERT_FALSE(json["findings"].items.empty());
  for (const Json &finding : json["findings"].items) {
    const struct finding_info *info = finding_infos;
    while (finding["kind"].text != info->key) {
      ASSERT_LT(++info, finding_infos + NUM_FINDING_KINDS) << finding["kind"].text;
    }
    EXPECT_EQ(finding["figures"].members.size(), info->num_fields);
    for (size_t i = 0; i < info->num_fields; i++) {
      EXPECT_TRUE(finding["figures"].Has(info->fields[i].key)) << info->fields[i].key;
    }
    EXPECT_FALSE(finding["text"].text.empty());
    EXPECT_TRUE(finding.Has("weight_ns"));
  }
}

TEST_F(JsonKeys, EveryViewIsDocumented) {
  for (const struct command_row &row : commands) {
    if (row.command->view.append == nullptr) continue;
    SCOPED_TRACE(row.name);
    ExpectDocumented(Show(*row.command, {row.name}));
  }
  const std::vector<std::pair<const struct command *, std::vector<std::string>>> calls = {
      {&cmd_diff, {"diff", "--fail-on=lock+1%", other_.Prefix()}},
      {&cmd_hot, {"hot", "--by-thread"}},
      {&cmd_hot, {"hot", "--tree"}},
      {&cmd_log, {"log", "--stack"}},
      {&cmd_path, {"path", "--tasks"}},
      {&cmd_top, {"top", "--once"}},
      {&cmd_whatif, {"whatif"}},
      {&cmd_whatif, {"whatif", "--plan"}}};
  for (const auto &[command, words] : calls) {
    SCOPED_TRACE(words[0] + words.back());
    ExpectDocumented(Show(*command, words));
  }
}

TEST_F(JsonKeys, TheBudgetIsDocumented) {
  const std::string file = small_.Folder() + "/locks.budget";
  std::ofstream(file) << "blocked = 1%\nlock: * = 0 waits, longest 1ms\n";
  Json json = Show(cmd_budget, {"budget", file});
  unlink(file.c_str());
  ExpectDocumented(json);
  const std::vector<Json> &rows = json["budgets"].items;
  ASSERT_GT(rows.size(), 2u);
  for (const Json &row : rows) {
    EXPECT_EQ(row.members.size(), rows[0].members.size()) << "the rows of a table have equal keys";
  }
}

TEST_F(JsonKeys, SumsOfShortCallsAreDocumented) {
  AddShortCalls(&small_);
  Json locks = Show(cmd_locks, {"locks"}), waits = Show(cmd_waits, {"waits"});
  EXPECT_TRUE(locks["locks"].items[0].Has("long_waits"));
  EXPECT_TRUE(waits["waits"].items[0].Has("long_count"));
  ExpectDocumented(locks);
  ExpectDocumented(waits);
  ExpectDocumented(Show(cmd_report, {"report"}));
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
  ExpectDocumented(json, "1");
}

TEST_F(JsonKeys, EveryViewHasSchemaAndSource) {
  for (const struct command_row &row : commands) {
    bool is_view = row.command->view.append != nullptr || row.command == &cmd_log;
    if (!is_view) continue;
    Json json = Show(*row.command, {row.name});
    EXPECT_EQ(json["schema"].text, "2") << row.name;
    EXPECT_EQ(json["source"]["options"]["interval"].text, "20ms") << row.name;
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
