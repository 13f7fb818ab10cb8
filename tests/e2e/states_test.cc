/* Tests that the states of threads are true, and the same in all views. The program
   tests/workloads/truth/ThreadStates.java accounts for the time of its threads itself. */
#include <math.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/jvm.h"
#include "tests/support/page_data.h"
#include "tests/support/text.h"

namespace {

using States = std::map<std::string, double>;    /* nanoseconds by the name of the state */
using Threads = std::map<std::string, States>;   /* by the hash of the thread */
using Keys = std::map<std::string, std::string>; /* the name of a state, by its key in JSON */

const Keys kThreadsKeys = {
    {"running_ns", "running"}, {"runnable_ns", "runnable"}, {"blocked_ns", "blocked"},
    {"waiting_ns", "waiting"}, {"parked_ns", "parked"},     {"sleeping_ns", "sleeping"},
    {"io_ns", "in I/O"},       {"hidden_ns", "not seen"},   {"no_call_ns", "in no call"}};
const Keys kReportKeys = {{"blocked_ns", "blocked"},   {"waits_ns", "waiting"},
                          {"parked_ns", "parked"},     {"sleeps_ns", "sleeping"},
                          {"io_ns", "in I/O"},         {"hidden_ns", "not seen"},
                          {"no_call_ns", "in no call"}};

Json RunJson(const std::string &command, std::vector<std::string> words, const std::string &prefix,
             const std::string &dir) {
  words.insert(words.end(), {"--format=json"});
  Result result = RunOrcaOn(command, words, prefix, dir);
  EXPECT_EQ(result.status, 0) << command << ": " << result.err;
  return ReadJson(result.out);
}

Threads ReadThreads(const Json &view, const Keys &keys) {
  Threads threads;
  for (const Json &row : view["threads"].items) {
    for (const auto &[key, state] : keys) {
      threads[row["hash"].text][state] = row[key].Number();
    }
  }
  return threads;
}

Threads ReadPage(const std::string &prefix, const std::string &dir) {
  Threads threads;
  Result result = RunOrcaOn("html", {"-o", dir + "/page.html"}, prefix, dir);
  EXPECT_EQ(result.status, 0) << result.err;
  Json data = ReadPageData(ReadFile(dir + "/page.html"));
  const std::vector<Json> &states = data["timeline"]["states"].items;
  for (const Json &row : data["timeline"]["rows"].items) {
    const Json &thread = data["threads"].items[row["thread"].Integer()];
    for (size_t i = 0; i < states.size(); i++) {
      threads[thread.items[1].text][states[i].items[0].text] = row["sums"].items[i].Number();
    }
  }
  return threads;
}

/* Sums up the slices of states. The id of a thread's row is its hash with the highest bit set. */
Threads ReadPerfetto(const std::string &prefix, const std::string &dir) {
  Threads threads;
  Result result = RunOrcaOn("export", {"--format=perfetto"}, prefix, dir);
  EXPECT_EQ(result.status, 0) << result.err;
  Json trace = ReadJson(result.out);
  for (const Json &event : trace["traceEvents"].items) {
    if (!event.Has("cat") || event["cat"].text != "state") continue;
    char hash[20];
    snprintf(hash, sizeof hash, "%08llX", event["tid"].Integer() ^ 0x80000000ull);
    threads[hash][event["name"].text] += event["dur"].Number() * 1000;
  }
  return threads;
}

double SumMember(const Json &view, const std::string &table, const std::string &key) {
  double sum = 0;
  for (const Json &row : view[table].items) {
    if (row[key].kind != Json::kNull) sum += row[key].Number();
  }
  return sum;
}

double SumState(const Threads &threads, const std::string &state) {
  double sum = 0;
  for (const auto &[hash, states] : threads) {
    auto found = states.find(state);
    if (found != states.end()) sum += found->second;
  }
  return sum;
}

/* Returns the time that threads were blocked, from the table of all waits. A wait inside of another
   wait of its thread counts once. */
double ReadBlockedOnce(const std::string &prefix, const std::string &dir) {
  Result result = RunOrcaOn("export", {"--format=tsv", "--table=waits"}, prefix, dir);
  EXPECT_EQ(result.status, 0) << result.err;
  std::istringstream lines(result.out);
  std::map<std::string, size_t> column;
  std::map<std::string, std::vector<std::pair<uint64_t, uint64_t>>> waits; /* by thread */
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells = {""};
    for (char c : line) c == '\t' ? cells.push_back("") : cells.back().push_back(c);
    if (column.empty()) {
      for (size_t i = 0; i < cells.size(); i++) column[cells[i]] = i;
      continue;
    }
    if (cells[column.at("sort")].empty() || cells[column.at("contended")] != "1") continue;
    uint64_t begin = std::stoull(cells[column.at("begin_at")]);
    waits[cells[column.at("thread_hash")]].push_back(
        {begin, begin + std::stoull(cells[column.at("wait_ns")])});
  }
  uint64_t sum = 0;
  for (auto &[thread, times] : waits) {
    std::sort(times.begin(), times.end());
    uint64_t end = 0;
    for (const auto &[from, to] : times) {
      if (to > end) sum += to - std::max(from, end);
      end = std::max(end, to);
    }
  }
  return static_cast<double>(sum);
}

