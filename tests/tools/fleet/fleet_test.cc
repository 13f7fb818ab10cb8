/* Loads many recordings into a real ClickHouse server, and compares each view of tools/fleet with
   what `orca` says of the recordings one by one.

   200 runs of 20 services on 10 hosts: each service has two versions, the later of which is worse.
   By default the test records 20 JVMs, and each recording counts as ten runs with other labels.
   ORCA_FLEET_RUNS=200 records a JVM for each run. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/process.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/free_port.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

constexpr int kServices = 20, kHosts = 10, kRuns = kServices * kHosts;
const char *const kVersions[] = {"1.9",
                                 "1.10"}; /* in the order in which they were first recorded */

std::string FindProgram(const std::string &name) {
  for (const char *folder : {"/usr/bin/", "/usr/sbin/", "/usr/local/bin/"}) {
    if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  }
  return "";
}

using Row = std::vector<std::string>;

std::vector<Row> SplitRows(const std::string &text) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Row row;
    size_t at = 0, end;
    do {
      end = line.find('\t', at);
      row.push_back(line.substr(at, end - at));
      at = end + 1;
    } while (end != std::string::npos);
    rows.push_back(row);
  }
  return rows;
}

/* A server on loopback with a folder of its own. The cluster `orca` has two shards, both of them
   databases of this server. */
class Server {
 public:
  explicit Server(const std::string &dir) : dir_(dir), port_(FindFreePort()) {
    mkdir(dir.c_str(), 0700);
    WriteConfiguration();
    process_ =
        std::make_unique<Process>(std::vector<std::string>{FindProgram("clickhouse-server"),
                                                           "--config-file=" + dir + "/config.xml"},
                                  std::map<std::string, std::string>{}, dir);
    EXPECT_TRUE(Eventually([&] { return Run({"--query", "SELECT 1"}).status == 0; }));
  }

  Result Run(std::vector<std::string> words, const std::string &input = "") {
    std::string folder = dir_ + "/client";
    mkdir(folder.c_str(), 0700);
    std::vector<std::string> command = {"sh", "-c", "\"$@\" < \"$0\"",
                                        input.empty() ? "/dev/null" : input};
    for (const std::string &word : ClientWords()) command.push_back(word);
    command.insert(command.end(), words.begin(), words.end());
    return RunProcess(command, {}, folder, 120);
  }

  /* Runs a query in the database `orca`. */
  std::vector<Row> Query(const std::string &sql) {
    Result result = Run({"--database", "orca", "--query", sql});
    EXPECT_EQ(result.status, 0) << sql << "\n" << result.err;
    return SplitRows(result.out);
  }

  /* Runs a file of tools/fleet. */
  void RunFile(const std::string &database, const std::string &name) {
    Result result = Run({"--database", database, "--multiquery"}, Runfile("tools/fleet/" + name));
    EXPECT_EQ(result.status, 0) << name << "\n" << result.err;
  }

  std::vector<std::string> ClientWords() const {
    return {FindProgram("clickhouse-client"), "--host=127.0.0.1",
            "--port=" + std::to_string(port_)};
  }

 private:
  std::string Shard(const std::string &database) const {
    return "<shard><replica><host>127.0.0.1</host><port>" + std::to_string(port_) +
           "</port><default_database>" + database + "</default_database></replica></shard>";
  }

  void WriteConfiguration() {
    auto tag = [](const std::string &name, const std::string &value) {
      return "<" + name + ">" + value + "</" + name + ">\n";
    };
    std::ofstream(dir_ + "/config.xml")
        << "<yandex>"
        << tag("logger", tag("level", "warning") + tag("log", dir_ + "/log") +
                             tag("errorlog", dir_ + "/errors"))
        << tag("listen_host", "127.0.0.1") << tag("tcp_port", std::to_string(port_))
        << tag("http_port", std::to_string(FindFreePort()))
        << tag("interserver_http_port", std::to_string(FindFreePort()))
        << tag("interserver_http_host", "127.0.0.1") << tag("path", dir_ + "/data/")
        << tag("tmp_path", dir_ + "/tmp/") << tag("user_files_path", dir_ + "/files/")
        << tag("format_schema_path", dir_ + "/formats/") << tag("users_config", "users.xml")
        << tag("default_profile", "default") << tag("default_database", "default")
        << tag("timezone", "America/New_York") << tag("mark_cache_size", "67108864")
        << tag("remote_servers", tag("orca", Shard("orca_node") + Shard("orca_node2")))
        << "</yandex>\n";
    std::ofstream(dir_ + "/users.xml")
        << "<yandex>" << tag("profiles", tag("default", tag("max_memory_usage", "4000000000")))
        << tag("users",
               tag("default", tag("password", "") + tag("networks", tag("ip", "127.0.0.1")) +
                                  tag("profile", "default") + tag("quota", "default")))
        << tag("quotas", tag("default", "")) << "</yandex>\n";
  }

