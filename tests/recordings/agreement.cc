#include "tests/recordings/agreement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/text.h"

namespace {

using States = std::map<std::string, double>;    /* nanoseconds by the name of the state */
using Threads = std::map<std::string, States>;   /* by the hash of the thread */
using Keys = std::map<std::string, std::string>; /* the name of a state, by its key in JSON */

const std::vector<std::string> kAllRows = {"--top=100000"};

/* --- the times of threads in their states --------------------------------------------------- */

const Keys kThreadsKeys = {
    {"running_ns", "running"}, {"runnable_ns", "runnable"}, {"blocked_ns", "blocked"},
    {"waiting_ns", "waiting"}, {"parked_ns", "parked"},     {"sleeping_ns", "sleeping"},
    {"io_ns", "in I/O"},       {"hidden_ns", "not seen"},   {"no_call_ns", "in no call"}};
const Keys kReportKeys = {{"blocked_ns", "blocked"},   {"waits_ns", "waiting"},
                          {"parked_ns", "parked"},     {"sleeps_ns", "sleeping"},
                          {"io_ns", "in I/O"},         {"hidden_ns", "not seen"},
                          {"no_call_ns", "in no call"}};

Threads ReadThreads(const Json &view, const Keys &keys) {
  Threads threads;
  for (const Json &row : view["threads"].items) {
    for (const auto &[key, state] : keys) {
      threads[row["hash"].text][state] = row[key].Number();
    }
  }
  return threads;
}

Threads ReadPageThreads(const Json &page) {
  Threads threads;
  const std::vector<Json> &states = page["timeline"]["states"].items;
  for (const Json &row : page["timeline"]["rows"].items) {
    const Json &thread = page["threads"].items[row["thread"].Integer()];
    for (size_t i = 0; i < states.size(); i++) {
      threads[thread.items[1].text][states[i].items[0].text] = row["sums"].items[i].Number();
    }
  }
  return threads;
}

/* Sums up the slices of states. The id of a thread's row is its hash with the highest bit set. */
Threads ReadTraceThreads(const Json &trace) {
  Threads threads;
  for (const Json &event : trace["traceEvents"].items) {
    if (!event.Has("cat") || event["cat"].text != "state") continue;
    char hash[20];
    snprintf(hash, sizeof hash, "%08llX", event["tid"].Integer() ^ 0x80000000ull);
    threads[hash][event["name"].text] += event["dur"].Number() * 1000;
  }
  return threads;
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

void ExpectLifetimes(const Json &table, const Threads &threads) {
  for (const Json &row : table["threads"].items) {
    double lived = 0;
    for (const auto &[state, ns] : threads.at(row["hash"].text)) lived += ns;
    EXPECT_NEAR(lived, row["lived_ns"].Number(), 20) << row["thread"].text;
  }
}

/* --- blocked time --------------------------------------------------------------------------- */

double SumMember(const Json &rows, const std::string &key) {
  double sum = 0;
  for (const Json &row : rows.items) {
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
double ReadBlockedOnce(const std::vector<Row> &waits) {
  std::map<std::string, std::vector<std::pair<uint64_t, uint64_t>>> by_thread;
  for (const Row &wait : waits) {
    if (wait.at("sort").empty() || wait.at("contended") != "1") continue;
    uint64_t begin = std::stoull(wait.at("begin_at"));
    by_thread[wait.at("thread_hash")].push_back({begin, begin + std::stoull(wait.at("wait_ns"))});
  }
  uint64_t sum = 0;
  for (auto &[thread, times] : by_thread) {
    std::sort(times.begin(), times.end());
    uint64_t end = 0;
    for (const auto &[from, to] : times) {
      if (to > end) sum += to - std::max(from, end);
      end = std::max(end, to);
    }
  }
  return static_cast<double>(sum);
}

/* Returns the mean time between the ticks of the sampler, in nanoseconds. */
double ReadInterval(const Json &report) {
  double ticks = report["recording"]["ticks"].Number();
  return ticks == 0 ? 0 : report["recording"]["length_ns"].Number() / ticks;
}

/* A monitor that is contended inside of another blocked call counts twice in the calls. A sample
   can find a thread blocked a moment before its first event, or in the JVM, which has no event.
   This counts only in the states, until the next tick. */
void ExpectBlockedTime(const Recording &recording, const Json &report, const Threads &threads,
                       const std::vector<Row> &waits) {
  double moment = std::max(20e6, ReadInterval(report));
  double blocked = SumState(threads, "blocked");
  double num = static_cast<double>(threads.size());
  double rows = 1 + static_cast<double>(report["locks"].items.size()) + num;
  double locks = SumMember(report["locks"], "blocked_ns");
  EXPECT_LE(blocked, locks + rows + num * moment) << "locks";
  double once = ReadBlockedOnce(waits);
  EXPECT_LE(once, locks + rows) << "waits";
  EXPECT_GE(blocked, once * 0.99 - 1e6) << "locks " << locks;
  Json hot = recording.ReadView("hot", {"--blocked", "--by-thread", "--top=100000"});
  EXPECT_NEAR(SumMember(hot["threads"], "time_ns"), locks, rows) << "hot --blocked";
}

/* --- locks ---------------------------------------------------------------------------------- */

/* What views say of a lock: how often threads waited for it, and how long. */
using Locks = std::map<std::string, std::pair<std::string, std::string>>;

Locks ReadLocks(const Json &rows) {
  Locks locks;
  for (const Json &row : rows.items) {
    if (row["waited"].text == "0") continue;
    locks[row["sort"].text + " " + row["lock"].text] = {row["waited"].text, row["blocked_ns"].text};
  }
  return locks;
}

void ExpectSameLocks(const Recording &recording, const Json &report) {
  Locks locks = ReadLocks(recording.ReadView("locks", kAllRows)["locks"]), exported;
  EXPECT_EQ(ReadLocks(report["locks"]), locks);
  std::string tsv = recording.RunView("export", {"--format=tsv", "--table=locks"});
  for (const Row &row : ReadRows(tsv, '\t')) {
    if (row.at("waited") == "0") continue;
    exported[row.at("sort") + " " + row.at("lock")] = {row.at("waited"), row.at("blocked_ns")};
  }
  EXPECT_EQ(exported, locks) << "tsv";
}

/* --- the critical path ----------------------------------------------------------------------- */

/* What the report says of the path is what `orca path` shows, and no part is longer than it. Each
   row is rounded to nanoseconds. */
void ExpectSamePath(const Recording &recording, const Json &report) {
  Json path = recording.ReadView("path", kAllRows);
  double length = report["recording"]["length_ns"].Number();
  double whole = SumMember(path["path"], "time_ns");
  double rounding = 1 + static_cast<double>(path["path"].items.size());
  EXPECT_LE(whole, length + rounding);
  for (const Json &row : report["locks"].items) {
    if (row["path_ns"].kind == Json::kNull || row["path_ns"].Number() == 0) continue;
    bool is_same = false;
    for (const Json &lock : path["locks"].items) {
      is_same |= std::abs(lock["path_ns"].Number() - row["path_ns"].Number()) <= 1;
    }
    EXPECT_TRUE(is_same) << row["title"].text;
  }
  for (const Json &finding : report["findings"].items) {
    if (!finding.Has("whole_path_ns") || finding["whole_path_ns"].Number() == 0) continue;
    const std::string &text = finding["text"].text;
    double part = finding["path_ns"].Number();
    if (finding.Has("path_wait_ns")) part += finding["path_wait_ns"].Number();
    EXPECT_NEAR(finding["whole_path_ns"].Number(), whole, rounding) << text;
    EXPECT_LE(part, whole + rounding) << text;
  }
}

/* --- CPU time ------------------------------------------------------------------------------- */

double SumStacks(const std::string &collapsed) {
  double sum = 0;
  for (const std::string &line : SplitLines(collapsed)) {
    sum += std::stod(line.substr(line.rfind(' ')));
  }
  return sum;
}

void ExpectSameCpuTime(const Recording &recording, const Json &report, const Json &table,
                       const Json &page) {
  double cpu = report["recording"]["cpu_ns"].Number();
  double rounding = 1 + static_cast<double>(table["threads"].items.size());
  Json hot = recording.ReadView("hot", {"--by-thread", "--top=100000"});
  EXPECT_NEAR(SumMember(table["threads"], "cpu_ns"), cpu, rounding) << "threads";
  EXPECT_NEAR(SumMember(hot["threads"], "time_ns"), cpu, rounding) << "hot --by-thread";
  EXPECT_NEAR(page["cpu"].Number(), cpu, rounding) << "page";
  double stacks = SumStacks(recording.RunView("export", {"--format=collapsed", "-o=-"}));
  EXPECT_NEAR(stacks, cpu, rounding) << "collapsed";
  Json scope = ReadJson(recording.RunView("export", {"--format=speedscope", "-o=-"}));
  if (cpu > 0) {
    EXPECT_NEAR(scope["profiles"].items.at(0)["endValue"].Number(), stacks, 1) << "speedscope";
  }
}

/* --- events --------------------------------------------------------------------------------- */

void ExpectSameEvents(const Recording &recording, const Json &report, const Json &page) {
  constexpr size_t kPageColumns = 7;
  unsigned long long events = report["recording"]["events"].Integer();
  size_t lines = SplitLines(recording.RunView("log", {"--format=csv"})).size();
  EXPECT_EQ(lines, events + 1) << "log --format=csv";
  EXPECT_EQ(page["log"]["events"].Integer(), events) << "page";
  if (page["log"]["whole"].text == "true") {
    EXPECT_EQ(page["log"]["rows"].items.size(), events * kPageColumns) << "page";
  }
}

/* --- who blocked whom ----------------------------------------------------------------------- */

/* Only some views have the hashes of threads. In others, the names differ in these programs. */
void ExpectNoneBlockedByItself(const Recording &recording, const Json &page,
                               const std::vector<Row> &waits) {
  for (const Row &wait : waits) {
    if (wait.at("contended") != "1" || wait.at("owner_hash").empty()) continue;
    if (Has(wait.at("class"), "StampedLock")) continue; /* it is not reentrant */
    EXPECT_NE(wait.at("owner_hash"), wait.at("thread_hash")) << wait.at("thread") << ": waits";
  }
  const std::vector<Json> &run = page["graph"]["run"].items; /* thread, owner, times, length */
  for (size_t i = 0; i + 1 < run.size(); i += 4) {
    EXPECT_NE(run[i].text, run[i + 1].text) << "page, thread " << run[i].text;
  }
  Json locks = recording.ReadView("locks", kAllRows);
  for (const Json &pair : locks["contenders"].items) {
    EXPECT_NE(pair["blocked"].text, pair["holder"].text) << "locks";
  }
  Json deadlocks = recording.ReadView("deadlocks");
  for (const char *name : {"deadlocks", "waiting", "longest_row"}) {
    for (const Json &row : deadlocks[name].items) {
      /* A thread that holds the read side can wait for itself to give it up, and one that has a
         stamp. */
      if (Has(row["waits_for"].text, "ReadWriteLock") || Has(row["waits_for"].text, "StampedLock"))
        continue;
      EXPECT_NE(row["thread"].text, row["owner"].text) << "deadlocks: " << name;
    }
  }
}

}  // namespace

void ExpectAgreement(const Recording &recording) {
  Json table = recording.ReadView("threads", kAllRows);
  Json report = recording.ReadView("report", kAllRows), page = recording.ReadPage();
  Json trace = ReadJson(recording.RunView("export", {"--format=perfetto", "-o=-"}));
  std::vector<Row> waits =
      ReadRows(recording.RunView("export", {"--format=tsv", "--table=waits", "-o=-"}), '\t');
  Threads threads = ReadThreads(table, kThreadsKeys);
  ASSERT_FALSE(threads.empty());
  ExpectLifetimes(table, threads);
  ExpectSame(threads, ReadThreads(report, kReportKeys), 1, "report");
  ExpectSame(threads, ReadPageThreads(page), 1, "page");
  ExpectSame(threads, ReadTraceThreads(trace), 1e5, "perfetto");
  ExpectBlockedTime(recording, report, threads, waits);
  ExpectSameLocks(recording, report);
  ExpectSamePath(recording, report);
  ExpectSameCpuTime(recording, report, table, page);
  ExpectSameEvents(recording, report, page);
  ExpectNoneBlockedByItself(recording, page, waits);
}
