/* Compares who ended each wait, as orca log shows it, with the account of a program that knows. */
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
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
  std::map<std::string, int> causes;
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
    log.causes[row["event"] + " by " + row["cause"]]++;
    EXPECT_LE(row["cause_timestamp"], row["timestamp"]) << lines[i];
  }
  return log;
}

struct Run {
  std::string flag, options, name;
};

void PrintTo(const Run &run, std::ostream *out) { *out << run.name; }

class WhoWokeTest : public testing::TestWithParam<std::tuple<Setup, Run>> {};

TEST_P(WhoWokeTest, EachWaitEndsByItsWaker) {
  const auto &[setup, run] = GetParam();
  Session session(setup,
                  Program({"counted.WhoWoke"},
                          {run.flag, "-Djdk.virtualThreadScheduler.parallelism=8", "-Xcheck:jni"},
                          run.options));
  session.Wait(120);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ASSERT_TRUE(session.story().complete) << session.result().err;
  session.ExpectChecked();
  Edges account = ReadAccount(session.result().out);
  ASSERT_GT(account.size(), 50u);
  Log log = ReadLog(session.RunOrca("log", {"--format=csv"}).out, account);
  for (const auto &[wait, wakers] : account) {
    EXPECT_EQ(log.edges[wait], wakers) << wait.first << " of " << wait.second;
  }
  for (const auto &[cause, times] : log.causes) std::cout << cause << ": " << times << "\n";
  std::cout << "kinds of waits without a waker: " << log.external.size() << "\n";
  for (const auto &[event, times] : log.external) {
    ADD_FAILURE() << event << " without a waker: " << times;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Jvm, WhoWokeTest,
    testing::Combine(testing::ValuesIn(FindSetups()),
                     testing::Values(Run{"-Dvirtual=false", "", "Platform"},
                                     Run{"-Dvirtual=false", ",locks=all", "PlatformAll"},
                                     Run{"-Dvirtual=true", "", "Virtual"})),
    [](const auto &info) {
      return std::get<1>(info.param).name + "_" + SetupName(std::get<0>(info.param));
    });

}  // namespace