  std::string dir_;
  int port_;
  std::unique_ptr<Process> process_;
};

/* What `orca` says of one recording. Keys are names without packages. */
struct Facts {
  uint64_t length_ns, cpu_ns, events, threads, samples;
  size_t deadlocked_threads = 0;
  std::map<std::string, uint64_t> lock_ns, lock_times; /* by name, without signals */
  std::map<std::string, uint64_t> self_ns, total_ns;   /* by method, of rows that have some */
  std::map<std::string, uint64_t> wait_ns, wait_times; /* by event */
  std::set<std::string> overloaded;         /* methods that have several rows in `orca hot` */
  std::map<std::string, uint64_t> state_ns; /* sums over the threads */
};

/* "monitor in fleet.Shop.pack (java.lang.Object)" -> "monitor in Shop.pack (Object)". */
std::string CutPackages(const std::string &name) {
  static const std::regex packages("([a-z0-9_]+\\.)+(?=[A-Z])");
  return std::regex_replace(name, packages, "");
}

/* "monitor in Shop.pack:54 (Object@27DDAD4D)" -> the same. */
std::string CutHashAndLine(const std::string &title) {
  static const std::regex varying("(:[0-9]+(?= \\())|(@[0-9A-F]{8})");
  return CutPackages(std::regex_replace(title, varying, ""));
}

const char *const kStates[] = {"running_ns", "runnable_ns", "blocked_ns",
                               "waiting_ns", "parked_ns",   "sleeping_ns",
                               "io_ns",      "hidden_ns",   "no_call_ns"};

class Recording {
 public:
  explicit Recording(const std::string &prefix, const std::string &dir)
      : prefix_(prefix), dir_(dir) {
    Json report = Ask("report");
    facts.length_ns = report["recording"]["length_ns"].Integer();
    facts.cpu_ns = report["recording"]["cpu_ns"].Integer();
    facts.events = report["recording"]["events"].Integer();
    facts.threads = report["recording"]["threads"].Integer();
    facts.samples = report["recording"]["samples"].Integer();
    Json deadlocks = Ask("deadlocks");
    facts.deadlocked_threads = deadlocks["deadlocks"].items.size();
    ReadLocks();
    ReadMethods();
    ReadWaits();
    Json threads = Ask("threads");
    for (const Json &row : threads["threads"].items) {
      for (const char *state : kStates) facts.state_ns[state] += row[state].Integer();
      facts.state_ns["cpu_ns"] += row["cpu_ns"].Integer();
    }
  }

  const std::string &prefix() const { return prefix_; }

  Facts facts;

 private:
  Json Ask(const std::string &command) const {
    Result result = RunOrcaOn(command, {"--format=json"}, prefix_, dir_);
    EXPECT_EQ(result.status, 0) << result.err;
    return ReadJson(result.out);
  }

  void ReadLocks() {
    Json locks = Ask("locks");
    for (const Json &row : locks["locks"].items) {
      if (row["waited"].Integer() == 0) continue;
      std::string name = CutHashAndLine(row["title"].text);
      facts.lock_ns[name] += row["blocked_ns"].Integer();
      facts.lock_times[name] += row["waited"].Integer();
      facts.wait_ns[row["sort"].text] += row["blocked_ns"].Integer();
      facts.wait_times[row["sort"].text] += row["waited"].Integer();
    }
  }

  void ReadMethods() {
    Json hot = Ask("hot");
    for (const Json &row : hot["methods"].items) {
      std::string name = CutPackages(row["method"].text);
      if (row["self_ns"].Integer() > 0) facts.self_ns[name] += row["self_ns"].Integer();
      if (row["total_ns"].Integer() == 0) continue;
      if (facts.total_ns.count(name) != 0) facts.overloaded.insert(name);
      facts.total_ns[name] += row["total_ns"].Integer();
    }
  }

  void ReadWaits() {
    Json waits = Ask("waits");
    for (const Json &row : waits["waits"].items) {
      if (row["count"].Integer() == 0) continue;
      facts.wait_ns[row["event"].text] += row["total_ns"].Integer();
      facts.wait_times[row["event"].text] += row["count"].Integer();
    }
  }

