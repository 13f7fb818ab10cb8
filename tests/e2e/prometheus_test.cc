/* Tests `orca metrics` with a real Prometheus, which scrapes node_exporter, whose textfile
   collector reads the file. Skipped where Debian's packages prometheus and prometheus-node-exporter
   are missing. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/free_port.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

/* The program in PATH or /usr/bin, or in $ORCA_PROMETHEUS, a folder; "" if it is missing. */
std::string FindProgram(const std::string &name) {
  const char *folder = getenv("ORCA_PROMETHEUS");
  for (std::string dir : {folder == nullptr ? "" : folder, "/usr/bin", "/usr/local/bin"}) {
    std::string path = dir + "/" + name;
    if (!dir.empty() && access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

/* Returns the body of a page on loopback; "" if nobody answers. */
std::string Get(int port, const std::string &path) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  std::string text, request = "GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
  char buffer[4096];
  if (connect(fd, reinterpret_cast<struct sockaddr *>(&address), sizeof address) == 0 &&
      write(fd, request.data(), request.size()) > 0) {
    for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<size_t>(n));
  }
  close(fd);
  size_t body = text.find("\r\n\r\n");
  return body == std::string::npos ? "" : text.substr(body + 4);
}

std::string Escaped(const std::string &query) {
  std::string text;
  char hex[8];
  for (char c : query) {
    snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned char>(c));
    text += hex;
  }
  return text;
}

class PrometheusTest : public testing::Test {
 protected:
  void SetUp() override {
    if (FindProgram("prometheus").empty() || FindProgram("prometheus-node-exporter").empty() ||
        FindProgram("promtool").empty()) {
      GTEST_SKIP() << "the packages prometheus and prometheus-node-exporter are not installed";
    }
  }

  std::string Dir(const std::string &name) {
    std::string path = scratch_.dir() + "/" + name;
    std::filesystem::create_directories(path);
    return path;
  }

  /* The value of a query, as soon as there is one; -1 after 60 s. */
  static double Ask(int port, const std::string &query) {
    for (int i = 0; i < 300; i++, usleep(200000)) {
      std::string answer = Get(port, "/api/v1/query?query=" + Escaped(query));
      if (answer.empty()) continue;
      Json rows = ReadJson(answer);
      if (rows["data"]["result"].items.empty()) continue;
      return std::stod(rows["data"]["result"].items[0]["value"].items[1].text);
    }
    return -1;
  }

  Scratch scratch_;
};

TEST_F(PrometheusTest, HasTheFiguresOfOrcaLocks) {
  Session session(FindJdks()[0], Program({"orders.OrderService"}));
  session.WaitOnly(60);
  std::string text = Dir("text");
  Result metrics = RunOrcaOn("metrics", {"--label", "service=shop", "-o", text + "/orca.prom"},
                             session.prefix(), scratch_.dir());
  ASSERT_EQ(metrics.status, 0) << metrics.err;
  Json locks = ReadJson(session.RunOrca("locks", {"--format=json"}).out);

  int exporter_port = FindFreePort(), port = FindFreePort();
  std::string exporter_address = "127.0.0.1:" + std::to_string(exporter_port);
  Process exporter({FindProgram("prometheus-node-exporter"), "--collector.disable-defaults",
                    "--collector.textfile", "--collector.textfile.directory=" + text,
                    "--web.listen-address=" + exporter_address},
                   {}, Dir("exporter"));
  std::string config = scratch_.dir() + "/prometheus.yml";
  std::ofstream(config) << "global: {scrape_interval: 1s}\nscrape_configs:\n"
                        << "  - job_name: node\n    static_configs: [{targets: ['"
                        << exporter_address << "']}]\n";
  Process prometheus(
      {FindProgram("prometheus"), "--config.file=" + config, "--storage.tsdb.path=" + Dir("data"),
       "--web.listen-address=127.0.0.1:" + std::to_string(port)},
      {}, Dir("prometheus"));
  for (const Json &lock : locks["locks"].items) {
    std::string title = lock["lock"].text;
    if (title.find("orders.Ledger@") == std::string::npos) continue;
    EXPECT_NEAR(Ask(port,
                    "sum(orca_lock_blocked_seconds_total{service=\"shop\","
                    "class=\"orders.Ledger\"})"),
                lock["blocked_ns"].Number() / 1e9, 1e-6);
    EXPECT_EQ(Ask(port, "orca_lock_waits_total{class=\"orders.Ledger\"}"), lock["waited"].Number());
  }
  EXPECT_EQ(Ask(port, "orca_deadlocks"), 0);
  EXPECT_EQ(Ask(port, "node_textfile_scrape_error"), 0);
  EXPECT_GT(Ask(port, "orca_thread_seconds_total{state=\"blocked\"}"), 0);
}

/* The rules are those of docs/live.md. */
TEST_F(PrometheusTest, AcceptsTheAlerts) {
  std::string page = ReadFile(Runfile("docs/live.md"));
  size_t begin = page.find("```yaml\n");
  ASSERT_NE(begin, std::string::npos);
  begin += 8;
  std::string rules = page.substr(begin, page.find("```", begin) - begin);
  std::string dir = Dir("rules");
  std::ofstream(dir + "/orca.yml") << rules;
  std::ofstream(dir + "/test.yml")
      << "rule_files: [orca.yml]\nevaluation_interval: 1m\ntests:\n"
         "  - interval: 1m\n    input_series:\n"
         "      - series: 'orca_lock_blocked_seconds_total{service=\"a\",site=\"x\"}'\n"
         "        values: '0+30x20'\n"
         "      - series: 'orca_process_cpu_seconds_total{service=\"a\"}'\n"
         "        values: '0+60x20'\n"
         "      - series: 'orca_lock_blocked_seconds_total{service=\"b\",site=\"x\"}'\n"
         "        values: '0+10x20'\n"
         "      - series: 'orca_process_cpu_seconds_total{service=\"b\"}'\n"
         "        values: '0+60x20'\n"
         "      - series: 'orca_deadlocks{service=\"b\"}'\n"
         "        values: '0x9 1x10'\n"
         "    promql_expr_test:\n"
         "      - expr: 'count(ALERTS{alertname=\"ThreadsWaitForLocks\",alertstate=\"firing\","
         "service=\"a\"})'\n"
         "        eval_time: 12m\n        exp_samples: [{value: 1}]\n"
         "      - expr: 'count(ALERTS{alertname=\"ThreadsWaitForLocks\",service=\"b\"})'\n"
         "        eval_time: 12m\n        exp_samples: []\n"
         "      - expr: 'count(ALERTS{alertname=\"Deadlock\",alertstate=\"firing\"})'\n"
         "        eval_time: 8m\n        exp_samples: []\n"
         "      - expr: "
         "'count(ALERTS{alertname=\"Deadlock\",alertstate=\"firing\",service=\"b\"})'\n"
         "        eval_time: 12m\n        exp_samples: [{value: 1}]\n";
  std::string promtool = FindProgram("promtool");
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"check", "rules", dir + "/orca.yml"},
        std::vector<std::string>{"test", "rules", dir + "/test.yml"}}) {
    std::vector<std::string> command = {promtool};
    command.insert(command.end(), words.begin(), words.end());
    Result result = RunProcess(command, {}, Dir(words[0]), 60);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
  }
}

}  // namespace
