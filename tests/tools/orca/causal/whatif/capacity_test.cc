#include "tools/orca/causal/whatif/capacity.h"

#include <math.h>

#include <algorithm>

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Op;
using machine::Program;

Op Compute(double ms) { return {machine::kCompute, 0, ms}; }
Op Sleep(double ms) { return {machine::kSleep, 0, ms}; }

TEST(Capacity, DividesTheCpus) {
  struct capacity c = {2, 0};
  EXPECT_DOUBLE_EQ(capacity_rate(&c, 1), 1);
  EXPECT_DOUBLE_EQ(capacity_rate(&c, 4), 0.5);
  c.others = 3;
  EXPECT_DOUBLE_EQ(capacity_rate(&c, 1), 0.5);
  c.cpus = 0;
  EXPECT_DOUBLE_EQ(capacity_rate(&c, 100), 1);
}

TEST(Capacity, FindsTheThreadsOfOthers) {
  Program p;
  p.others = 3;
  p.threads = {Rounds(50, {Compute(4), Sleep(6)}), Rounds(50, {Compute(7), Sleep(3)})};
  Recorded r(p);
  Prediction prediction(r.files);
  EXPECT_NEAR(prediction.Whatif().script.capacity.others, 3, 0.3);
  EXPECT_LT(prediction.Whatif().error, 0.03);
}

TEST(Capacity, WithoutCompetitionThereAreNone) {
  Program p;
  p.threads = {Rounds(50, {Compute(4), Sleep(6)}), Rounds(50, {Compute(7), Sleep(3)})};
  Recorded r(p);
  Prediction prediction(r.files);
  EXPECT_NEAR(prediction.Whatif().script.capacity.others, 0, 0.01);
}

// A sample tells the CPU time of 20 ms together. While two threads were ready, each got half.
TEST(Capacity, GivesAStretchTheCpuTimeThatItNeeded) {
  Program p;
  p.cpus = 1;
  p.threads = {Rounds(40, {Compute(2), Sleep(1), Compute(4), Sleep(9)}),
               Rounds(40, {Compute(3), Sleep(10)})};
  Recorded r(p);
  Prediction prediction(r.files);
  const struct script &s = prediction.Whatif().script;
  double wrong = 0;
  for (size_t t = 0; t < s.num_threads; t++) {
    if (s.threads[t].hash != 16) continue;
    for (size_t i = s.threads[t].first; i < s.threads[t].first + s.threads[t].num; i++) {
      double ms = s.acts[i].cpu / TICKS_PER_S * 1000;
      if (s.acts[i].kind == ACT_RUN) wrong += std::min(fabs(ms - 2), fabs(ms - 4));
    }
  }
  EXPECT_LT(wrong / 80, 0.5);
}

}  // namespace