  std::string prefix_, dir_;
};

/* One of the 200 runs: a recording with labels. */
struct LabelledRun {
  std::string service, host, version, name;
  std::string prefix; /* of the recording */
  const Facts *facts;
};

class Fleet : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (FindProgram("clickhouse-server").empty() || FindProgram("clickhouse-client").empty())
      return;
    scratch_ = new Scratch;
    Record();
    server_ = new Server(scratch_->dir() + "/server");
    for (const char *database : {"orca_node", "orca_node2", "orca"}) {
      server_->Run({"--query", std::string("CREATE DATABASE ") + database});
    }
    server_->RunFile("orca", "schema.sql");
    server_->RunFile("orca", "views.sql");
    Load("orca", "", runs_, 0);
  }

  static void TearDownTestSuite() {
    delete server_;
    delete scratch_;
    server_ = nullptr;
    scratch_ = nullptr;
  }

  void SetUp() override {
    if (server_ == nullptr) {
      GTEST_SKIP() << "clickhouse-server or clickhouse-client is not installed; install both "
                      "packages to run this test";
    }
  }

  /* The later version holds the ledger 25 times as long. One recording in ten is a deadlock. */
  static void Record() {
    const char *wanted = getenv("ORCA_FLEET_RUNS");
    size_t num = wanted == nullptr ? kServices : std::min(std::max(atoi(wanted), 2), kRuns);
    Jdk jdk = FindJdks().front();
    for (size_t i = 0; i < num; i++) {
      bool is_later = i % 2 == 1;
      std::vector<std::string> program = {"fleet.Shop", "200", is_later ? "25" : "1"};
      if (i % 10 == 3) program.push_back("deadlock");
      std::string prefix = scratch_->dir() + "/run" + std::to_string(i);
      std::vector<std::string> command = JavaCommand(
          jdk, {"-XX:TieredStopAtLevel=1", AgentFlag(prefix + ",interval=5ms")}, program);
      Result result = RunProcess(command, JavaEnvironment(), scratch_->dir(), 60);
      EXPECT_EQ(result.status, 0) << result.err;
      recordings_.push_back(std::make_unique<Recording>(prefix, scratch_->dir()));
    }
    for (int i = 0; i < kRuns; i++) AddRun(i);
  }

  /* Recordings with odd numbers are of the later version, and so are hosts with odd numbers. */
  static void AddRun(int i) {
    int service = i / kHosts, host = i % kHosts;
    size_t pairs = recordings_.size() / 2;
    size_t at = 2 * (static_cast<size_t>(i / 2) % pairs) + static_cast<size_t>(host % 2);
    runs_.push_back({"service-" + std::to_string(service), "host-" + std::to_string(host),
                     kVersions[host % 2], "run-" + std::to_string(i), recordings_[at]->prefix(),
                     &recordings_[at]->facts});
  }

  static Result RunLoad(const std::string &database, const std::string &options,
                        const std::vector<std::string> &words) {
    std::vector<std::string> command = {Runfile("tools/fleet/load")};
    command.insert(command.end(), words.begin(), words.end());
    std::string client;
    for (const std::string &word : server_->ClientWords()) client += word + " ";
    return RunProcess(command,
                      {{"CLICKHOUSE_CLIENT", client + options},
                       {"ORCA", Runfile("tools/orca/orca")},
                       {"ORCA_DATABASE", database}},
                      scratch_->dir(), 300);
  }

  /* Loads runs by one call of tools/fleet/load, and expects this exit status. Returns what it
     printed. */
  static std::string Load(const std::string &database, const std::string &options,
                          const std::vector<LabelledRun> &runs, int status) {
    std::vector<std::string> words;
    for (const LabelledRun &run : runs) {
      for (const std::string &label : {"service=" + run.service, "host=" + run.host,
                                       "version=" + run.version, "run=" + run.name}) {
        words.insert(words.end(), {"--label", label});
      }
      words.push_back(run.prefix);
    }
    Result result = RunLoad(database, options, words);
    EXPECT_EQ(result.status, status) << result.err.substr(0, 1000);
    return result.err;
  }

  static Scratch *scratch_;
  static Server *server_;
  static std::vector<std::unique_ptr<Recording>> recordings_;
  static std::vector<LabelledRun> runs_;
};

Scratch *Fleet::scratch_;
Server *Fleet::server_;
std::vector<std::unique_ptr<Recording>> Fleet::recordings_;
std::vector<LabelledRun> Fleet::runs_;

