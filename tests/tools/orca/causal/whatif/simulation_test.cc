#include "tools/orca/causal/whatif/simulation.h"

#include "tests/tools/orca/causal/whatif/simulated.h"
#include "tools/orca/model/cost.h"

namespace {

using machine::Machine;
using machine::Op;
using machine::Program;

TEST_F(Simulation, AtABarrierTheSlowestThreadCounts) {
  Program p;
  p.parties = {3};
  Op meet = {machine::kMeet};
  p.cpus = 4;
  p.threads = {Rounds(10, {Compute(2), meet}), Rounds(10, {Compute(2), meet}),
               Rounds(10, {Op{machine::kLock}, Compute(20), Op{machine::kUnlock}, meet})};
  Run(p);
  EXPECT_ABOUT(recorded_, 200.0);
  EXPECT_ABOUT(Predict(EDIT_SHRINK, "000000A0=50%"), 100.0);
}

TEST_F(Simulation, AConsumerWaitsForASlowProducer) {
  Program p;
  p.capacities = {2};
  p.threads = {
      Rounds(20, {Op{machine::kLock}, Compute(10), Op{machine::kUnlock}, Op{machine::kPut}}),
      Rounds(20, {Op{machine::kTake}, Compute(1)})};
  Run(p);
  EXPECT_ABOUT(Predict(EDIT_SHRINK, "000000A0=50%"), 100.0);
}

TEST_F(Simulation, OnFullCpusALockGainsNothing) {
  Program p;
  p.cpus = 1;
  std::vector<Op> body = {Compute(5)}, locked = Locked(0, {Compute(1)});
  body.insert(body.end(), locked.begin(), locked.end());
  p.threads = {Rounds(20, body), Rounds(20, body), Rounds(20, body)};
  Run(p);
  EXPECT_ABOUT(recorded_, 360.0);
  EXPECT_ABOUT(Predict(EDIT_DROP, "000000A0"), 360.0);
  EXPECT_ABOUT(Predict(EDIT_CPUS, "2"), 180.0);
  Prediction now(files_);
  EXPECT_EQ(now.Next().kind, LIMIT_CPU);
}

TEST_F(Simulation, WaitsOffThePathGainNothing) {
  Program p;
  p.cpus = 4;
  std::vector<Op> waiter = Rounds(10, Locked(0, {Compute(1)}));
  p.threads = {Rounds(4, Locked(0, {Sleep(20)})), waiter, waiter, {Compute(400)}};
  Run(p);
  EXPECT_ABOUT(recorded_, 400.0);
  EXPECT_ABOUT(Predict(EDIT_DROP, "000000A0"), 400.0);
}

// main waits until worker-1 notifies it.
TEST_F(Simulation, AWaiterGoesOnWhenItIsNotified) {
  Program p;
  p.threads = {{Compute(1)}};
  Run(p);
  files_.Write(DUMP_EVENTS,
               "100.0000000000,ThreadStarted,00000001,main\n"
               "100.0000000000,ThreadStarted,00000010,worker-1\n"
               "100.0000000000,ObjectWait,00000001,000000A0,1;00000008;00000000\n"
               "100.4000000000,ObjectNotify,00000010,000000A0,1;0000000B;00000000\n"
               "100.4000000000,ObjectWaited,00000001,000000A0,1;00000008;00000000\n"
               "100.5000000000,ThreadEnded,00000010\n"
               "100.6000000000,ThreadEnded,00000001\n");
  files_.Write(DUMP_SAMPLES,
               "100.0000000000,Stack,1,1;0000000B;00000000\n"
               "100.0000000000,Stack,2,1;00000008;00000000\n"
               "100.4000000000,Cpu,00000010,400000000,1,Java\n"
               "100.6000000000,Cpu,00000001,200000000,2,Java\n");
  files_.Replace(DUMP_INFO, "end.monotonic=", "end.monotonic=100.6000000000\nversion=");
  recorded_ = 600;
  EXPECT_ABOUT(Predict(EDIT_FASTER, "Worker.work=50%"), 400.0);
}

TEST_F(Simulation, ItEndsEvenIfTheProgramNeverWould) {
  Program p;
  p.threads = {Rounds(10, Locked(0, {Compute(10)})), Rounds(10, Locked(0, {Compute(10)}))};
  Run(p);
  Prediction prediction(files_);
  struct simulation r;
  simulation_run(&r, &prediction.Whatif().script, nullptr, 1e6);  // before the goal
  EXPECT_EQ(r.end, SIMULATION_ENDLESS);
  simulation_free(&r);
}

// --- variants ---

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
