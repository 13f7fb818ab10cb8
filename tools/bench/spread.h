#pragma once
// The values of a figure that was measured several times, with their median and their range.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

class Spread {
 public:
  void Add(double value) {
    values_.insert(std::upper_bound(values_.begin(), values_.end(), value), value);
  }
  double Median() const { return values_[values_.size() / 2]; }

  // Returns the median, the minimum and the maximum, such as "1.23 (1.20..1.31)".
  std::string Text(int decimals) const {
    char text[96];
    snprintf(text, sizeof text, "%.*f (%.*f..%.*f)", decimals, Median(), decimals, values_.front(),
             decimals, values_.back());
    return text;
  }

 private:
  std::vector<double> values_;
};