uint64_t Integer(const std::string &text) { return strtoull(text.c_str(), nullptr, 10); }
double Number(const std::string &text) { return strtod(text.c_str(), nullptr); }

/* --- tables --------------------------------------------------------------------------------- */

TEST_F(Fleet, EachRunHasItsFigures) {
  std::map<std::string, Row> rows;
  for (const Row &row : server_->Query(
           "SELECT run, service, host, version, recorded_ns, cpu_ns, events, threads FROM runs")) {
    EXPECT_TRUE(rows.emplace(row.at(0), row).second) << row.at(0);
  }
  ASSERT_EQ(rows.size(), runs_.size());
  for (const LabelledRun &run : runs_) {
    Row expected = {run.name, run.service, run.host, run.version};
    for (uint64_t n :
         {run.facts->length_ns, run.facts->cpu_ns, run.facts->events, run.facts->threads}) {
      expected.push_back(std::to_string(n));
    }
    EXPECT_EQ(rows[run.name], expected);
  }
}

TEST_F(Fleet, TimesAreInUtc) {
  std::string now = server_->Query("SELECT toUnixTimestamp(now())").at(0).at(0);
  for (const char *sql :
       {"SELECT toUnixTimestamp(min(time)), toUnixTimestamp(max(time)), min(begin_at) FROM runs",
        "SELECT toUnixTimestamp(min(time)), toUnixTimestamp(max(time)), min(begin_at) FROM "
        "waits"}) {
    Row row = server_->Query(sql).at(0);
    EXPECT_GT(Integer(row.at(0)), Integer(now) - 1800);
    EXPECT_LE(Integer(row.at(1)), Integer(now));
    EXPECT_EQ(Integer(row.at(2)) / 1000000000, Integer(row.at(0)));
  }
}

TEST_F(Fleet, ThreadsHaveTheirStates) {
  std::string columns = "sum(cpu_ns)";
  for (const char *state : kStates) columns += std::string(", sum(") + state + ")";
  std::map<std::string, Row> rows;
  for (const Row &row : server_->Query("SELECT run, " + columns + " FROM threads GROUP BY run")) {
    rows[row.at(0)] = row;
  }
  for (const LabelledRun &run : runs_) {
    Row expected = {run.name, std::to_string(run.facts->state_ns.at("cpu_ns"))};
    for (const char *state : kStates) {
      expected.push_back(std::to_string(run.facts->state_ns.at(state)));
    }
    EXPECT_EQ(rows[run.name], expected);
  }
}

TEST_F(Fleet, SamplesHaveAllCpuTime) {
  std::map<std::string, Row> rows;
  for (const Row &row :
       server_->Query("SELECT run, sum(cpu_ns), sum(kind = 'thread') FROM samples GROUP BY run")) {
    rows[row.at(0)] = row;
  }
  for (const LabelledRun &run : runs_) {
    Row expected = {run.name, std::to_string(run.facts->cpu_ns),
                    std::to_string(run.facts->samples)};
    EXPECT_EQ(rows[run.name], expected);
  }
}

TEST_F(Fleet, EachStackNumberHasARow) {
  for (const char *table : {"waits", "samples"}) {
    EXPECT_EQ(server_->Query(std::string("SELECT count() FROM ") + table +
                             " WHERE (run, stack) NOT IN (SELECT run, stack FROM stacks)"),
              std::vector<Row>{{"0"}});
  }
  EXPECT_EQ(server_->Query("SELECT count() = uniqExact(run, stack), "
                           "min(length(methods) = length(lines)) FROM stacks"),
            (std::vector<Row>{{"1", "1"}}));
}

/* --- views ---------------------------------------------------------------------------------- */

TEST_F(Fleet, WorstLocksAreThoseOfTheRuns) {
  std::map<std::string, uint64_t> expected_ns, expected_times, ns, times;
  for (const LabelledRun &run : runs_) {
    for (const auto &[name, n] : run.facts->lock_ns) expected_ns[name] += n;
    for (const auto &[name, n] : run.facts->lock_times) expected_times[name] += n;
  }
  std::vector<Row> rows = server_->Query("SELECT name, total_ns, times FROM worst_locks");
  for (const Row &row : rows) {
    ns[CutPackages(row.at(0))] += Integer(row.at(1));
    times[CutPackages(row.at(0))] += Integer(row.at(2));
  }
  EXPECT_EQ(ns, expected_ns);
  EXPECT_EQ(times, expected_times);
  EXPECT_TRUE(ns.count("Shop$Ledger") != 0 && ns.count("monitor in Shop.pack (Object)") != 0);
  for (size_t i = 1; i < rows.size(); i++) {
    EXPECT_GE(Integer(rows[i - 1].at(1)), Integer(rows[i].at(1)));
  }
}

