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

struct Log {
  Edges edges;
  std::map<std::string, int> external; /* by event: waits of known waiters without a waker */
};

/* Reads the waits of the account's waiters. */
Log ReadLog(const std::string &csv, const Edges &account) {
  Log log;
  for (const Row &row : ReadRows(csv, ',')) {
    const std::string &event = row.at("event"), &thread = row.at("thread");
    if (account.count({event, thread}) == 0) continue;
    const std::string &waker = row.at(event == "TaskTaken" ? "started_by" : "woken_by");
    log.edges[{event, thread}].push_back(waker);
    if (waker.empty()) {
      log.external[event]++;
    } else {
      EXPECT_LE(row.at("cause_timestamp"), row.at("timestamp")) << event << " of " << thread;
    }
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
  /* In JDK 8, Exchanger, StampedLock and ForkJoinPool call Unsafe.unpark, which is not recorded. */
  const int calls_unpark = 9;
  return {
      {"WhoWoke", program, "", ExpectWakers, GetFlags("false"), calls_unpark},
      {"WhoWokeAll", program, ",locks=all", ExpectWakers, GetFlags("false"), calls_unpark},
      {"WhoWokeVirtual", program, "", ExpectWakers, GetFlags("true"), 21},
  };
}
