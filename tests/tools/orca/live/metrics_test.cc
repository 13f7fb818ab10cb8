#include "tools/orca/live/metrics.h"

#include <string>

#include "tests/support/text.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr ticks_t kSecond = 1000000000 * TICKS_PER_NS;

class MetricsTest : public testing::Test {
 protected:
  void SetUp() override {
    WriteSmallDump(&files_);
    Open();
    metrics_.labels = "";
    metrics_.top = 10;
  }
  void Open() {
    struct builder why = {};
    dump_ = dump_open(files_.Prefix().c_str(), &why);
    ASSERT_NE(dump_, nullptr);
    ASSERT_TRUE(live_start(&live_, dump_));
  }
  void Reopen() {
    live_free(&live_);
    dump_close(dump_);
    Open();
  }
  void TearDown() override {
    metrics_free(&metrics_);
    live_free(&live_);
    dump_close(dump_);
  }

  std::string WriteAt(ticks_t time) {
    struct builder b = {};
    EXPECT_TRUE(live_advance(&live_, time, time == 110 * kSecond));
    EXPECT_TRUE(metrics_write(&metrics_, &live_, &b));
    std::string text(b.data, b.len);
    builder_free(&b);
    return text;
  }

  DumpFiles files_;
  struct dump *dump_ = nullptr;
  struct live live_ = {};
  struct metrics metrics_ = {};
};

TEST_F(MetricsTest, TellsTheTimesOfTheRecording) {
  std::string text = WriteAt(110 * kSecond);
  for (const char *line :
       {"\norca_lock_blocked_seconds_total{class=\"com.acme.Inventory\",site=\"Inventory.reserve:"
        "42\"} "
        "2.750000000\n",
        "\norca_lock_blocked_seconds_total{class=\"com.acme.Inventory\",site=\"OrderService.price:"
        "88\"} "
        "0.125000000\n",
        "\norca_lock_blocked_seconds_total{class=\"java.lang.Object\",site=\"OrderService.price:"
        "88\"} "
        "1.500000000\n",
        "\norca_lock_waits_total{class=\"com.acme.Inventory\"} 3\n",
        "\norca_method_cpu_seconds_total{method=\"com.acme.OrderService.price\"} 0.690000000\n",
        "\norca_threads{state=\"blocked\"} 2\n", "\norca_events_total 22\n",
        "\norca_longest_blocked_seconds 2.000000000\n", "\norca_deadlocks 1\n"}) {
    EXPECT_TRUE(Has(text, line)) << line << text;
  }
  EXPECT_FALSE(Has(text, "Semaphore")) << text;  // a signal, no lock
  EXPECT_EQ(text.substr(text.size() - 6), "# EOF\n");
}

// Those of semaphores need not have waited.
TEST_F(MetricsTest, ContainsShortWaits) {
  AddShortCalls(&files_);
  Reopen();
  std::string before = WriteAt(104 * kSecond), text = WriteAt(110 * kSecond);
  EXPECT_TRUE(Has(before, "\norca_lock_waits_total{class=\"com.acme.Inventory\"} 3\n")) << before;
  EXPECT_TRUE(Has(text, "\norca_lock_waits_total{class=\"com.acme.Inventory\"} 1003\n")) << text;
  EXPECT_TRUE(Has(text,
                  "\norca_lock_blocked_seconds_total{class=\"com.acme.Inventory\",site=\"Inventory."
                  "reserve:42\"} 6.750000000\n"))
      << text;
  EXPECT_FALSE(Has(text, "Semaphore")) << text;
}

