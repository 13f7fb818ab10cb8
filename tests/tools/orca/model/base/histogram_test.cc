#include "tools/orca/model/base/histogram.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace {

class Histogram : public testing::Test {
 protected:
  ~Histogram() override { histogram_free(&h_); }

  void Add(std::initializer_list<uint64_t> numbers) {
    for (uint64_t n : numbers) EXPECT_TRUE(histogram_add(&h_, n));
  }

  struct histogram h_ = {};
};

TEST_F(Histogram, CanBeEmpty) {
  EXPECT_EQ(histogram_quantile(&h_, 500), 0u);
  EXPECT_EQ(histogram_between(&h_, 3), 0u);
}

TEST_F(Histogram, SmallNumbersAreExact) {
  for (uint64_t n = 1; n <= 50; n++) Add({n});
  EXPECT_EQ(histogram_quantile(&h_, 500), 25u);
  EXPECT_EQ(histogram_quantile(&h_, 990), 50u);
  EXPECT_EQ(histogram_quantile(&h_, 0), 1u);
  EXPECT_EQ(histogram_quantile(&h_, 1000), 50u);
  EXPECT_EQ(h_.num, 50u);
}

TEST_F(Histogram, OneNumberIsExact) {
  Add({123456789});
  EXPECT_EQ(histogram_quantile(&h_, 1), 123456789u);
  EXPECT_EQ(histogram_quantile(&h_, 990), 123456789u);
}

TEST_F(Histogram, CountsByPower) {
  Add({0, 1, 2, 3, 4, 1023, 1024, 2047, 2048, UINT64_MAX});
  EXPECT_EQ(histogram_between(&h_, 0), 2u);
  EXPECT_EQ(histogram_between(&h_, 1), 2u);
  EXPECT_EQ(histogram_between(&h_, 2), 1u);
  EXPECT_EQ(histogram_between(&h_, 9), 1u);
  EXPECT_EQ(histogram_between(&h_, 10), 2u);
  EXPECT_EQ(histogram_between(&h_, 11), 1u);
  EXPECT_EQ(histogram_between(&h_, 63), 1u);
  EXPECT_EQ(histogram_power(0), 0u);
  EXPECT_EQ(histogram_power(1), 0u);
  EXPECT_EQ(histogram_power(1024), 10u);
  EXPECT_EQ(h_.least, 0u);
  EXPECT_EQ(h_.most, UINT64_MAX);
}

// The bound of the error and the memory that the header promises.
TEST_F(Histogram, QuantilesStayWithinTheBound) {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> durations(12, 2);
  std::vector<uint64_t> all;
  for (int i = 0; i < 100000; i++) {
    all.push_back(static_cast<uint64_t>(durations(random)));
    Add({all.back()});
  }
  std::sort(all.begin(), all.end());
  for (unsigned permille = 1; permille <= 1000; permille++) {
    auto exact = static_cast<double>(all[(all.size() * permille + 999) / 1000 - 1]);
    auto found = static_cast<double>(histogram_quantile(&h_, permille));
    EXPECT_LE(std::abs(found - exact), exact * 0.016 + 0.5) << permille;
  }
  EXPECT_LE(h_.num_buckets * sizeof *h_.counts, 16u << 10);
}

TEST_F(Histogram, RoundsAsItsQuantilesDo) {
  for (uint64_t n : {0ull, 63ull, 64ull, 65ull, 1000ull, 123456789ull, ~0ull}) {
    uint64_t rounded = histogram_round(n);
    EXPECT_LE(rounded > n ? rounded - n : n - rounded, n / 62) << n;
    EXPECT_EQ(histogram_round(rounded), rounded);
  }
}

}  // namespace
