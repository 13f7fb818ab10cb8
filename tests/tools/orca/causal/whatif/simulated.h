#pragma once
// Programs for the simulation, and what it predicts for them.
#include "tests/tools/orca/causal/whatif/recorded.h"

inline std::vector<machine::Op> Locked(int lock, std::vector<machine::Op> body) {
  body.insert(body.begin(), machine::Op{machine::kLock, lock});
  body.push_back(machine::Op{machine::kUnlock, lock});
  return body;
}

inline machine::Op Compute(double ms) { return {machine::kCompute, 0, ms}; }
inline machine::Op Sleep(double ms) { return {machine::kSleep, 0, ms}; }

// Runs a program, and predicts an edit from its recording.
class Simulation : public testing::Test {
 protected:
  void Run(const machine::Program &p, machine::Form form = machine::kAllLocks) {
    machine::Machine m;
    recorded_ = m.Run(p);
    ASSERT_GT(recorded_, 0);
    m.Write(&files_, form);
  }

  double Predict(enum edit_kind kind, const std::string &text) {
    Prediction p(files_, kind, text);
    EXPECT_TRUE(p.IsFound()) << p.Why();
    EXPECT_EQ(p.Refusal(), REFUSAL_NONE);
    EXPECT_NEAR(p.Baseline(), recorded_, recorded_ * 0.01);
    return p.Time();
  }

  DumpFiles files_;
  double recorded_ = 0;
};

#define EXPECT_ABOUT(value, wanted) EXPECT_NEAR(value, wanted, (wanted)*0.02)
