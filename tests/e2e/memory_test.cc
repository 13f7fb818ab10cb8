/* Tests that the program is not affected if an allocation of the agent fails, and that `orca
   report` tells of it if the recording lacks something. Each run lets another allocation fail: some
   of them by default, all with --test_env=ORCA_EVERY_ALLOCATION=1. */
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

constexpr double kSeconds = 60;
constexpr int kCompleteRuns = 3;
constexpr unsigned long kRuns = 25;
constexpr unsigned long kLast = 20; /* the most allocations at the end of a recording */

class MemoryTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Runs the program and lets the `nth` allocation fail; 0: none. Returns the number of
   * allocations. */
  unsigned long Run(unsigned long nth) {
    Scratch scratch;
    std::string prefix = scratch.dir() + "/dump", number = scratch.dir() + "/number";
    std::string agent = "-agentpath:" + Runfile("agent/liborca_scarce.so") + "=" + prefix;
    std::map<std::string, std::string> environment = JavaEnvironment();
    environment["ORCA_FAIL_ALLOCATION"] = std::to_string(nth);
    environment["ORCA_ALLOCATIONS_TO"] = number;
    Result result = RunProcess(
        JavaCommand(GetParam(), {"-Xverify:all", agent + ",owners=all"}, {"counted.Medley"}),
        environment, scratch.dir(), kSeconds);
    unsigned long num = 0;
    std::ifstream(number) >> num;
    EXPECT_EQ(result.status, 0) << "signal " << result.signal << "\n" << result.err;
    Story story = ReadStory(result.out);
    EXPECT_TRUE(story.complete) << result.out;
    EXPECT_EQ(FindOrcaLines(result.out), std::vector<std::string>());
    bool has_failed = nth != 0 && nth <= num;
    ExpectMessage(result.err, has_failed);
    Dump dump = ReadDump(prefix);
    ExpectCounted(dump.info, has_failed, /* at_end */ nth + kLast > num);
    Result check = RunOrcaOn("check", {}, prefix, scratch.dir());
    EXPECT_EQ(check.signal, 0); /* the check may miss lines that the failure dropped */
    EXPECT_TRUE(has_failed || check.status == 0) << check.out << check.err;
    if (!has_failed) LearnFacts(dump, story);
    bool is_counted = dump.info["memory.failed"] == "1";
    EXPECT_EQ(check.out.find(": 1 allocation of the agent failed") != std::string::npos, is_counted)
        << check.out;
    bool is_incomplete = has_failed && (check.status != 0 || LacksLines(dump));
    ExpectTold(prefix, scratch.dir(), is_counted, is_incomplete);
    return num;
  }

  size_t CountFacts() const { return facts_.size(); }

 private:
  /* The events of one kind in the program's own threads: how many, and how many without a stack. */
  using Events = std::pair<int, int>;
  using Facts = std::map<enum event_kind, Events>;

  static Facts ReadFacts(const Dump &dump) {
    std::set<uint32_t> own;
    Facts facts;
    for (const Event &e : dump.events) {
      if (e.kind == EVENT_THREAD_STARTED && e.name.rfind("player-", 0) == 0) own.insert(e.thread);
    }
    for (const Event &e : dump.events) {
      if (own.count(e.thread) == 0) continue;
      facts[e.kind].first++;
      facts[e.kind].second += e.stack.empty() || e.stack == "0";
    }
    return facts;
  }

  /* Keeps the facts about what the program counts that are the same in each complete recording. How
     often the JDK makes other calls may depend on chance. */
  void LearnFacts(const Dump &dump, const Story &story) {
    Facts facts = ReadFacts(dump);
    for (auto fact = facts.begin(); fact != facts.end();) {
      bool is_counted = story.counts.count(fact->first) != 0 &&
                        story.jdk.count(event_infos[fact->first].group) == 0;
      fact = is_counted ? std::next(fact) : facts.erase(fact);
    }
    if (facts_.empty()) facts_ = facts;
    for (auto fact = facts_.begin(); fact != facts_.end();) {
      auto now = facts.find(fact->first);
      bool is_same = now != facts.end() && now->second == fact->second;
      fact = is_same ? std::next(fact) : facts_.erase(fact);
    }
  }

  /* Returns whether the recording differs from the complete ones. */
  bool LacksLines(const Dump &dump) const {
    Facts facts = ReadFacts(dump);
    return std::any_of(facts_.begin(), facts_.end(), [&](const auto &fact) {
      auto now = facts.find(fact.first);
      return now == facts.end() || now->second != fact.second;
    });
  }

  /* Expects that `orca report` says that an allocation failed if that is counted, and that it says
     something if the recording is incomplete. */
  static void ExpectTold(const std::string &prefix, const std::string &dir, bool is_counted,
                         bool is_incomplete) {
    Result report = RunOrcaOn("report", {}, prefix, dir);
    std::string text = report.out;
    for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
    bool says_failed = text.find(
                           "* 1 allocation of the agent failed, as there was no memory: "
                           "lines or their definitions may be missing.") != std::string::npos;
    bool says_no_end = text.find("* The recording has no end: ") != std::string::npos;
    EXPECT_EQ(says_failed, is_counted) << report.out << report.err;
    EXPECT_TRUE(!is_incomplete || says_failed || says_no_end || report.status != 0)
        << report.out << report.err;
  }

  /* Expects the counter memory.failed. It is missing if nothing was recorded. `at_end`: the end of
     .info may be written already. */
  static void ExpectCounted(const std::map<std::string, std::string> &info, bool has_failed,
                            bool at_end) {
    auto count = info.find("memory.failed");
    if (count == info.end() || (has_failed && at_end)) return;
    EXPECT_EQ(count->second, has_failed ? "1" : "0");
  }

  /* Expects one message about the failure. There may be other messages about its consequences. */
  static void ExpectMessage(const std::string &err, bool has_failed) {
    std::vector<std::string> lines = FindOrcaLines(err);
    auto is_message = [](const std::string &line) {
      return line.find("there is no memory for ") != std::string::npos &&
             line.find(" more bytes") != std::string::npos;
    };
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), is_message), has_failed) << err;
    EXPECT_TRUE(has_failed || lines.empty()) << err;
  }

  Facts facts_;
};

TEST_P(MemoryTest, ProgramContinuesAfterAFailedAllocation) {
  unsigned long num = 0;
  for (int i = 0; i < kCompleteRuns; i++) num = Run(0);
  ASSERT_GT(num, kRuns);
  ASSERT_GT(CountFacts(), 10u); /* semaphores, latches, starts and others are always the same */
  unsigned long runs = getenv("ORCA_EVERY_ALLOCATION") == nullptr ? kRuns : num;
  for (unsigned long i = 0; i < runs; i++) {
    unsigned long nth = 1 + i * (num - 1) / (runs - 1);
    SCOPED_TRACE(nth);
    Run(nth);
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, MemoryTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
