#include "tools/orca/causal/whatif/simulation.h"

#include "tests/tools/orca/causal/whatif/simulated.h"

namespace {

using machine::Program;

class SimulationPools : public Simulation {};

TEST_F(SimulationPools, AnyThreadOfAPoolRunsATask) {
  Run(PoolProgram(24, 3, {Sleep(10)}));
  EXPECT_ABOUT(recorded_, 80.0);
  EXPECT_ABOUT(Predict(EDIT_POOL, "pool-1=2x"), 40.0);
  EXPECT_ABOUT(Predict(EDIT_POOL, "pool-1=8"), 30.0);
  EXPECT_ABOUT(Predict(EDIT_POOL, "pool-1=1"), 240.0);
  EXPECT_ABOUT(Predict(EDIT_POOL, "pool-1=100"), 10.0);
}

TEST_F(SimulationPools, ALargerPoolGainsNothingOnFullCpus) {
  Run(PoolProgram(24, 4, {Compute(10)}));
  EXPECT_ABOUT(recorded_, 120.0);
  EXPECT_ABOUT(Predict(EDIT_POOL, "pool-1=2x"), 120.0);
  EXPECT_ABOUT(Predict(EDIT_POOL, "pool-1=1"), 240.0);
}

TEST_F(SimulationPools, ALargerPoolGainsNothingIfAllTasksNeedOneLock) {
  Run(PoolProgram(24, 4, Locked(0, {Sleep(10)})));
  EXPECT_ABOUT(Predict(EDIT_POOL, "pool-1=2x"), recorded_);
  EXPECT_ABOUT(Predict(EDIT_DROP, "000000A0"), 60.0);
}

// One after the other, a task is queued when the one before is done.
TEST_F(SimulationPools, TasksBeginOnlyWhenTheyAreQueued) {
  Program p = PoolProgram(10, 2, {Sleep(10)});
  p.threads[0].clear();
  for (int i = 0; i < 10; i++) {
    p.threads[0].push_back({machine::kSubmit, i});
    p.threads[0].push_back({machine::kGet, i});
  }
  Run(p);
  EXPECT_ABOUT(recorded_, 100.0);
  EXPECT_ABOUT(Predict(EDIT_POOL, "pool-1=2x"), recorded_);
  EXPECT_ABOUT(Predict(EDIT_POOL, "pool-1=1"), recorded_);
}

}  // namespace
