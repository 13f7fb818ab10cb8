#include "tools/orca/model/compare.h"

#include <regex>

#include "tests/tools/orca/model/two_runs.h"

namespace {

const struct diff_row &FindRow(const struct comparison *c, enum compare_part part, size_t i = 0) {
  return c->parts[part].rows[i];
}

// A: price 50 ms at 100 ticks in 10 s; B: 80 ms at 200 ticks in 20 s.
TEST(Compare, ComparesMethodsByCpuTimePerSecond) {
  TwoRuns runs({}, {.seconds = 20, .price_ms = 80});
  const struct comparison *c = runs.Compare();
  ASSERT_EQ(c->parts[COMPARE_METHODS].num, 2u);
  const struct diff_row &price = FindRow(c, COMPARE_METHODS);
  EXPECT_EQ(price.verdict, DIFF_MORE);
  EXPECT_EQ(price.rates[0], 500e6);
  EXPECT_EQ(price.rates[1], 800e6);
  EXPECT_EQ(price.sides[1].id, 0x10u);
  EXPECT_EQ(price.sides[1].place, place(0x10, 88));
  EXPECT_NEAR(price.sides[0].count, 200 * 5.0 / 7, 0.001);  // 5 s of 7 s; 200 samples in total
  EXPECT_NEAR(price.sides[1].count, 400 * 16.0 / 20, 0.001);
  EXPECT_EQ(FindRow(c, COMPARE_METHODS, 1).verdict, DIFF_SAME);
  EXPECT_EQ(diff_change(&FindRow(c, COMPARE_METHODS, 1)), 0);
  EXPECT_EQ(c->totals[COMPARE_METHODS].rates[0], 700e6);
  EXPECT_EQ(c->totals[COMPARE_METHODS].rates[1], 1000e6);
  EXPECT_EQ(c->totals[COMPARE_METHODS].verdict, DIFF_MORE);
}

// A: 100 times 10 ms in 10 s; B: 200 times 40 ms in 20 s, on another object of the same class.
TEST(Compare, ComparesLocksByClass) {
  TwoRuns runs({}, {.seconds = 20, .blocked_ms = 40, .lock = "000000B1"});
  const struct comparison *c = runs.Compare();
  ASSERT_EQ(c->parts[COMPARE_LOCKS].num, 1u);
  const struct diff_row &lock = FindRow(c, COMPARE_LOCKS);
  EXPECT_EQ(lock.verdict, DIFF_MORE);
  EXPECT_EQ(lock.kind, LOCK_MONITOR);
  EXPECT_EQ(lock.rates[0], 100e6);
  EXPECT_EQ(lock.rates[1], 400e6);
  EXPECT_EQ(lock.sides[0].count, 100);
  EXPECT_EQ(lock.sides[1].count, 200);
  EXPECT_EQ(lock.sides[1].id, 0xC5u);
  EXPECT_EQ(lock.sides[1].place, place(0x12, 42));
  EXPECT_EQ(c->totals[COMPARE_LOCKS].rates[1], 400e6);
  EXPECT_EQ(c->totals[COMPARE_LOCKS].sides[1].count, 200);
}

// In B 2 s of 10 s are of several monitors, of which A1 may be one.
TEST(Compare, KnowsHowMuchMoreARowMayHave) {
  TwoRuns runs({.options = "threshold=5ms"}, {.options = "threshold=5ms"});
  runs.B().Append(DUMP_COUNTS,
                  "100.5000000000,MonitorContendedEnter,00000000,500,2000000000,4000000,0\n");
  const struct comparison *c = runs.Compare();
  const struct diff &locks = c->parts[COMPARE_LOCKS];
  ASSERT_EQ(locks.num, 2u);
  for (size_t i = 0; i < locks.num; i++) {
    const struct diff_row &row = locks.rows[i];
    bool is_several = compare_is_several(COMPARE_LOCKS, &row);
    EXPECT_EQ(row.sides[0].more, 0);
    EXPECT_EQ(row.sides[1].more, is_several ? 0 : 200e6);
    EXPECT_EQ(row.sides[1].id, is_several ? SHORT_SEVERAL_CLASS : 0xC5u);
    EXPECT_EQ(row.rates[1], is_several ? 200e6 : 100e6);
  }
  EXPECT_EQ(c->totals[COMPARE_LOCKS].rates[1], 300e6);
  const struct diff &waits = c->parts[COMPARE_WAITS];
  for (size_t i = 0; i < waits.num; i++) EXPECT_EQ(waits.rows[i].sides[1].more, 0);
}

// The same waits of one lock, which lost its object in B. Of a larger change some is certain.
TEST(Compare, DoesNotJudgeTimeThatMayBeOfSeveralObjects) {
  for (bool is_larger : {false, true}) {
    TwoRuns runs({.blocked_ms = is_larger ? 40 : 10, .options = "threshold=5ms"},
                 {.blocked_ms = 0, .options = "threshold=5ms"});
    runs.B().Append(DUMP_COUNTS,
                    "100.5000000000,MonitorContendedEnter,00000000,500,1000000000,4000000,0\n");
    const struct comparison *c = runs.Compare();
    const struct diff &locks = c->parts[COMPARE_LOCKS];
    ASSERT_EQ(locks.num, 2u);
    for (size_t i = 0; i < locks.num; i++) {
      const struct diff_row &row = locks.rows[i];
      bool is_several = compare_is_several(COMPARE_LOCKS, &row);
      EXPECT_EQ(row.is_open, is_several || !is_larger);
      EXPECT_EQ(row.verdict, is_several ? DIFF_NEW : DIFF_GONE);
    }
  }
}

// Both runs sleep for 5 ms at each tick, ten times a second.
TEST(Compare, ComparesOtherWaits) {
  TwoRuns runs({}, {.seconds = 20});
  const struct comparison *c = runs.Compare();
  ASSERT_EQ(c->parts[COMPARE_WAITS].num, 1u);
  const struct diff_row &sleep = FindRow(c, COMPARE_WAITS);
  EXPECT_EQ(sleep.kind, static_cast<unsigned>(EVENT_THREAD_SLEEP));
  EXPECT_EQ(sleep.rates[0], 50e6);
  EXPECT_EQ(sleep.rates[1], 50e6);
  EXPECT_EQ(sleep.verdict, DIFF_SAME);
}

TEST(Compare, RowsOfOneRunAreNewOrGone) {
  TwoRuns runs({.reserve_ms = 0}, {.price_ms = 0, .blocked_ms = 0});
  const struct comparison *c = runs.Compare();
  ASSERT_EQ(c->parts[COMPARE_METHODS].num, 2u);
  EXPECT_EQ(FindRow(c, COMPARE_METHODS, 0).verdict, DIFF_GONE);
  EXPECT_EQ(FindRow(c, COMPARE_METHODS, 0).sides[1].id, 0u);
  EXPECT_EQ(diff_choose_name_side(&FindRow(c, COMPARE_METHODS, 0)), 0);
  EXPECT_EQ(FindRow(c, COMPARE_METHODS, 1).verdict, DIFF_NEW);
  EXPECT_EQ(FindRow(c, COMPARE_LOCKS).verdict, DIFF_GONE);
}

// Hashes and ids change with each run, lines with each build, and numbers of lambdas with both.
TEST(Compare, IgnoresHashesIdsLinesAndLambdaNumbers) {
  TwoRuns runs({}, {});
  auto renumber = [&](enum dump_file file) {
    std::string text = runs.B().Text(file);
    text = std::regex_replace(text, std::regex("000000C4"), "000000D4");
    text = std::regex_replace(text, std::regex("000000C5"), "000000D5");
    text = std::regex_replace(text, std::regex("00000010"), "00000090");
    text = std::regex_replace(text, std::regex("00000012"), "00000092");
    text = std::regex_replace(text, std::regex("000000A1"), "000000A9");
    runs.B().Write(file, text);
  };
  for (enum dump_file file :
       {DUMP_CLASSES, DUMP_METHODS, DUMP_OBJECTS, DUMP_EVENTS, DUMP_SAMPLES}) {
    renumber(file);
  }
  runs.B().Replace(DUMP_METHODS, "00000000;0000002A", "00000000;0000002B");
  runs.A().Replace(DUMP_CLASSES, "Lcom/acme/OrderService;", "Lcom/acme/O$$Lambda$7.0x01;");
  runs.B().Replace(DUMP_CLASSES, "Lcom/acme/OrderService;", "Lcom/acme/O$$Lambda$9.0x02;");
  const struct comparison *c = runs.Compare();
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) {
    for (size_t i = 0; i < c->parts[part].num; i++) {
      EXPECT_EQ(diff_change(&c->parts[part].rows[i]), 0) << part << " " << i;
    }
  }
  EXPECT_EQ(c->parts[COMPARE_METHODS].num, 2u);
  EXPECT_EQ(c->parts[COMPARE_LOCKS].num, 1u);
}

TEST(Compare, ComparesOnlyWhatMatchesTheFilter) {
  TwoRuns runs({}, {.price_ms = 80, .blocked_ms = 40});
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-1"}, 1};
  const struct comparison *c = runs.Compare(&filter);
  EXPECT_EQ(c->parts[COMPARE_METHODS].num, 1u);
  EXPECT_EQ(c->parts[COMPARE_LOCKS].num, 0u);
}

}  // namespace