/* Each view rounds its times to nanoseconds; a trace rounds each slice. */
void ExpectSame(const Threads &wanted, const Threads &view, double rounding, const char *name) {
  for (const auto &[hash, states] : view) {
    auto found = wanted.find(hash);
    ASSERT_NE(found, wanted.end()) << name << " " << hash;
    for (const auto &[state, ns] : states) {
      auto time = found->second.find(state);
      ASSERT_NE(time, found->second.end()) << name << " " << state;
      EXPECT_NEAR(ns, time->second, rounding) << name << ": thread " << hash << ", " << state;
    }
  }
}

/* The sums of all views must be equal. */
void ExpectOneTruth(const std::string &prefix, const std::string &dir) {
  const std::vector<std::string> all = {"--top=100000"};
  Json table = RunJson("threads", all, prefix, dir);
  Threads threads = ReadThreads(table, kThreadsKeys);
  ASSERT_FALSE(threads.empty());
  for (const Json &row : table["threads"].items) {
    double lived = 0;
    for (const auto &[state, ns] : threads[row["hash"].text]) lived += ns;
    EXPECT_NEAR(lived, row["lived_ns"].Number(), 20) << row["thread"].text;
  }
  Json report = RunJson("report", all, prefix, dir);
  ExpectSame(threads, ReadThreads(report, kReportKeys), 1, "report");
  ExpectSame(threads, ReadPage(prefix, dir), 1, "page");
  ExpectSame(threads, ReadPerfetto(prefix, dir), 1e5, "perfetto");
  double blocked = SumState(threads, "blocked");
  double rows = 1 + static_cast<double>(report["locks"].items.size() + threads.size());
  double locks = SumMember(report, "locks", "blocked_ns");
  /* A monitor that is contended inside of another blocked call counts twice in the calls. A sample
     can find a thread blocked a moment before its first event, which counts only in the states. */
  constexpr double kMoment = 20e6;
  EXPECT_LE(blocked, locks + rows + static_cast<double>(threads.size()) * kMoment) << "locks";
  double once = ReadBlockedOnce(prefix, dir);
  EXPECT_LE(once, locks + rows) << "waits";
  EXPECT_GE(blocked, once * 0.99 - 1e6) << "locks " << locks;
  Json hot = RunJson("hot", {"--blocked", "--by-thread", "--top=100000"}, prefix, dir);
  EXPECT_NEAR(SumMember(hot, "threads", "time_ns"), locks, rows) << "hot --blocked";
}

/* --- the program that accounts for its time ------------------------------------------------ */

struct Case {
  const char *name;
  const char *program;
  const char *options;
  int version; /* the oldest JDK */
};

constexpr Case kCases[] = {
    {"Platform", "truth.ThreadStates 2", ",interval=10ms,budget=100%", 17},
    {"PlatformLocksAll", "truth.ThreadStates 2", ",interval=10ms,budget=100%,locks=all", 17},
    {"Virtual", "truth.ThreadStates 2 virtual", ",interval=10ms", 21},
    {"VirtualWithoutSamples", "truth.ThreadStates 2 virtual", ",interval=0,locks=all", 21},
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.program << c.options; }

/* Reads lines "STATE name lived blocked waited parked slept io". */
std::map<std::string, std::vector<double>> ReadAccounts(const std::string &output) {
  std::map<std::string, std::vector<double>> accounts;
  for (const std::string &line : SplitLines(output)) {
    std::istringstream in(line);
    std::string word, name;
    if (!(in >> word >> name) || word != "STATE") continue;
    for (double ns; in >> ns;) accounts[name].push_back(ns);
  }
  return accounts;
}

/* Times of calls come from their events. They differ from the account of the program by the time
   that the hooks take, and by the moments when the thread loses its CPU between a hook and a
   reading of the clock: on a machine with more threads than CPUs, a few milliseconds each. */
void ExpectNear(double wanted, double found, const std::string &what) {
  EXPECT_NEAR(found, wanted, 0.05 * wanted + 30e6) << what;
}

class StatesTest : public testing::TestWithParam<std::tuple<Jdk, Case>> {};