TEST_F(Fleet, WorstLocksByVersionHaveShares) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, uint64_t> expected, found;
  std::map<std::pair<std::string, std::string>, uint64_t> length_ns, all_runs;
  for (const LabelledRun &run : runs_) {
    length_ns[{run.service, run.version}] += run.facts->length_ns;
    all_runs[{run.service, run.version}]++;
    for (const auto &[name, n] : run.facts->lock_ns) {
      expected[{run.service, run.version, name}] += n;
    }
  }
  for (const Row &row : server_->Query("SELECT service, version, name, total_ns, share, all_runs "
                                       "FROM worst_locks_by_version")) {
    std::pair<std::string, std::string> version = {row.at(0), row.at(1)};
    found[{row.at(0), row.at(1), CutPackages(row.at(2))}] += Integer(row.at(3));
    EXPECT_NEAR(Number(row.at(4)), Number(row.at(3)) / static_cast<double>(length_ns[version]),
                1e-9);
    EXPECT_EQ(Integer(row.at(5)), all_runs[version]);
  }
  EXPECT_EQ(found, expected);
}

TEST_F(Fleet, DeadlockedRunsAreThoseWithADeadlock) {
  std::map<std::string, size_t> expected, found;
  for (const LabelledRun &run : runs_) {
    if (run.facts->deadlocked_threads > 0) expected[run.name] = run.facts->deadlocked_threads;
  }
  for (const Row &row :
       server_->Query("SELECT run, length(members), members, deadlocks FROM deadlocked_runs")) {
    found[row.at(0)] = Integer(row.at(1));
    EXPECT_EQ(row.at(3), "1");
    EXPECT_NE(row.at(2).find("left waits for monitor in Shop.lockBoth:"), std::string::npos)
        << row.at(2);
  }
  EXPECT_EQ(found, expected);
  EXPECT_FALSE(expected.empty());
}

/* With callees, `orca hot` counts each overload of a method for itself, the view all as one. */
TEST_F(Fleet, HotMethodsAreThoseOfTheRuns) {
  std::set<std::string> overloaded;
  for (const LabelledRun &run : runs_) {
    overloaded.insert(run.facts->overloaded.begin(), run.facts->overloaded.end());
  }
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, uint64_t> self_ns, total_ns, found_self_ns, found_total_ns;
  for (const LabelledRun &run : runs_) {
    for (const auto &[name, n] : run.facts->self_ns) self_ns[{run.service, run.version, name}] += n;
    for (const auto &[name, n] : run.facts->total_ns) {
      if (name[0] != '(' && overloaded.count(name) == 0)
        total_ns[{run.service, run.version, name}] += n;
    }
  }
  for (const Row &row :
       server_->Query("SELECT service, version, method, self_ns FROM hot_methods")) {
    found_self_ns[{row.at(0), row.at(1), CutPackages(row.at(2))}] += Integer(row.at(3));
  }
  for (const Row &row :
       server_->Query("SELECT service, version, method, total_ns FROM hot_methods_with_callees")) {
    if (overloaded.count(CutPackages(row.at(2))) != 0) continue;
    found_total_ns[{row.at(0), row.at(1), CutPackages(row.at(2))}] += Integer(row.at(3));
  }
  EXPECT_EQ(found_self_ns, self_ns);
  EXPECT_EQ(found_total_ns, total_ns);
}

/* Each row of `waits` is rounded to a nanosecond, in the views of `orca` only the sums are. */
TEST_F(Fleet, WaitsAddUp) {
  std::map<std::string, uint64_t> expected_ns, expected_times, ns, times;
  for (const LabelledRun &run : runs_) {
    for (const auto &[event, n] : run.facts->wait_ns) expected_ns[event] += n;
    for (const auto &[event, n] : run.facts->wait_times) expected_times[event] += n;
  }
  for (const Row &row :
       server_->Query("SELECT event, total_ns, times, p99_ns, longest_ns FROM waits_by_method")) {
    std::string key = row.at(0) == "MonitorContendedEnter" ? "monitor" : row.at(0);
    ns[key] += Integer(row.at(1));
    times[key] += Integer(row.at(2));
    EXPECT_LE(Number(row.at(3)), Number(row.at(4)));
  }
  EXPECT_EQ(times, expected_times);
  for (const auto &[event, n] : expected_ns) {
    uint64_t difference = ns[event] > n ? ns[event] - n : n - ns[event];
    EXPECT_LE(difference, times[event]) << event;
  }
}

