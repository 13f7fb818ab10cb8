#include "tools/orca/model/diff.h"

#include <string>

#include "gtest/gtest.h"

namespace {

constexpr double kMs = 1e6;

struct diff_side MakeSide(double ms, double count) {
  return {.time = static_cast<ticks_t>(ms * 1e6) * TICKS_PER_NS,
          .count = count,
          .id = 0,
          .place = 0,
          .most = 0,
          .more = 0};
}

// Judges times of `a` and `b` ms with these numbers of samples or events. Both runs last a second.
enum diff_verdict Judge(enum diff_basis basis, double a, double a_count, double b, double b_count) {
  struct diff_row row = {};
  const ticks_t lengths[2] = {TICKS_PER_S, TICKS_PER_S};
  row.sides[0] = MakeSide(a, a_count);
  row.sides[1] = MakeSide(b, b_count);
  diff_judge(&row, basis, lengths);
  return row.verdict;
}

class Diff : public testing::Test {
 protected:
  Diff() {
    diff_.basis = DIFF_SAMPLES;
    diff_.lengths[0] = TICKS_PER_S;
    diff_.lengths[1] = 2 * TICKS_PER_S;
  }
  ~Diff() { diff_free(&diff_); }
  void Add(const std::string &key, int side, double ms, double count, uint32_t id = 0) {
    struct diff_side values = MakeSide(ms, count);
    values.id = id;
    values.place = id;
    EXPECT_TRUE(diff_add(&diff_, {key.data(), key.size()}, 7, side, &values));
  }

