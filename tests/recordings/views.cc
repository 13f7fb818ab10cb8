#include "tests/recordings/views.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "gtest/gtest.h"
#include "tests/support/page_data.h"
#include "tests/support/text.h"
#include "tools/orca/export/format.h"

namespace {

/* What the output of a view is. */
enum Form {
  kText, /* JSON if it begins with a brace */
  kCsv,
  kJson,
  kTsv,
  kStacks, /* lines that end with a number */
  kGzip,
  kPage,
};

struct View {
  std::string command;
  std::vector<std::string> words;
  Form form;
};

/* --- the views ------------------------------------------------------------------------------ */

/* Commands that have functions of their own below. */
const std::set<std::string> kOwnChecks = {"budget", "diff", "whatif"};

/* It needs a JVM that writes the recording. */
const char kNoView[] = "snapshot";

/* Commands that print text, CSV and JSON. */
std::vector<View> ListTables() {
  std::vector<View> views = {{"hot", {"--wall", "--tree"}, kText}};
  for (const struct command_row &row : commands) {
    bool has_tables = row.command->run == view_command_run && !row.command->view.has_no_tables;
    if (has_tables && kOwnChecks.count(row.name) == 0) views.push_back({row.name, {}, kText});
  }
  return views;
}

const std::vector<View> kOthers = {
    {"top", {"--once"}, kText}, {"top", {"--format=json"}, kJson}, {"metrics", {}, kText},
    {"html", {"-o=-"}, kPage},  {"digest", {"-o=-"}, kText},       {"pack", {"-o=-"}, kGzip},
    {"check", {}, kText},
};

Form GetForm(const struct export_format &format) {
  if (std::string(format.name) == "collapsed") return kStacks;
  return format.needs & NEEDS_BINARY ? kGzip : kText;
}

std::vector<View> ListExports() {
  std::vector<View> views;
  for (const struct export_format &format : export_formats) {
    std::string option = std::string("--format=") + format.name;
    bool has_tables = format.needs & NEEDS_TABLE;
    if (!has_tables) views.push_back({"export", {option, "-o=-"}, GetForm(format)});
    for (size_t i = 0; has_tables && i < NUM_TSV_TABLES; i++) {
      std::string table = std::string("--table=") + tsv_tables[i].name;
      views.push_back({"export", {option, table, "-o=-"}, kTsv});
    }
  }
  return views;
}

std::vector<View> ListViews() {
  std::vector<View> views = kOthers, exports = ListExports();
  for (const View &view : ListTables()) {
    views.push_back(view);
    for (auto [option, form] :
         {std::pair("--format=csv", kCsv), std::pair("--format=json", kJson)}) {
      views.push_back({view.command, view.words, form});
      views.back().words.push_back(option);
    }
  }
  views.insert(views.end(), exports.begin(), exports.end());
  return views;
}

/* --- their output --------------------------------------------------------------------------- */

size_t CountTsvFields(const std::string &line) {
  return 1 + static_cast<size_t>(std::count(line.begin(), line.end(), '\t'));
}

/* Returns the number of fields of each row. A field in quotes may contain commas and line ends, and
   a quote as two quotes. */
std::vector<size_t> CountCsvFields(const std::string &csv) {
  std::vector<size_t> rows;
  size_t fields = 1;
  bool is_quoted = false;
  for (char c : csv) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == ',') fields++;
    if (c != '\n') continue;
    rows.push_back(fields);
    fields = 1;
  }
  EXPECT_FALSE(is_quoted);
  return rows;
}

/* Of several tables, each begins with a row whose first field is "table". */
void ExpectCsv(const std::string &out) {
  ASSERT_NE(out, "");
  for (size_t at = 0, end; at < out.size(); at = end) {
    end = out.compare(at, 6, "table,") == 0 ? out.find("\ntable,", at) : std::string::npos;
    end = end == std::string::npos ? out.size() : end + 1;
    std::vector<size_t> rows = CountCsvFields(out.substr(at, end - at));
    EXPECT_EQ(std::set<size_t>(rows.begin(), rows.end()).size(), 1u);
  }
}

void ExpectTsv(const std::string &out) {
  std::vector<std::string> lines = SplitLines(out);
  ASSERT_FALSE(lines.empty());
  for (const std::string &line : lines) {
    ASSERT_EQ(CountTsvFields(line), CountTsvFields(lines[0])) << line;
  }
}

void ExpectStacks(const std::string &out) {
  for (const std::string &line : SplitLines(out)) {
    size_t space = line.rfind(' ');
    ASSERT_NE(space, std::string::npos) << line;
    ASSERT_EQ(line.find_first_not_of("0123456789", space + 1), std::string::npos) << line;
  }
}

