#include "tools/orca/model/base/segments.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace {

std::vector<size_t> Divide(const std::vector<double> &values, size_t least, double worth_cut,
                           size_t num_features = 1) {
  struct segments_series s = {values.data(), values.size() / num_features, num_features, least,
                              worth_cut};
  size_t ends[SEGMENTS_MOST];
  bool good = false;
  size_t num = segments_find(&s, ends, &good);
  EXPECT_TRUE(good);
  return std::vector<size_t>(ends, ends + num);
}

void Append(std::vector<double> *values, size_t num, double value) {
  values->insert(values->end(), num, value);
}

using Ends = std::vector<size_t>;

TEST(Segments, AnEmptySeriesHasNone) { EXPECT_EQ(Divide({}, 1, 0.1), Ends{}); }

TEST(Segments, EqualMeasurementsAreOne) {
  EXPECT_EQ(Divide(std::vector<double>(100, 0.3), 5, 0.1), Ends{100});
}

TEST(Segments, EndWhereTheMeasurementsChange) {
  std::vector<double> values;
  Append(&values, 40, 0.2);
  Append(&values, 30, 0.9);
  Append(&values, 50, 0.4);
  EXPECT_EQ(Divide(values, 5, 0.1), (Ends{40, 70, 120}));
}

TEST(Segments, AreNotShorterThanTheLeast) {
  std::vector<double> values;
  Append(&values, 50, 0);
  Append(&values, 3, 1);
  Append(&values, 50, 0);
  EXPECT_EQ(Divide(values, 3, 0.1), (Ends{50, 53, 103}));
  for (size_t end : Divide(values, 10, 0.1)) EXPECT_TRUE(end >= 10 && (end == 103 || end <= 93));
  EXPECT_EQ(Divide({0, 0, 0, 1, 1, 1}, 4, 0), Ends{6});
}

TEST(Segments, ACutHasToBeWorthIt) {
  std::vector<double> values;
  Append(&values, 50, 0.4);
  Append(&values, 50, 0.5);  // the cut saves 0.25
  EXPECT_EQ(Divide(values, 5, 0.24), (Ends{50, 100}));
  EXPECT_EQ(Divide(values, 5, 0.26), Ends{100});
}

TEST(Segments, AreFew) {
  std::vector<double> values;
  for (int i = 0; i < 12; i++) Append(&values, 20, i % 2);
  EXPECT_EQ(Divide(values, 5, 0.01).size(), static_cast<size_t>(SEGMENTS_MOST));
}

TEST(Segments, UseAllFeatures) {
  std::vector<double> values;
  for (int i = 0; i < 60; i++) {
    values.push_back(0.5);
    values.push_back(i < 20 ? 0 : 1);
    values.push_back(i < 45 ? 0 : 1);
  }
  EXPECT_EQ(Divide(values, 5, 0.1, 3), (Ends{20, 45, 60}));
}

TEST(Segments, NoiseIsNoChange) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(0, 1);
  for (int round = 0; round < 20; round++) {
    std::vector<double> values;
    for (int i = 0; i < 200; i++) values.push_back(noise(random));
    EXPECT_EQ(Divide(values, 10, 0.8).size(), 1u) << round;
  }
}

}  // namespace