/* --- what changed --------------------------------------------------------------------------- */

struct RankTest {
  double above = 0, variance = 0, z = 0;
};

/* Mann and Whitney's test from its definition, by comparing each pair. */
RankTest CompareRanks(const std::vector<double> &from, const std::vector<double> &to) {
  RankTest test;
  for (double a : from) {
    for (double b : to) test.above += b > a ? 0.5 : b < a ? -0.5 : 0;
  }
  std::vector<double> all = from;
  all.insert(all.end(), to.begin(), to.end());
  double n1 = static_cast<double>(from.size()), n2 = static_cast<double>(to.size()), n = n1 + n2;
  std::map<double, double> ties;
  for (double figure : all) ties[figure]++;
  double tied = 0;
  for (const auto &[figure, t] : ties) tied += t * t * t - t;
  test.variance = n1 * n2 / 12 * (n + 1 - tied / (n * (n - 1)));
  double excess = fabs(test.above) - 0.5;
  if (test.variance > 0 && excess > 0) {
    test.z = copysign(excess / sqrt(test.variance), test.above);
  }
  return test;
}

/* The shares of each lock by name, service and version; 0 in the runs that do not have it. */
std::map<std::string, std::map<std::string, std::map<std::string, std::vector<double>>>> FindShares(
    const std::vector<LabelledRun> &runs) {
  std::map<std::string, std::map<std::string, std::map<std::string, std::vector<double>>>> shares;
  std::set<std::pair<std::string, std::string>> names;
  for (const LabelledRun &run : runs) {
    for (const auto &[name, ns] : run.facts->lock_ns) names.insert({run.service, name});
  }
  for (const LabelledRun &run : runs) {
    for (const auto &[service, name] : names) {
      if (service != run.service) continue;
      auto found = run.facts->lock_ns.find(name);
      uint64_t ns = found == run.facts->lock_ns.end() ? 0 : found->second;
      shares[name][service][run.version].push_back(static_cast<double>(ns) /
                                                   static_cast<double>(run.facts->length_ns));
    }
  }
  return shares;
}

TEST_F(Fleet, ChangedLocksAreTheRankTest) {
  auto shares = FindShares(runs_);
  std::vector<Row> rows = server_->Query(
      "SELECT service, name, version_from, version_to, z, chance, verdict, locks_compared, "
      "share_from, share_to FROM changed_locks");
  std::map<std::string, size_t> names;
  for (const Row &row : rows) names[row.at(0)]++;
  for (const Row &row : rows) {
    EXPECT_EQ(row.at(2), kVersions[0]);
    EXPECT_EQ(row.at(3), kVersions[1]);
    auto &figures = shares[CutPackages(row.at(1))][row.at(0)];
    const std::vector<double> &from = figures[kVersions[0]], &to = figures[kVersions[1]];
    RankTest test = CompareRanks(from, to);
    EXPECT_NEAR(Number(row.at(4)), test.z, 1e-6) << row.at(1);
    double chance = erfc(fabs(test.z) / sqrt(2)) * static_cast<double>(names[row.at(0)]);
    EXPECT_NEAR(Number(row.at(5)), std::min(1.0, chance), 1e-6);
    EXPECT_EQ(Integer(row.at(7)), names[row.at(0)]);
    EXPECT_EQ(row.at(6), "too few runs"); /* five of each version */
    double sum = 0;
    for (double share : to) sum += share;
    EXPECT_NEAR(Number(row.at(9)), sum / 5, 1e-9);
  }
  EXPECT_GE(rows.size(), static_cast<size_t>(2 * kServices));
}

TEST_F(Fleet, TheWorseVersionIsFoundInTheFleet) {
  auto shares = FindShares(runs_);
  std::vector<Row> rows = server_->Query(
      "SELECT name, z, verdict, services, runs_compared FROM changed_locks_of_fleet");
  for (const Row &row : rows) {
    RankTest sum;
    for (auto &[service, figures] : shares[CutPackages(row.at(0))]) {
      RankTest test = CompareRanks(figures[kVersions[0]], figures[kVersions[1]]);
      sum.above += test.above;
      sum.variance += test.variance;
    }
    double excess = fabs(sum.above) - 0.5;
    double z = excess > 0 ? copysign(excess / sqrt(sum.variance), sum.above) : 0;
    EXPECT_NEAR(Number(row.at(1)), z, 1e-6) << row.at(0);
    if (row.at(0) == "fleet.Shop$Ledger") {
      EXPECT_EQ(Row(row.begin() + 2, row.end()), (Row{"worse", "20", "200"}));
    }
  }
  EXPECT_EQ(shares.size(), rows.size());
}