  struct diff diff_ = {};
};

TEST_F(Diff, RatesAreForEachSecondOfRun) {
  Add("x", 0, 100, 100);
  Add("x", 1, 400, 400);
  diff_end(&diff_);
  ASSERT_EQ(diff_.num, 1u);
  EXPECT_EQ(diff_.rows[0].rates[0], 100 * kMs);
  EXPECT_EQ(diff_.rows[0].rates[1], 200 * kMs);
  EXPECT_EQ(diff_change(&diff_.rows[0]), 100 * kMs);
  EXPECT_EQ(diff_.rows[0].verdict, DIFF_MORE);
  EXPECT_EQ(diff_.rows[0].kind, 7u);
}

TEST_F(Diff, SortsChangedRowsFirstThenBySize) {
  Add("noise", 0, 1000, 2);
  Add("noise", 1, 1000, 2);
  Add("less", 0, 300, 1000);
  Add("less", 1, 400, 1000);
  Add("more", 0, 100, 1000);
  Add("more", 1, 600, 1000);
  diff_end(&diff_);
  ASSERT_EQ(diff_.num, 3u);
  EXPECT_EQ(diff_change(&diff_.rows[0]), 200 * kMs);
  EXPECT_EQ(diff_change(&diff_.rows[1]), -100 * kMs);
  EXPECT_EQ(diff_change(&diff_.rows[2]), -500 * kMs);
  EXPECT_EQ(diff_.rows[2].verdict, DIFF_SAME);
  EXPECT_EQ(diff_.more, 200 * kMs);
  EXPECT_EQ(diff_.less, 600 * kMs);
}

TEST_F(Diff, ARowIsNamedByItsLargestPart) {
  Add("x", 1, 10, 1, 1);
  Add("x", 1, 30, 2, 2);
  Add("x", 1, 20, 3, 3);
  diff_end(&diff_);
  const struct diff_side *side = &diff_.rows[0].sides[1];
  EXPECT_EQ(side->time, 60 * 1000000 * TICKS_PER_NS);
  EXPECT_EQ(side->count, 6);
  EXPECT_EQ(side->id, 2u);
  EXPECT_EQ(side->place, 2u);
  EXPECT_EQ(diff_choose_name_side(&diff_.rows[0]), 1);
}

TEST_F(Diff, AnEmptyDiffHasNoRows) {
  diff_end(&diff_);
  EXPECT_EQ(diff_.num, 0u);
}

// Otherwise the order of the input would show, which a digest does not keep.
TEST_F(Diff, EqualRowsAreInTheOrderOfTheirIds) {
  for (uint32_t id : {3u, 1u, 2u}) Add("a" + std::to_string(id), 0, 100, 100, id);
  for (uint32_t id : {6u, 4u, 5u}) Add("b" + std::to_string(id), 1, 200, 200, id);
  diff_end(&diff_);
  std::string order;
  for (size_t i = 0; i < diff_.num; i++) {
    const struct diff_row &row = diff_.rows[i];
    order += std::to_string(row.sides[0].id + row.sides[1].id);
  }
  EXPECT_EQ(order, "456123");
}

// A has no row of x, but may have cut one of up to 90 ms.
TEST_F(Diff, WhatMayBeCutIsNotNew) {
  diff_.most_cut[0].time = static_cast<ticks_t>(90 * kMs) * TICKS_PER_NS;
  diff_.most_cut[0].count = 1000;
  Add("x", 1, 184, 1000);   // 92 ms in a second
  Add("y", 1, 1000, 1000);  // 500 ms in a second
  Add("z", 1, 20, 1000);    // 10 ms in a second
  diff_end(&diff_);
  ASSERT_EQ(diff_.num, 3u);
  EXPECT_EQ(diff_.rows[0].verdict, DIFF_NEW);
  EXPECT_EQ(diff_.rows[1].verdict, DIFF_SAME);
  EXPECT_EQ(diff_.rows[2].verdict, DIFF_SAME);
}

TEST_F(Diff, RatesOfBrokenFilesAreBounded) {
  diff_.lengths[1] = 1;
  struct diff_side values = MakeSide(0, 1);
  values.time = UINT64_MAX;
  EXPECT_TRUE(diff_add(&diff_, {"x", 1}, 7, 1, &values));
  diff_end(&diff_);
  EXPECT_EQ(diff_.rows[0].rates[1], 1e18);
}

TEST(DiffVerdict, EqualRatesAreTheSame) {
  EXPECT_EQ(Judge(DIFF_EXACT, 100, 0, 100, 0), DIFF_SAME);
  EXPECT_EQ(Judge(DIFF_EVENTS, 0, 0, 0, 0), DIFF_SAME);
}

TEST(DiffVerdict, AChangeExceedsAShareOfTheLargerRate) {
  EXPECT_EQ(Judge(DIFF_EXACT, 100, 0, 105, 0), DIFF_SAME);
  EXPECT_EQ(Judge(DIFF_EXACT, 100, 0, 106, 0), DIFF_MORE);
  EXPECT_EQ(Judge(DIFF_EXACT, 106, 0, 100, 0), DIFF_LESS);
  EXPECT_EQ(Judge(DIFF_EVENTS, 100, 1e9, 110, 1e9), DIFF_SAME);
  EXPECT_EQ(Judge(DIFF_EVENTS, 100, 1e9, 112, 1e9), DIFF_MORE);
}

// The deviation of a time from n samples is its share 1 / sqrt(n). Deviations add up as squares.
TEST(DiffVerdict, AChangeExceedsTheDeviationOfSamples) {
  EXPECT_EQ(Judge(DIFF_SAMPLES, 100, 100, 160, 64), DIFF_SAME);     // 10 and 20: 3 * 22.4 > 60
  EXPECT_EQ(Judge(DIFF_SAMPLES, 100, 100, 170, 72.25), DIFF_MORE);  // 10 and 20: 3 * 22.4 < 70
  EXPECT_EQ(Judge(DIFF_SAMPLES, 0, 0, 9, 9), DIFF_SAME);
  EXPECT_EQ(Judge(DIFF_SAMPLES, 0, 0, 10, 10), DIFF_NEW);
  EXPECT_EQ(Judge(DIFF_SAMPLES, 10, 10, 0, 0), DIFF_GONE);
}

// Waits differ in length, so their variance is twice that of as many samples.
TEST(DiffVerdict, EventsDeviateMoreThanSamples) {
  EXPECT_EQ(Judge(DIFF_EVENTS, 0, 0, 18, 18), DIFF_SAME);
  EXPECT_EQ(Judge(DIFF_EVENTS, 0, 0, 19, 19), DIFF_NEW);
  EXPECT_EQ(Judge(DIFF_EVENTS, 10000, 1, 0, 0), DIFF_SAME);
}

TEST(DiffVerdict, ARunWithoutLengthHasNoRates) {
  struct diff_row row = {};
  const ticks_t lengths[2] = {0, 0};
  row.sides[1] = MakeSide(10, 100);
  diff_judge(&row, DIFF_SAMPLES, lengths);
  EXPECT_EQ(row.verdict, DIFF_SAME);
  EXPECT_EQ(row.rates[1], 0);
}

}  // namespace