TEST_P(StatesTest, AreThoseOfTheProgramsOwnAccount) {
  auto [jdk, program] = GetParam();
  if (jdk.version < program.version) GTEST_SKIP() << "no virtual threads";
  Scratch scratch;
  std::string prefix = scratch.dir() + "/dump";
  std::vector<std::string> command = JavaProgram(jdk);
  command.push_back(AgentFlag(prefix + program.options));
  command.insert(command.end(), {"-cp", Runfile("tests/workloads/truth/truth.jar")});
  std::istringstream words(program.program);
  for (std::string word; words >> word;) command.push_back(word);
  Result result = RunProcess(command, JavaEnvironment(), scratch.dir(), 60);
  ASSERT_EQ(result.status, 0) << result.err;
  auto accounts = ReadAccounts(result.out);
  ASSERT_EQ(accounts.size(), 4u) << result.out;

  bool is_virtual = program.version > 17;
  Json table = RunJson("threads", {"--thread=worker-*", "--top=100000"}, prefix, scratch.dir());
  Json report = RunJson("report", {"--top=1"}, prefix, scratch.dir());
  double ticks = report["recording"]["ticks"].Number();
  double interval = ticks == 0 ? 0 : report["recording"]["length_ns"].Number() / ticks;
  ASSERT_EQ(table["threads"].items.size(), 4u);
  for (const Json &row : table["threads"].items) {
    const std::string name = row["thread"].text;
    const std::vector<double> &own = accounts[name];
    ASSERT_EQ(own.size(), 6u) << name;
    ExpectNear(own[0], row["lived_ns"].Number(), name + " lived");
    ExpectNear(own[1], row["blocked_ns"].Number(), name + " blocked");
    ExpectNear(own[2], row["waiting_ns"].Number(), name + " waited");
    ExpectNear(own[3], row["parked_ns"].Number(), name + " parked");
    ExpectNear(own[4], row["sleeping_ns"].Number(), name + " slept");
    double others = own[0] - own[1] - own[2] - own[3] - own[4] - own[5];
    double ran = row["running_ns"].Number() + row["runnable_ns"].Number();
    if (is_virtual) {
      /* Samples see a virtual thread only on a carrier. What they do not see is not called running.
       */
      ExpectNear(others, ran + row["no_call_ns"].Number(), name + " in no call");
      if (ticks == 0) {
        EXPECT_EQ(ran, 0) << name;
      }
    } else {
      /* A read takes 80 ms and more. Its beginning and its end are known from samples, so each can
         be wrong by an interval of the sampler. */
      double reads = own[5] / 80e6 + 1;
      EXPECT_NEAR(row["io_ns"].Number(), own[5], reads * 2 * interval + 30e6) << name << " in I/O";
      ExpectNear(
          others + own[5],
          ran + row["io_ns"].Number() + row["no_call_ns"].Number() + row["hidden_ns"].Number(),
          name + " in no call, or in I/O");
    }
  }
  ExpectOneTruth(prefix, scratch.dir());
}

INSTANTIATE_TEST_SUITE_P(Jvm, StatesTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::ValuesIn(kCases)),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param).name) + "_" +
                                  std::get<0>(info.param).name;
                         });

/* --- other programs ------------------------------------------------------------------------ */

struct Workload {
  const char *name;
  std::vector<std::string> words;
  int version; /* the oldest JDK */
};

void PrintTo(const Workload &w, std::ostream *out) { *out << w.name; }

class ViewsAgree : public testing::TestWithParam<std::tuple<Jdk, Workload, const char *>> {};

TEST_P(ViewsAgree, AboutTheStatesOfThreads) {
  auto [jdk, workload, options] = GetParam();
  if (jdk.version < workload.version) GTEST_SKIP() << "not for this JDK";
  Scratch scratch;
  Session session({jdk, "weave"}, Program(workload.words, {}, options));
  session.WaitOnly(60);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  ExpectOneTruth(session.prefix(), scratch.dir());
}

const std::vector<Workload> kWorkloads = {
    {"Monitors", {"counted.Monitors"}, 17},     {"Locks", {"counted.Locks"}, 17},
    {"Semaphores", {"counted.Semaphores"}, 17}, {"ForkJoins", {"counted.ForkJoins"}, 17},
    {"Tries", {"counted.Tries"}, 17},           {"Medley", {"counted.Medley"}, 17},
    {"Virtual", {"counted.Virtual"}, 21},
};

INSTANTIATE_TEST_SUITE_P(
    Jvm, ViewsAgree,
    testing::Combine(testing::ValuesIn(FindJdks()), testing::ValuesIn(kWorkloads),
                     testing::Values("", ",locks=all,monitors=all,filter=counted.*")),
    [](const auto &info) {
      return std::string(std::get<1>(info.param).name) + "_" +
             (*std::get<2>(info.param) == 0 ? "Default" : "All") + "_" +
             std::get<0>(info.param).name;
    });

}  // namespace
