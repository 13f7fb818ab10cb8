#include "tools/orca/causal/whatif/method_part.h"

#include <algorithm>

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

class MethodPart : public testing::Test {
 protected:
  MethodPart() : recorded_(Make()), prediction_(recorded_.files) {}
  ~MethodPart() override { method_part_free(&part_); }
  static machine::Program Make() {
    machine::Program p;
    p.threads.assign(2, Rounds(20, {{machine::kCompute, 0, 5}, {machine::kSleep, 0, 5}}));
    return p;
  }
  void Read(const char *pattern) {
    EXPECT_TRUE(method_part_read(&part_, &prediction_.Whatif().script, pattern));
  }

  Recorded recorded_;
  Prediction prediction_;
  struct method_part part_ = {};
};

TEST_F(MethodPart, SamplesTellThePartOfAStretch) {
  Read("Worker.work");
  EXPECT_TRUE(part_.is_found);
  EXPECT_EQ(part_.tracked, 0u);
  double most = 0;
  for (size_t i = 0; i < prediction_.Whatif().script.num_sites; i++) {
    most = std::max(most, static_cast<double>(part_.of_site[i]));
  }
  EXPECT_EQ(most, 1);
}

TEST_F(MethodPart, AWaitIsInsideOfTheMethodsOfItsStack) {
  Read("sleep");
  EXPECT_TRUE(part_.is_found);
  for (size_t i = 0; i < prediction_.Whatif().script.num_acts; i++) {
    const struct act &a = prediction_.Whatif().script.acts[i];
    if (a.kind == ACT_SLEEP) {
      EXPECT_EQ(part_.of_stack[a.place], 1);
    }
  }
}

TEST_F(MethodPart, AnUnknownMethodIsNotFound) {
  Read("Worker.idle");
  EXPECT_FALSE(part_.is_found);
}

}  // namespace