/* 40 services whose versions differ in nothing but numbers from a hash, with 20 locks and 2 x 30
   runs each. Of a lock of one more service, the later version is worse. */
TEST_F(Fleet, ChanceIsToldFromAChange) {
  server_->Run({"--query", "CREATE DATABASE chance"});
  server_->RunFile("chance", "schema.sql");
  server_->RunFile("chance", "views.sql");
  auto run = [&](const std::string &sql) {
    Result result = server_->Run({"--database", "chance", "--query", sql});
    EXPECT_EQ(result.status, 0) << sql << "\n" << result.err;
    return SplitRows(result.out);
  };
  const std::string runs =
      "SELECT concat('s', toString(intDiv(number, 60))) AS service, if(number % 60 < 30, 'a', 'b') "
      "AS version, toString(number) AS run, number AS begin_at, 1000000 AS recorded_ns ";
  run("INSERT INTO runs (service, version, run, begin_at, recorded_ns) " + runs +
      "FROM system.numbers LIMIT 2460");
  run("INSERT INTO locks (service, version, run, name, waited, blocked_ns) "
      "SELECT service, version, run, concat('lock', toString(lock)) AS name, 1 AS waited, "
      "sipHash64(run, lock) % 1000 + (service = 's40' AND lock = 7 AND version = 'b') * 500 "
      "AS blocked_ns FROM (" +
      runs +
      "FROM (SELECT number FROM system.numbers LIMIT 2460)) "
      "ARRAY JOIN range(20) AS lock");
  std::vector<Row> worse =
      run("SELECT service, name FROM changed_locks WHERE verdict = 'worse' AND "
          "service = 's40'");
  EXPECT_EQ(worse, (std::vector<Row>{{"s40", "lock7"}}));
  Row others = run("SELECT count(), sum(chance < 0.01), sum(abs(z) > 1.96) FROM changed_locks "
                   "WHERE service != 's40'")
                   .at(0);
  EXPECT_EQ(others.at(0), "800");
  EXPECT_LE(Integer(others.at(1)), 2u);      /* 0.4 are expected */
  EXPECT_NEAR(Number(others.at(2)), 40, 20); /* 5 %: the test is not too strict either */
}

/* Of each lock a run has 5 us; in the later version the agent told those of one apart no more. */
TEST_F(Fleet, LocksThatAreNotToldApartAreInNoChange) {
  server_->Run({"--query", "CREATE DATABASE several"});
  server_->RunFile("several", "schema.sql");
  server_->RunFile("several", "views.sql");
  auto run = [&](const std::string &sql) {
    Result result = server_->Run({"--database", "several", "--query", sql});
    EXPECT_EQ(result.status, 0) << sql << "\n" << result.err;
    return SplitRows(result.out);
  };
  const std::string runs =
      "SELECT 's' AS service, if(number < 10, 'a', 'b') AS version, toString(number) AS run, "
      "number AS begin_at, 1000000 AS recorded_ns ";
  const std::string several = "several objects, not told apart";
  run("INSERT INTO runs (service, version, run, begin_at, recorded_ns) " + runs +
      "FROM system.numbers LIMIT 20");
  run("INSERT INTO locks (service, version, run, name, sort, waited, blocked_ns, waited_is_least) "
      "SELECT service, version, run, if(lock = 0, 'lock', '" +
      several +
      "') AS name, 'monitor' AS sort, 1 AS waited, 5000 AS blocked_ns, "
      "lock = 0 AND run = '19' AS waited_is_least FROM (" +
      runs +
      "FROM (SELECT number FROM system.numbers LIMIT 20)) ARRAY JOIN range(2) AS lock "
      "WHERE lock = 0 OR version = 'b'");
  EXPECT_EQ(run("SELECT name, verdict FROM changed_locks"),
            (std::vector<Row>{{"lock", "may be chance"}}));
  EXPECT_EQ(run("SELECT name, times, is_least FROM worst_locks"),
            (std::vector<Row>{{"lock", "20", "1"}, {several, "10", "0"}}));
  EXPECT_EQ(run("SELECT version, name, is_least FROM worst_locks_by_version ORDER BY version, "
                "name"),
            (std::vector<Row>{{"a", "lock", "0"}, {"b", "lock", "1"}, {"b", several, "0"}}));
}

