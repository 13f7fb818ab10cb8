#pragma once
// The script of a program that the exact machine ran.
#include "tests/tools/orca/causal/whatif/machine.h"
#include "tests/tools/orca/causal/whatif/prediction.h"

class Recorded {
 public:
  explicit Recorded(const machine::Program &p, machine::Form form = machine::kAllLocks) {
    machine::Machine m;
    time = m.Run(p);
    EXPECT_GT(time, 0);
    m.Write(&files, form);
  }

  double time;  // ms
  DumpFiles files;
};

inline std::vector<machine::Op> Rounds(int times, const std::vector<machine::Op> &body) {
  std::vector<machine::Op> ops;
  for (int i = 0; i < times; i++) ops.insert(ops.end(), body.begin(), body.end());
  return ops;
}
