#include "tests/recordings/recording.h"

#include <sstream>

#include "tests/recordings/screen.h"
#include "tests/support/page_data.h"
#include "tests/support/text.h"
#include "tools/orca/cmd/commands.h"

namespace {

bool EndsWith(std::string_view text, std::string_view tail) {
  return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail;
}

}  // namespace

Outcome RunOrca(const std::vector<std::string> &words) {
  return RunRow(*commands_find(words.at(0).c_str()), words);
}

std::string Recording::Fact(const std::string &name) const {
  for (const std::string &line : SplitLines(out_)) {
    std::istringstream words(line);
    std::string fact, found, value;
    if (words >> fact >> found >> value && fact == "fact" && found == name) return value;
  }
  ADD_FAILURE() << "no fact " << name << " in:\n" << out_;
  return "";
}

unsigned long long Recording::Number(const std::string &name) const {
  return strtoull(Fact(name).c_str(), nullptr, 10);
}

Outcome Recording::RunCommand(const std::string &command, std::vector<std::string> words) const {
  words.insert(words.begin(), command);
  words.push_back(prefix_);
  return RunOrca(words);
}

std::string Recording::RunView(const std::string &command,
                               const std::vector<std::string> &words) const {
  Outcome outcome = RunCommand(command, words);
  EXPECT_EQ(outcome.status, 0) << command << ": " << outcome.err;
  EXPECT_EQ(outcome.err, "") << command;
  return outcome.out;
}

Json Recording::ReadView(const std::string &command, std::vector<std::string> words) const {
  words.insert(words.begin(), "--format=json");
  return ReadJson(RunView(command, words));
}

Json Recording::ReadPage() const { return ReadPageData(RunView("html", {"-o=-"})); }

std::string Recording::ReadSummary() const {
  std::string text = ReadScreen(RunView("report")).text;
  for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
  return text;
}

std::vector<Row> ReadRows(const std::string &text, char separator) {
  std::vector<Row> rows;
  std::vector<std::string> columns;
  for (const std::string &line : SplitLines(text)) {
    std::vector<std::string> cells = {""};
    for (char c : line) c == separator ? cells.push_back("") : cells.back().push_back(c);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    rows.emplace_back();
    for (size_t i = 0; i < cells.size(); i++) rows.back()[columns.at(i)] = cells[i];
  }
  return rows;
}

const Json &FindRow(const Json &rows, std::string_view key, std::string_view tail) {
  static const Json none;
  for (const Json &row : rows.items) {
    if (EndsWith(row[std::string(key)].text, tail)) return row;
  }
  ADD_FAILURE() << "no " << key << " " << tail;
  return none;
}

std::string FindMember(const Json &rows, const std::string &key, const std::string &tail,
                       const std::string &member) {
  for (const Json &row : rows.items) {
    if (EndsWith(row[key].text, tail)) return row[member].text;
  }
  return "";
}
