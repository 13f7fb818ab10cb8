#include "tools/orca/causal/whatif/script.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

TEST(Script, TheEndOfMainIsTheGoal) {
  Recorded r(OneOwner());
  Prediction prediction(r.files);
  const struct script &s = prediction.Whatif().script;
  EXPECT_EQ(s.goal, GOAL_MAIN);
  EXPECT_EQ(s.num_goals, 1u);
  EXPECT_NEAR(s.recorded / TICKS_PER_S * 1000, r.time, 0.001);
}

}  // namespace
