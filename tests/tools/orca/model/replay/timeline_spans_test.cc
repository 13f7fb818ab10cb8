#include <random>

#include "gtest/gtest.h"
#include "tools/orca/model/replay/timeline.h"

namespace {

class TimelineSpans : public testing::Test {
 protected:
  ~TimelineSpans() override {
    free(row_.spans);
    free(row_.mixes);
  }

  void Add(ticks_t begin, ticks_t end, enum activity state, uint32_t detail = 0) {
    ASSERT_TRUE(timeline_add_span(&row_, kStart, {begin, end, state, detail}));
    row_.sum.times[state] += end - begin;
  }

  void ExpectSums() {
    struct timeline_mix sum = row_.last.mix;
    for (size_t i = 0; i < row_.num; i++) {
      const struct timeline_span &span = row_.spans[i];
      if (i > 0) {
        EXPECT_GE(span.begin, row_.spans[i - 1].end);
      }
      for (unsigned s = 0; s < NUM_ACTIVITIES; s++) {
        if (span.state == TIMELINE_MIXED) sum.times[s] += row_.mixes[span.detail].times[s];
        if (span.state == s) sum.times[s] += span.end - span.begin;
      }
    }
    for (unsigned s = 0; s < NUM_ACTIVITIES; s++) EXPECT_EQ(sum.times[s], row_.sum.times[s]) << s;
  }

  static constexpr ticks_t kStart = 1000;
  struct timeline_row row_ = {};
};

TEST_F(TimelineSpans, JoinsSpansOfTheSameCall) {
  Add(1000, 1010, ACTIVITY_BLOCKED, 1);
  Add(1010, 1020, ACTIVITY_BLOCKED, 1);
  Add(1020, 1030, ACTIVITY_BLOCKED, 2);
  ASSERT_EQ(row_.num, 2u);
  EXPECT_EQ(row_.spans[0].end, 1020u);
}

TEST_F(TimelineSpans, AStepHasTheTimesOfItsStates) {
  row_.step = 100;
  Add(1010, 1030, ACTIVITY_RUNS);
  Add(1030, 1070, ACTIVITY_BLOCKED, 1);
  Add(1070, 1450, ACTIVITY_WAITS, 2);
  ASSERT_TRUE(timeline_end_step(&row_));
  ASSERT_EQ(row_.num, 2u);
  EXPECT_EQ(row_.spans[0].begin, 1010u);
  EXPECT_EQ(row_.spans[0].end, 1100u);
  EXPECT_EQ(row_.spans[0].state, TIMELINE_MIXED);
  EXPECT_EQ(row_.mixes[0].times[ACTIVITY_RUNS], 20u);
  EXPECT_EQ(row_.mixes[0].times[ACTIVITY_BLOCKED], 40u);
  EXPECT_EQ(row_.mixes[0].times[ACTIVITY_WAITS], 30u);
  // The steps that the call fills show the call.
  EXPECT_EQ(row_.spans[1].begin, 1100u);
  EXPECT_EQ(row_.spans[1].end, 1450u);
  EXPECT_EQ(row_.spans[1].state, ACTIVITY_WAITS);
  EXPECT_EQ(row_.spans[1].detail, 2u);
  ExpectSums();
}

TEST_F(TimelineSpans, AStepOfSeveralCallsShowsNone) {
  row_.step = 100;
  Add(1000, 1050, ACTIVITY_BLOCKED, 1);
  Add(1050, 1090, ACTIVITY_BLOCKED, 2);
  ASSERT_TRUE(timeline_end_step(&row_));
  ASSERT_EQ(row_.num, 1u);
  EXPECT_EQ(row_.spans[0].state, ACTIVITY_BLOCKED);
  EXPECT_EQ(row_.spans[0].detail, 0u);
}

TEST_F(TimelineSpans, CoarserRowsHaveFewerSpansAndTheSameSums) {
  std::mt19937 random{1};
  ticks_t at = kStart + 7;
  for (int i = 0; i < 20000; i++) {
    if (i % 1000 == 999) at += 5000;  // the thread ends and lives again
    ticks_t end = at + 1 + random() % (i % 50 == 0 ? 3000 : 20);
    Add(at, end, static_cast<enum activity>(random() % 4), static_cast<uint32_t>(i % 3));
    at = end;
  }
  while (row_.num > 2) {
    size_t before = row_.num;
    ASSERT_TRUE(timeline_coarsen(&row_, kStart));
    ASSERT_LE(row_.num, before * 3 / 4);
    ExpectSums();
  }
}

TEST_F(TimelineSpans, CoarseningContinuesInTheMiddleOfAStep) {
  row_.step = 10;
  for (ticks_t at = 1000; at < 1995; at += 5)
    Add(at, at + 5, at % 2 == 0 ? ACTIVITY_RUNS : ACTIVITY_SLEEPS);
  ASSERT_TRUE(timeline_coarsen(&row_, kStart));
  EXPECT_EQ(row_.step, 20u);
  ExpectSums();
  Add(1995, 2000, ACTIVITY_RUNS);
  ASSERT_TRUE(timeline_end_step(&row_));
  EXPECT_EQ(row_.spans[row_.num - 1].end, 2000u);
  EXPECT_EQ(row_.num, 50u);
  ExpectSums();
}

}  // namespace
