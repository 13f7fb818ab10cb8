#include "tests/tools/orca/render/view/two_shown.h"

namespace {

constexpr char kLegend[] =
    "* ~ means no change: the two values differ by less than 5 % (locks and waits: 10 %) of the "
    "larger\n  one, or by less than three times the random error of so few samples or events.\n";

std::string Words(const Recorded &a, const Recorded &b) {
  TwoRuns runs(a, b);
  return ShowView(runs.Compare(), view_diff_words);
}

TEST(DiffWords, NamesWhatGotWorse) {
  EXPECT_EQ(Words({}, {.seconds = 20, .price_ms = 80, .blocked_ms = 40}),
            std::string(
                "\nIn short\n"
                "* B ran for 20.0 s instead of 10.0 s. The figures are per second of run: if both "
                "runs did the same\n  work, multiply those of B by 2.0.\n"
                "* B uses 0.30 CPUs more than A (1.00 instead of 0.70); most of it in "
                "OrderService.price\n  (OrderService.java:88): 800 ms in each second of run "
                "instead of 500 ms.\n"
                "* Threads are blocked by locks 300 ms longer in each second of B (all threads "
                "together 400 ms\n  instead of 100 ms); most of it on the monitor of "
                "com.acme.Inventory at Inventory.reserve\n  (Inventory.java:42): 400 ms in each "
                "second of run instead of 100 ms.\n") +
                kLegend);
}

TEST(DiffWords, SaysThatATimeIsTheLeast) {
  TwoRuns runs({.options = "threshold=5ms"}, {.blocked_ms = 40, .options = "threshold=5ms"});
  for (DumpFiles *files : {&runs.A(), &runs.B()}) {
    files->Append(DUMP_COUNTS,
                  "100.5000000000,MonitorContendedEnter,00000000,5,20000000,4000000,0\n");
  }
  std::string text = ShowView(runs.Compare(), view_diff_words);
  for (char &c : text) c = c == '\n' ? ' ' : c;
  EXPECT_TRUE(Has(text, ": at least 400 ms in each ")) << text;
  EXPECT_TRUE(Has(text, "at least 100 ms")) << text;
}

// In B the waits for the lock have lost their object.
TEST(DiffWords, DoesNotNameALockThatMayNotHaveChanged) {
  TwoRuns runs({.options = "threshold=5ms"}, {.blocked_ms = 0, .options = "threshold=5ms"});
  runs.B().Append(DUMP_COUNTS,
                  "100.5000000000,MonitorContendedEnter,00000000,100,1000000000,10000000,0\n");
  std::string text = ShowView(runs.Compare(), view_diff_words);
  EXPECT_FALSE(Has(text, "it fell most on")) << text;
  EXPECT_FALSE(Has(text, "it grew most on")) << text;
}

TEST(DiffWords, NamesWhatGotBetter) {
  std::string text = Words({.price_ms = 80, .blocked_ms = 40}, {.reserve_ms = 0});
  EXPECT_TRUE(Has(text, "B uses 0.50 CPUs less than A (0.50 instead of 1.00); most of it in "))
      << text;
  EXPECT_TRUE(
      Has(text, "blocked by locks 300 ms less in each second of B (all threads together 100 ms"))
      << text;
}

TEST(DiffWords, NamesNoMethodsIfTheSamplersDiffer) {
  TwoRuns runs({}, {});
  runs.B().Append(DUMP_SAMPLES, "109.9900000000,Cpu,00000002,9000000000,2,Java\n");
  std::string text = ShowView(runs.Compare(), view_diff_words);
  EXPECT_TRUE(Has(text, "* B uses 0.20 CPUs more than A (0.90 instead of 0.70).\n")) << text;
}

TEST(DiffWords, NamesANewMethodAndTheOneThatFell) {
  std::string text = Words({.price_ms = 50, .reserve_ms = 0}, {.price_ms = 0, .reserve_ms = 50});
  EXPECT_TRUE(Has(text,
                  "* B uses as much CPU time as A (0.50 instead of 0.50); it grew most in "
                  "Inventory.reserve\n  (Inventory.java:42): 500 ms in each second of run, and "
                  "nothing in A; it fell most in\n  OrderService.price (OrderService.java:88): "
                  "0 s in each second of run instead of 500 ms.\n"))
      << text;
}

// Rows that change against the total: the total rises by 200 ms per second, one method by 300 ms,
// and another one falls by 100 ms.
TEST(DiffWords, NamesAChangeAgainstTheTotal) {
  std::string text = Words({.price_ms = 20, .reserve_ms = 40}, {.price_ms = 50, .reserve_ms = 10});
  EXPECT_TRUE(Has(text, "* B uses as much CPU time as A (0.60 instead of 0.60); it grew most in "))
      << text;
  text = Words({.seconds = 100, .price_ms = 20, .reserve_ms = 40},
               {.seconds = 100, .price_ms = 50, .reserve_ms = 30});
  EXPECT_TRUE(Has(text, "B uses 0.20 CPUs more than A (0.80 instead of 0.60); most of it in "))
      << text;
  EXPECT_TRUE(Has(text, "it fell most in")) << text;
}

// A row with a fiftieth of the total change is not mentioned.
TEST(DiffWords, LeavesOutASmallChangeAgainstTheTotal) {
  std::string text = Words({.seconds = 1000, .price_ms = 20, .reserve_ms = 30},
                           {.seconds = 1000, .price_ms = 80, .reserve_ms = 28});
  EXPECT_TRUE(Has(text, "B uses 0.58 CPUs more than A (1.08 instead of 0.50); most of it in "))
      << text;
  EXPECT_FALSE(Has(text, "it fell most")) << text;
}

TEST(DiffWords, NamesTheLengthsOfRunsThatEndedByThemselves) {
  EXPECT_FALSE(Has(Words({.seconds = 100}, {.seconds = 119}), "B ran for"));
  EXPECT_TRUE(Has(Words({.seconds = 100}, {.seconds = 121}), "multiply those of B by 1.2."));
  EXPECT_TRUE(Has(Words({.seconds = 100}, {.seconds = 25}), "multiply those of B by 0.25."));
  EXPECT_TRUE(Has(Words({.seconds = 10}, {.seconds = 121}), "multiply those of B by 12."));
  TwoRuns stopped({}, {.seconds = 20}), filtered({}, {.seconds = 20});
  stopped.B().Replace(DUMP_INFO, "end.reason=exit", "end.reason=stop");
  EXPECT_FALSE(Has(ShowView(stopped.Compare(), view_diff_words), "B ran for"));
  struct filter from = {};
  from.from = 1010000000000;
  from.to = UINT64_MAX;
  EXPECT_FALSE(Has(ShowView(filtered.Compare(&from), view_diff_words), "B ran for"));
}

TEST(DiffWords, SaysThatNothingChanged) {
  EXPECT_EQ(
      Words({}, {}),
      std::string("\nIn short\n* No change is larger than chance and the usual difference between "
                  "two runs.\n") +
          kLegend);
}

// Ten blocks or ten samples are too few for a row. The total of the CPU time is exact.
TEST(DiffWords, TooFewSamplesAreNoChange) {
  std::string text = Words({.seconds = 1, .blocked_ms = 0}, {.seconds = 1, .price_ms = 40});
  EXPECT_FALSE(Has(text, "blocked")) << text;
  EXPECT_TRUE(Has(text, "* B uses 0.10 CPUs less than A (0.60 instead of 0.70).\n")) << text;
}

// The least change is 10 ms in each second, of a thread or a CPU.
TEST(DiffWords, TooSmallChangesAreLeftOut) {
  const Recorded a = {.price_ms = 0, .reserve_ms = 2, .blocked_ms = 0};
  const Recorded b = {.price_ms = 0, .reserve_ms = 0, .blocked_ms = 0};
  EXPECT_TRUE(
      Has(Words(a, b), "B uses 0.02 CPUs less than A (0.00 instead of 0.02); most of it in "))
      << Words(a, b);
  EXPECT_FALSE(Has(Words({.price_ms = 0, .reserve_ms = 0, .blocked_ms = 0}, b), "B uses"));
  EXPECT_FALSE(
      Has(Words({.price_ms = 100, .reserve_ms = 0}, {.price_ms = 105, .reserve_ms = 0}), "B uses"));
}

}  // namespace
