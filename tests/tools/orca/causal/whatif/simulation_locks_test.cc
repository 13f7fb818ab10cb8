#include "tools/orca/causal/whatif/simulation.h"

#include "tests/tools/orca/causal/whatif/simulated.h"

namespace {

using machine::Machine;
using machine::Op;
using machine::Program;

class SimulationLocks : public Simulation {};

TEST_F(SimulationLocks, TwoThreadsAndOneLock) {
  Program p;
  p.threads = {Rounds(10, Locked(0, {Compute(10)})), Rounds(10, Locked(0, {Compute(10)}))};
  Run(p);
  EXPECT_ABOUT(recorded_, 200.0);
  EXPECT_ABOUT(Predict(EDIT_DROP, "000000A0"), 100.0);
  EXPECT_ABOUT(Predict(EDIT_SHRINK, "000000A0=50%"), 100.0);
  EXPECT_ABOUT(Predict(EDIT_READERS, "000000A0"), 100.0);
  EXPECT_ABOUT(Predict(EDIT_CPUS, "8"), 200.0);
}

TEST_F(SimulationLocks, ASleeperHoldsTheLock) {
  Program p;
  p.threads = {Rounds(10, Locked(0, {Sleep(30)})),
               Rounds(30, {Compute(5), Op{machine::kLock}, Compute(1), Op{machine::kUnlock}})};
  Run(p);
  EXPECT_ABOUT(Predict(EDIT_DROP, "000000A0"), 300.0);
  EXPECT_GT(recorded_, 320);
}

TEST_F(SimulationLocks, ContendedMonitorsAreKnownByTheWaitsOfOthers) {
  Program p;
  p.threads = {Rounds(10, Locked(0, {Compute(10)})), Rounds(10, Locked(0, {Compute(10)}))};
  Run(p, machine::kContended);
  EXPECT_ABOUT(Predict(EDIT_DROP, "Ledger"), 100.0);
}

TEST_F(SimulationLocks, BehindOneLockIsTheNext) {
  Program p;
  std::vector<Op> body = Locked(0, {Compute(10)}), second = Locked(1, {Compute(8)});
  body.insert(body.end(), second.begin(), second.end());
  p.cpus = 4;
  p.threads = {Rounds(20, body), Rounds(20, body), Rounds(20, body)};
  Run(p);
  double without = Predict(EDIT_DROP, "000000A0");
  Machine m;
  EXPECT_ABOUT(without, m.Run(machine::WithoutLock(p, 0)));
  EXPECT_GT(without, 3 * 20 * 8);  // the second lock alone
  Prediction prediction(files_, EDIT_DROP, "000000A0");
  EXPECT_EQ(prediction.Next().kind, LIMIT_LOCK);
  EXPECT_EQ(prediction.Next().lock, 0xA1u);
}

TEST_F(SimulationLocks, APoolOfPermits) {
  Program p;
  p.permits = {2};
  std::vector<Op> body = {Op{machine::kAcquire}, Sleep(10), Op{machine::kRelease}};
  p.threads = {Rounds(10, body), Rounds(10, body), Rounds(10, body), Rounds(10, body)};
  Run(p);
  EXPECT_ABOUT(recorded_, 200.0);
  EXPECT_ABOUT(Predict(EDIT_DROP, "000000D0"), 100.0);
}

TEST_F(SimulationLocks, TwoStripesHalveTheWaits) {
  Program p;
  p.cpus = 8;
  std::vector<Op> ops = Rounds(200, Locked(0, {Compute(1)}));
  p.threads = {ops, ops};
  Run(p);
  EXPECT_ABOUT(recorded_, 400.0);
  double split = Predict(EDIT_SPLIT, "000000A0=64");
  EXPECT_LT(split, 215);
  EXPECT_GT(split, 199);
}

}  // namespace
