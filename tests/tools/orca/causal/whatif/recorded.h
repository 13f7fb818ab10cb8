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

// A thread holds the lock while it sleeps, and another one waits for it.
inline machine::Program OneOwner() {
  machine::Program p;
  p.hand_off_ms = 0;
  p.threads = {
      {{machine::kLock}, {machine::kSleep, 0, 30}, {machine::kUnlock}, {machine::kCompute, 0, 5}},
      {{machine::kCompute, 0, 10},
       {machine::kLock},
       {machine::kCompute, 0, 2},
       {machine::kUnlock}}};
  return p;
}

// The kinds of the acts of a thread.
inline std::vector<enum act_kind> ActKinds(const struct script &s, uint32_t hash) {
  std::vector<enum act_kind> kinds;
  for (size_t t = 0; t < s.num_threads; t++) {
    if (s.threads[t].hash != hash) continue;
    for (size_t i = 0; i < s.threads[t].num; i++) {
      kinds.push_back(static_cast<enum act_kind>(s.acts[s.threads[t].first + i].kind));
    }
  }
  return kinds;
}

// Gives `num` tasks to a pool at once, and waits for them in order.
inline machine::Program PoolProgram(int num, int threads, const std::vector<machine::Op> &body) {
  machine::Program p;
  p.pools = {threads};
  p.threads.resize(1);
  for (int i = 0; i < num; i++) {
    p.tasks.push_back({0, body});
    p.threads[0].push_back({machine::kSubmit, i});
  }
  for (int i = 0; i < num; i++) p.threads[0].push_back({machine::kGet, i});
  return p;
}
