/* Tests the commands that read a recording while a JVM writes it: orca top and orca metrics. */
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
#include "tests/support/eventually.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

/* The samples of an OpenMetrics text: what precedes the value -> the value. */
std::map<std::string, double> ReadMetrics(const std::string &text) {
  std::map<std::string, double> samples;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    std::string line = text.substr(at, text.find('\n', at) - at);
    size_t blank = line.rfind(' ');
    if (line[0] != '#') samples[line.substr(0, blank)] = std::stod(line.substr(blank + 1));
  }
  return samples;
}

double SumOf(const std::map<std::string, double> &samples, const std::string &part) {
  double sum = 0;
  for (const auto &[name, value] : samples) sum += Has(name, part) ? value : 0;
  return sum;
}

/* The owner of the Ledger is the audit, which sleeps in it half of the time. For a moment it is
   another worker, or not known yet, or the audit that has just left. */
void ExpectOwners(const Json &window) {
  for (const Json &blocked : window["blocked"].items) {
    bool is_known = blocked["owner"].kind != Json::kNull;
    const std::string &owner = blocked["owner"].text;
    if (!Has(blocked["lock"].text, "Ledger")) continue;
    EXPECT_TRUE(!is_known || Has(owner, "audit, ") || Has(owner, "worker-")) << owner;
  }
}

/* The report names the problems of the program on its first screen. It explains every counter: it
   would print an unknown one as "* name is N.". */
void ExpectReportAndPage(const Session &session) {
  Result report = session.RunOrca("report");
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_FALSE(std::regex_search(report.out, std::regex("\\* [a-z.]+ is [0-9]+\\."))) << report.out;
  std::vector<std::string> lines = SplitLines(report.out);
  lines.resize(std::min<size_t>(lines.size(), 40));
  for (const char *word : {"simulatePrice", "Ledger", "audit"}) {
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(),
                            [&](const std::string &line) { return Has(line, word); }))
        << word << "\n"
        << report.out;
  }
  EXPECT_EQ(session.RunOrca("html").status, 0);
  std::string page = ReadFile(session.prefix() + ".html");
  EXPECT_TRUE(Has(page, "Pricing.simulatePrice"));
  EXPECT_LT(page.size(), 1u << 20);
}

class LiveTest : public testing::TestWithParam<Jdk> {
 protected:
  Scratch scratch_;
};

/* The recording changes its files all the time. While it runs, the first lock and its owner are the
   right ones; at the end, each figure is that of `orca locks`. */
TEST_P(LiveTest, FollowsARecordingToItsEnd) {
  Session session(GetParam(), Program({"orders.OrderService"}, {"-Dorders=600"}, ",maxsize=64KB"));
  EXPECT_TRUE(Eventually([&] { return std::filesystem::exists(session.prefix() + ".info"); }));
  std::string file = scratch_.dir() + "/orca.prom", dir = scratch_.dir() + "/metrics";
  std::filesystem::create_directory(dir);
  Process metrics({Runfile("tools/orca/orca"), "metrics", "--follow", "--every", "1", "-o", file,
                   session.prefix()},
                  {}, dir);
  session.process().WaitUpTo(4);
  std::string pid = std::to_string(session.process().pid());
  Result top = RunOrcaOn("top", {"--format=json", "--window", "3"}, pid, scratch_.dir());
  ASSERT_EQ(top.status, 0) << top.err;
  EXPECT_EQ(top.err, "");
  Json window = ReadJson(top.out);
  ASSERT_GT(window["locks"].items.size(), 0u) << top.out;
  EXPECT_TRUE(Has(window["locks"].items[0]["lock"].text, "orders.Ledger@")) << top.out;
  ASSERT_GT(window["methods"].items.size(), 0u) << top.out;
  EXPECT_EQ(window["methods"].items[0]["method"].text, "orders.Pricing.simulatePrice");
  ExpectOwners(window);
  double early =
      SumOf(ReadMetrics(ReadFile(file)), "orca_lock_blocked_seconds_total{class=\"orders.Ledger\"");
  EXPECT_GT(early, 0);

  session.WaitOnly(60);
  EXPECT_EQ(session.result().status, 0) << session.result().err;
  EXPECT_TRUE(Has(session.result().out, "sold 600 orders, 1800 pieces")) << session.result().out;
  ExpectQuietOutput(session.result());
  session.ExpectChecked();
  ExpectReportAndPage(session);
  Result ended = metrics.Wait(60);
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  std::map<std::string, double> samples = ReadMetrics(ReadFile(file));
  Result locks = session.RunOrca("locks", {"--format=json"});
  ASSERT_EQ(locks.status, 0) << locks.err;
  std::map<std::string, std::pair<double, double>> expected; /* by class: seconds, waits */
  Json rows = ReadJson(locks.out);
  for (const Json &lock : rows["locks"].items) {
    const std::string &title = lock["lock"].text;
    bool is_ledger = Has(title, "orders.Ledger@");
    bool is_semaphore = Has(title, "Semaphore@");
    if (!is_ledger && !is_semaphore) continue;
    auto &row = expected[is_ledger ? "orders.Ledger" : "java.util.concurrent.Semaphore"];
    row.first += lock["blocked_ns"].Number() / 1e9;
    row.second += lock["waited"].Number();
  }
  EXPECT_GT(expected["orders.Ledger"].first, early);
  for (const auto &[name, row] : expected) {
    SCOPED_TRACE(name);
    std::string label = "{class=\"" + name + "\"";
    /* An acquisition that finds its lock free counts as a wait until it ends, if a wait for another
       lock is inside of it. */
    EXPECT_NEAR(SumOf(samples, "orca_lock_blocked_seconds_total" + label), row.first, 1e-4);
    EXPECT_EQ(SumOf(samples, "orca_lock_waits_total" + label), row.second);
  }
  EXPECT_EQ(samples["orca_events_total"],
            static_cast<double>(ReadSets(session.prefix()).events.size()));
  EXPECT_EQ(samples["orca_deadlocks"], 0);
}

INSTANTIATE_TEST_SUITE_P(Jvm, LiveTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