/* --- loading -------------------------------------------------------------------------------- */

TEST_F(Fleet, ARunIsLoadedOnce) {
  std::string err = Load("orca", "", {runs_.at(0), runs_.at(1)}, 1);
  EXPECT_EQ(err,
            "fleet/load: run run-0 is in the server already; skipped\n"
            "fleet/load: run run-1 is in the server already; skipped\n"
            "fleet/load: 0 of 2 recordings loaded\n");
  EXPECT_EQ(server_->Query("SELECT count() FROM runs"), std::vector<Row>{{"200"}});
}

TEST_F(Fleet, LoadsTheRestIfARecordingIsMissing) {
  server_->Run({"--query", "CREATE DATABASE rest"});
  server_->RunFile("rest", "schema.sql");
  LabelledRun missing = runs_.at(0);
  missing.prefix = scratch_->dir() + "/none";
  std::string err = Load("rest", "", {runs_.at(0), missing, runs_.at(1)}, 1);
  EXPECT_NE(err.find("/none is skipped\n"), std::string::npos) << err;
  EXPECT_NE(err.find("fleet/load: 2 of 3 recordings loaded\n"), std::string::npos) << err;
  EXPECT_EQ(server_->Query("SELECT run FROM rest.runs ORDER BY run"),
            (std::vector<Row>{{"run-0"}, {"run-1"}}));
}

TEST_F(Fleet, OtherLabelsNeedAColumn) {
  server_->Run({"--query", "CREATE DATABASE zones"});
  server_->RunFile("zones", "schema.sql");
  for (const char *table : {"runs", "waits", "samples", "locks", "threads", "stacks"}) {
    server_->Run(
        {"--query", std::string("ALTER TABLE zones.") + table + " ADD COLUMN zone String"});
  }
  Result result = RunLoad("zones", "", {"--label=zone=eu\t1", runs_.at(0).prefix});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(server_->Query("SELECT DISTINCT zone FROM zones.waits"), std::vector<Row>{{"eu\\t1"}});
}

const char *const kViews[] = {"worst_locks",   "worst_locks_by_version",   "deadlocked_runs",
                              "hot_methods",   "hot_methods_with_callees", "waits_by_method",
                              "changed_locks", "changed_locks_of_fleet"};

/* The same views over Distributed tables give the same rows. Quantiles depend on the order, and so
   does the last digit of a mean. */
TEST_F(Fleet, SeveralNodesAnswerLikeOne) {
  server_->RunFile("orca_node", "schema.sql");
  server_->RunFile("orca_node2", "schema.sql");
  server_->Run({"--query", "CREATE DATABASE spread"});
  server_->RunFile("spread", "distributed.sql");
  server_->RunFile("spread", "views.sql");
  for (const char *table : {"runs", "waits", "samples", "locks", "threads", "stacks"}) {
    Result copied =
        server_->Run({"--insert_distributed_sync=1", "--query",
                      std::string("INSERT INTO spread.") + table + " SELECT * FROM orca." + table});
    EXPECT_EQ(copied.status, 0) << copied.err;
  }
  for (const char *shard : {"orca_node", "orca_node2"}) {
    uint64_t num =
        Integer(server_->Query(std::string("SELECT count() FROM ") + shard + ".runs").at(0).at(0));
    EXPECT_GT(num, 50u);
    EXPECT_LT(num, 150u);
  }
  for (const std::string view : kViews) {
    std::string columns = "*";
    if (view == "worst_locks") columns = "name, sort, services, runs, times, total_ns, longest_ns";
    if (view == "worst_locks_by_version") columns = "service, version, name, total_ns, share";
    if (view == "waits_by_method")
      columns = "service, version, event, name, method, times, total_ns";
    if (view == "changed_locks")
      columns = "service, name, version_to, runs_to, round(z, 6), verdict";
    if (view == "changed_locks_of_fleet") columns = "name, services, round(z, 6), verdict";
    if (view == "deadlocked_runs") columns = "run, deadlocks, arraySort(members)";
    std::vector<Row> one = server_->Query("SELECT " + columns + " FROM orca." + view);
    std::vector<Row> many = server_->Query("SELECT " + columns + " FROM spread." + view);
    std::sort(one.begin(), one.end());
    std::sort(many.begin(), many.end());
    EXPECT_EQ(one, many) << view;
    EXPECT_FALSE(one.empty()) << view;
  }
}

}  // namespace
