#pragma once
// The small dump, and the figures that it has.
#include <string>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/budget/measure/measure.h"

class Measured : public testing::Test {
 protected:
  ~Measured() override { figures_free(&figures_); }

  // Measures the current files of the dump.
  void Measure() {
    figures_free(&figures_);
    figures_.name = "run";
    EXPECT_TRUE(measure_run(&figures_, small_.Read()));
  }
  // Returns the keys of the figures of this kind, in their order.
  std::vector<std::string> Keys(enum budget_kind kind) {
    std::vector<std::string> keys;
    for (size_t i = 0; i < figures_.num; i++) {
      if (figures_.rows[i].kind == kind) keys.push_back(figures_.rows[i].key);
    }
    return keys;
  }
  // Returns the only figure of this kind.
  const struct figure &Only(enum budget_kind kind) {
    const struct figure *only = nullptr;
    for (size_t i = 0; i < figures_.num; i++) {
      if (figures_.rows[i].kind != kind) continue;
      EXPECT_EQ(only, nullptr) << figures_.rows[i].key;
      only = &figures_.rows[i];
    }
    EXPECT_NE(only, nullptr);
    static const struct figure none = {};
    return only == nullptr ? none : *only;
  }
  void SetOptions(const std::string &options) {
    small_.files.Replace(DUMP_INFO, "engine=weave", "engine=weave," + options);
  }

  using Keyed = std::vector<std::string>;
  SmallModel small_;
  struct figures figures_ = {};
};
