#include "tools/orca/causal/whatif/wake_cost.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Program;

constexpr double kUs = 1e-3;  // in milliseconds
constexpr char kEnd[] = ",1;00000004;00000000";

std::string Line(double ms, const std::string &text) {
  return machine::FormatTime(ms) + "," + text + "\n";
}

std::string Acquire(double ms, const std::string &thread, const std::string &owner) {
  return Line(ms, "LockAcquire," + thread + ",000000A0," + owner + kEnd);
}

std::string Acquired(double ms, const std::string &thread) {
  return Line(ms, "LockAcquired," + thread + ",000000A0" + kEnd);
}

std::string Release(double ms, const std::string &thread) {
  return Line(ms, "LockRelease," + thread + ",000000A0,1;00000005;00000000");
}

// Thread 10 has a lock 200 times, and acquires another one `free_us` after its release. In each
// second round thread 11 waits, and it takes `wake_us` more. With `is_nested` it has the lock
// twice.
std::string Rounds(double free_us, double wake_us, bool is_nested) {
  const std::string a = "00000010", b = "00000011", none = "00000000";
  std::string events = Line(0, "ThreadStarted,00000001,main");
  events += Line(0, "ThreadStarted," + a + ",worker-1");
  events += Line(0, "ThreadStarted," + b + ",worker-2");
  for (int i = 0; i < 200; i++) {
    double t = 1 + i, next = t + 0.1 + (free_us + (i % 2 == 1 ? wake_us : 0)) * kUs;
    events += Acquire(t, a, none) + Acquired(t, a);
    if (is_nested) events += Acquire(t + 0.01, a, none) + Acquired(t + 0.01, a);
    if (i % 2 == 1) events += Acquire(t + 0.05, b, a);
    if (is_nested) events += Release(t + 0.09, a);
    events += Release(t + 0.1, a);
    events += Line(next, "LockAcquire," + a + ",000000A1,00000000" + kEnd);
    events += Line(next, "LockAcquired," + a + ",000000A1" + kEnd);
    events += Line(next + 0.001, "LockRelease," + a + ",000000A1,1;00000005;00000000");
    if (i % 2 == 1) events += Acquired(t + 0.2, b) + Release(t + 0.3, b);
  }
  return events + Line(300, "ThreadEnded,00000001");
}

// The cost of a release with waiters in microseconds. `*out_taken`: what was taken out of the CPU
// times, all of which were 100 us.
double Measure(const std::string &events, double *out_taken) {
  Program p;
  p.threads = {{{machine::kCompute, 0, 1}}};
  Recorded r(p);
  r.files.Write(DUMP_EVENTS, events);
  Prediction prediction(r.files);
  const struct trace *t = &prediction.Whatif().trace;
  std::vector<double> costs(t->num_locks + 1);
  std::vector<float> need(t->num_ops + 1, 100e3f * TICKS_PER_NS);
  EXPECT_TRUE(wake_cost_take(costs.data(), need.data(), t));
  *out_taken = 0;
  for (size_t i = 0; i < t->num_ops; i++) *out_taken += 100 - need[i] / TICKS_PER_NS / 1e3;
  for (size_t i = 0; i < t->num_locks; i++) {
    if (t->locks[i].object == 0xA0) return costs[i] / TICKS_PER_NS / 1e3;
  }
  ADD_FAILURE() << "the lock is not in the trace";
  return 0;
}

TEST(WakeCost, IsWhatAReleaseWithWaitersTakesLonger) {
  double taken;
  EXPECT_NEAR(Measure(Rounds(2, 9, false), &taken), 9, 0.1);
  EXPECT_NEAR(taken, 100 * 9, 10);
}

TEST(WakeCost, OnlyTheLastReleaseOfTheOwnerWakes) {
  double taken;
  EXPECT_NEAR(Measure(Rounds(2, 9, true), &taken), 9, 0.1);
  EXPECT_NEAR(taken, 100 * 9, 10);
}

TEST(WakeCost, IsNothingIfReleasesTakeAsLong) {
  double taken;
  EXPECT_EQ(Measure(Rounds(2, 0, false), &taken), 0);
  EXPECT_EQ(taken, 0);
}

// Such stretches contain more than a wake-up.
TEST(WakeCost, LongStretchesDoNotCount) {
  double taken;
  EXPECT_EQ(Measure(Rounds(60, 20, false), &taken), 0);
  EXPECT_EQ(taken, 0);
}

// The owner computes for 1 ms with the lock and wakes the other thread each time, on one CPU.
TEST(WakeCost, TheSimulationNeedsItForEachRelease) {
  Program p;
  p.cpus = 1;
  p.hand_off_ms = 0;
  std::vector<machine::Op> ops = ::Rounds(50, {{machine::kLock},
                                               {machine::kCompute, 0, 1},
                                               {machine::kSleep, 0, 1},
                                               {machine::kUnlock},
                                               {machine::kCompute, 0, 0.5}});
  p.threads = {ops, ops};
  Recorded r(p);
  Prediction prediction(r.files);
  struct script s = prediction.Whatif().script;
  std::vector<struct script_lock> locks(s.locks, s.locks + s.num_locks);
  s.locks = locks.data();
  double cpu[2];
  for (int i = 0; i < 2; i++) {
    for (struct script_lock &lock : locks) lock.wake_cost = i * 0.1e6 * TICKS_PER_NS;
    struct simulation result;
    simulation_run(&result, &s, nullptr, 1e6 * TICKS_PER_S);
    EXPECT_EQ(result.end, SIMULATION_DONE);
    cpu[i] = result.cpu / TICKS_PER_NS / 1e6;
    simulation_free(&result);
  }
  EXPECT_NEAR(cpu[0], 150, 2);
  EXPECT_NEAR(cpu[1] - cpu[0], 99 * 0.1, 0.5);
}

}  // namespace