// They have a label of their own even if there is no room for others. A2 is of an unknown class.
TEST_F(MetricsTest, SaysThatClassesMayHaveWaitedMore) {
  EXPECT_FALSE(Has(WriteAt(110 * kSecond), "several objects"));
  AddShortCalls(&files_);
  files_.Replace(DUMP_OBJECTS, "000000A2,000000C1", "000000B2,000000C1");
  files_.Append(DUMP_COUNTS,
                "109.6000000000,MonitorContendedEnter,00000000,30,60000000,3000000,0\n");
  Reopen();
  metrics_free(&metrics_);
  metrics_.labels = "";
  metrics_.top = 1;
  std::string text = WriteAt(110 * kSecond);
  EXPECT_TRUE(Has(text, "\norca_lock_waits_total{class=\"com.acme.Inventory\"} 1003\n")) << text;
  EXPECT_TRUE(Has(text, "\norca_lock_waits_total{class=\"several objects, not told apart\"} 30\n"))
      << text;
  EXPECT_TRUE(
      Has(text,
          "# HELP orca_lock_waits Acquisitions that had to wait and have ended, by the class "
          "of the lock: at least so many, because some are of several objects, not told "
          "apart.\n"))
      << text;
  metrics_.top = 10;
  text = WriteAt(110 * kSecond);
  EXPECT_TRUE(Has(text, "{class=\"several objects, not told apart\",site=\"\"} 0.060000000\n"))
      << text;
}

// Each metric is declared once, before its samples.
TEST_F(MetricsTest, DeclaresEachMetric) {
  std::string text = WriteAt(110 * kSecond);
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    if (text[at] == '#') continue;
    std::string name = text.substr(at, text.find_first_of("{ ", at) - at);
    if (name.size() > 6 && name.substr(name.size() - 6) == "_total") name.resize(name.size() - 6);
    size_t type = text.find("# TYPE " + name + " ");
    EXPECT_LT(type, at) << name;
    EXPECT_EQ(text.find("# TYPE " + name + " ", type + 1), std::string::npos) << name;
  }
}

TEST_F(MetricsTest, PutsLabelsOnEachLine) {
  metrics_.labels = "service=\"shop\"";
  std::string text = WriteAt(110 * kSecond);
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    std::string line = text.substr(at, text.find('\n', at) - at);
    EXPECT_TRUE(line[0] == '#' || Has(line, "{service=\"shop\"")) << line;
  }
}

// The labels are bounded; the sum over them is the same.
TEST_F(MetricsTest, SumsUpWhatHasNoRoom) {
  metrics_.top = 1;
  std::string text = WriteAt(110 * kSecond);
  EXPECT_TRUE(Has(text, "site=\"Inventory.reserve:42\"} 2.750000000\n")) << text;
  EXPECT_TRUE(
      Has(text, "orca_lock_blocked_seconds_total{class=\"other\",site=\"other\"} 1.625000000\n"))
      << text;
  EXPECT_FALSE(Has(text, "site=\"OrderService.price:88\"")) << text;
}

// What had no labels of its own when there was no room gets none later, so no counter falls.
TEST_F(MetricsTest, CountersNeverFall) {
  metrics_.top = 1;
  std::string text = WriteAt(104 * kSecond);
  EXPECT_TRUE(Has(text, "site=\"Inventory.reserve:42\"} 0.750000000\n")) << text;
  EXPECT_TRUE(Has(text, "site=\"other\"} 0.125000000\n")) << text;
  text = WriteAt(110 * kSecond);
  EXPECT_TRUE(Has(text, "site=\"Inventory.reserve:42\"} 2.750000000\n")) << text;
  EXPECT_TRUE(Has(text, "site=\"other\"} 1.625000000\n")) << text;
}

// The seconds of a long recording are forgotten, but not their sums.
TEST_F(MetricsTest, CountsTheProcessFromTheStart) {
  files_.Write(DUMP_SAMPLES,
               "101.5000000000,Process,250000000,-1\n101.6000000000,Pause,Gc,40000000\n");
  std::string text = WriteAt((110 + LIVE_SECONDS) * kSecond);
  ASSERT_EQ(live_second(&live_, 1), nullptr);
  EXPECT_TRUE(Has(text, "\norca_process_cpu_seconds_total 0.250000000\n")) << text;
  EXPECT_TRUE(Has(text, "\norca_gc_pause_seconds_total 0.040000000\n")) << text;
}

TEST(MetricsLabel, EscapesItsValue) {
  struct builder b = {};
  std::string value = "a\"b\\c\nd";
  metrics_label(&b, "key", {value.data(), value.size()});
  EXPECT_EQ(std::string(b.data, b.len), "key=\"a\\\"b\\\\c\\nd\"");
  builder_free(&b);
}

}  // namespace
