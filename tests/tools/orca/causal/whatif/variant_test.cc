#include "tools/orca/causal/whatif/variant.h"

#include "tests/tools/orca/causal/whatif/recorded.h"
#include "tools/orca/model/cost.h"

namespace {

using machine::Machine;
using machine::Program;

// The time of the script in a variant, in milliseconds.
double Play(const Prediction &p, int id) {
  struct changes c = {};
  c.variant = &variants[id];
  struct simulation r;
  simulation_run(&r, &p.Whatif().script, &c, 1e6 * TICKS_PER_S);
  EXPECT_EQ(r.end, SIMULATION_DONE);
  double ms = r.time / TICKS_PER_S * 1000;
  simulation_free(&r);
  return ms;
}

TEST(Variant, TheFirstOneIsTheRecording) {
  EXPECT_EQ(variants[VARIANT_RECORDED].cost, 1);
  EXPECT_EQ(variants[VARIANT_RECORDED].hand_off, 1);
  EXPECT_EQ(variants[VARIANT_RECORDED].others, 1);
}

// The machine knows how long the program takes with other hand-offs.
TEST(Variant, MultipliesHandOffs) {
  Program p;
  p.cpus = 4;
  p.threads.assign(3,
                   Rounds(50, {{machine::kLock}, {machine::kCompute, 0, 1}, {machine::kUnlock}}));
  p.hand_off_ms = 0.2;
  Recorded r(p);
  Prediction prediction(r.files);
  for (int id : {VARIANT_QUICK, VARIANT_SLOW}) {
    Program other = p;
    other.hand_off_ms *= variants[id].hand_off;
    double wanted = Machine().Run(other);
    EXPECT_NEAR(Play(prediction, id), wanted, wanted * 0.02);
  }
}

TEST(Variant, HasFewerCompetitors) {
  Program p;
  p.others = 2;
  p.threads.assign(2, Rounds(50, {{machine::kCompute, 0, 5}, {machine::kSleep, 0, 1}}));
  Recorded r(p);
  Prediction prediction(r.files);
  p.others = 0;
  double wanted = Machine().Run(p);
  EXPECT_GT(Play(prediction, VARIANT_RECORDED), wanted * 1.3);
  EXPECT_NEAR(Play(prediction, VARIANT_ALONE), wanted, wanted * 0.02);
}

// Each operation after a computation has a stack of one frame.
TEST(Variant, TakesOutTheCostOfRecording) {
  Program p;
  p.threads.assign(1, Rounds(1000, {{machine::kCompute, 0, 0.1}, {machine::kSleep, 0, 0.1}}));
  Recorded r(p);
  Prediction prediction(r.files);
  double cost = 1000 * (COST_LINE_NS + COST_STACK_NS + COST_CACHED_NS) / 1e6;
  EXPECT_NEAR(Play(prediction, VARIANT_RECORDED) - Play(prediction, VARIANT_UNRECORDED), cost,
              cost * 0.1);
  EXPECT_NEAR(Play(prediction, VARIANT_RECORDED) - Play(prediction, VARIANT_COSTLY), 2 * cost,
              cost * 0.2);
}

}  // namespace
