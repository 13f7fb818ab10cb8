/* The program counted.WhoWoke, which knows who ended each of its waits. orca log must say the same.
 */
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/recordings/cases.h"
#include "tests/support/text.h"

namespace {

/* Names of the wakers of a waiter, in the order of its waits; "": not known. */
using Wakers = std::vector<std::string>;
using Edges = std::map<std::pair<std::string, std::string>, Wakers>; /* by event and waiter */

Edges ReadAccount(const std::string &output) {
  Edges edges;
  for (const std::string &line : SplitLines(output)) {
    std::istringstream words(line);
    std::string key, event, waiter, waker;
    words >> key >> event >> waiter >> waker;
    if (key == "woken") edges[{event, waiter}].push_back(waker);
  }
  return edges;
}

std::vector<std::string> SplitFields(const std::string &line) {
  std::vector<std::string> fields(1);
  for (char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

/* A line of orca log --format=csv. */
class Row {
 public:
  Row(const std::vector<std::string> &names, const std::string &line) {
    std::vector<std::string> values = SplitFields(line);
    for (size_t i = 0; i < names.size() && i < values.size(); i++) fields_[names[i]] = values[i];
  }
  const std::string &operator[](const char *name) { return fields_[name]; }

 private:
  std::map<std::string, std::string> fields_;
};

struct Log {
  Edges edges;
  std::map<std::string, int> external; /* by event: waits of known waiters without a waker */
};

/* Reads the waits of the account's waiters. */
Log ReadLog(const std::string &csv, const Edges &account) {
  Log log;
  std::vector<std::string> lines = SplitLines(csv);
  std::vector<std::string> names = SplitFields(lines.at(0));
  for (size_t i = 1; i < lines.size(); i++) {
    Row row(names, lines[i]);
    bool is_task = row["event"] == "TaskTaken";
    if (account.count({row["event"], row["thread"]}) == 0) continue;
    const std::string &waker = row[is_task ? "started_by" : "woken_by"];
    log.edges[{row["event"], row["thread"]}].push_back(waker);
    if (waker.empty()) {
      log.external[row["event"]]++;
      continue;
    }
    EXPECT_LE(row["cause_timestamp"], row["timestamp"]) << lines[i];
  }
  return log;
}

void ExpectWakers(const Recording &recording) {
  ASSERT_TRUE(Has(recording.out(), "\nend\n")) << recording.out();
  Edges account = ReadAccount(recording.out());
  ASSERT_GT(account.size(), 50u);
  Log log = ReadLog(recording.RunView("log", {"--format=csv"}), account);
  for (const auto &[wait, wakers] : account) {
    EXPECT_EQ(log.edges[wait], wakers) << wait.first << " of " << wait.second;
  }
  for (const auto &[event, times] : log.external) {
    ADD_FAILURE() << event << " without a waker: " << times;
  }
}

std::vector<std::string> GetFlags(const char *is_virtual) {
  return {std::string("-Dvirtual=") + is_virtual, "-Djdk.virtualThreadScheduler.parallelism=8",
          "-Xcheck:jni"};
}

}  // namespace

std::vector<Case> ListWakers() {
  const std::vector<std::string> program = {"counted.WhoWoke"};
  return {
      {"WhoWoke", program, "", ExpectWakers, GetFlags("false")},
      {"WhoWokeAll", program, ",locks=all", ExpectWakers, GetFlags("false")},
      {"WhoWokeVirtual", program, "", ExpectWakers, GetFlags("true"), 21},
  };
}