void ExpectOutput(const View &view, const Outcome &outcome) {
  std::string line = "orca " + view.command;
  for (const std::string &word : view.words) line += " " + word;
  SCOPED_TRACE(line);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out, "");
  switch (view.form) {
    case kText:
      if (outcome.out[0] == '{') ReadJson(outcome.out);
      EXPECT_EQ(outcome.out.empty() ? ' ' : outcome.out.back(), '\n');
      return;
    case kCsv:
      return ExpectCsv(outcome.out);
    case kJson:
      ReadJson(outcome.out);
      return;
    case kTsv:
      return ExpectTsv(outcome.out);
    case kStacks:
      return ExpectStacks(outcome.out);
    case kGzip:
      EXPECT_EQ(outcome.out.substr(0, 2), "\x1F\x8B");
      return;
    case kPage:
      ReadPageData(outcome.out);
      return;
  }
}

/* --- commands that do not always succeed --------------------------------------------------- */

/* A simulation that differs from the recording predicts nothing, and says so. */
void ExpectPrediction(const Recording &recording) {
  Outcome text = recording.RunCommand("whatif", {"--plan"});
  bool is_refused = Has(text.out, "No prediction: ");
  EXPECT_EQ(text.status, is_refused ? 1 : 0) << text.out << text.err;
  for (const char *option : {"--format=csv", "--format=json"}) {
    Outcome outcome = recording.RunCommand("whatif", {"--plan", option});
    EXPECT_EQ(outcome.status, text.status) << option << outcome.err;
    if (std::string(option) == "--format=csv") {
      ExpectCsv(outcome.out);
    } else {
      ReadJson(outcome.out);
    }
  }
}

/* Most recordings have no tasks. */
void ExpectTasks(const Recording &recording) {
  Outcome text = recording.RunCommand("path", {"--tasks"});
  Outcome json = recording.RunCommand("path", {"--tasks", "--format=json"});
  bool has_none = Has(text.out, "No complete task ");
  EXPECT_EQ(text.status, has_none ? 1 : 0) << text.out << text.err;
  EXPECT_EQ(json.status, text.status);
  Json paths = ReadJson(json.out);
  EXPECT_TRUE(has_none || !paths["all_calls"].items.empty());
}

/* A recording keeps the budget that was made from it. One with a deadlock makes none. */
void ExpectBudget(const Recording &recording, const std::string &dir) {
  const std::string budget = dir + "/budget";
  bool has_deadlock = !recording.ReadView("deadlocks")["deadlocks"].items.empty();
  Outcome update = recording.RunCommand("budget", {"--update", "--accept", budget});
  EXPECT_EQ(update.status, has_deadlock ? 2 : 0) << update.out << update.err;
  if (has_deadlock) std::ofstream(budget) << "";
  Outcome text = recording.RunCommand("budget", {budget});
  EXPECT_EQ(text.status, has_deadlock ? 3 : 0) << text.out << text.err;
  ReadJson(recording.RunCommand("budget", {"--format=json", budget}).out);
}

/* Expects that the members a and b, a_ns and b_ns and so on, of a row of orca diff are equal. */
void ExpectEqualSides(const Json &row) {
  for (const auto &[key, value] : row.members) {
    if (key != "a" && key.rfind("a_", 0) != 0) continue;
    EXPECT_EQ(value.text, row["b" + key.substr(1)].text) << key;
  }
}

/* A recording differs neither from itself nor from its digest. */
void ExpectNoDifference(const Recording &recording, const std::string &dir) {
  const std::string digest = dir + "/recording.digest";
  std::ofstream(digest) << recording.RunView("digest", {"-o=-"});
  for (const std::string &other : {recording.prefix(), digest}) {
    EXPECT_NE(recording.RunView("diff", {other}), "");
    ExpectCsv(recording.RunView("diff", {"--format=csv", other}));
    Json diff = recording.ReadView("diff", {other});
    for (const char *table : {"totals", "methods", "locks", "waits"}) {
      for (const Json &row : diff[table].items) ExpectEqualSides(row);
    }
  }
}

}  // namespace

bool IsCovered(const std::string &command) {
  for (const View &view : ListViews()) {
    if (view.command == command) return true;
  }
  return kOwnChecks.count(command) > 0 || command == kNoView;
}

void ExpectEveryView(const Recording &recording, const std::string &dir) {
  for (const View &view : ListViews()) {
    ExpectOutput(view, recording.RunCommand(view.command, view.words));
  }
  ExpectPrediction(recording);
  ExpectTasks(recording);
  ExpectBudget(recording, dir);
  ExpectNoDifference(recording, dir);
}
