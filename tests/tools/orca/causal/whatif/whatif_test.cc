#include "tools/orca/causal/whatif/whatif.h"

#include "tests/support/bytes.h"
#include "tests/tools/orca/causal/whatif/machine.h"
#include "tests/tools/orca/causal/whatif/prediction.h"

namespace {

using machine::Machine;
using machine::Op;
using machine::Program;

class Whatif : public testing::Test {
 protected:
  Whatif() {
    Program p;
    std::vector<Op> ops;
    for (int i = 0; i < 20; i++) {
      ops.push_back({machine::kLock});
      ops.push_back({machine::kCompute, 0, 10});
      ops.push_back({machine::kUnlock});
      ops.push_back({machine::kSleep, 0, 1});
    }
    p.threads = {ops, ops};
    Machine m;
    EXPECT_NEAR(m.Run(p), 402, 5);
    m.Write(&files_, machine::kAllLocks);
  }

  DumpFiles files_;
};

TEST_F(Whatif, TheRangeContainsTheGain) {
  Prediction p(files_, EDIT_DROP, "000000A0");
  ASSERT_EQ(p.Refusal(), REFUSAL_NONE);
  EXPECT_NEAR(p.Gain(), 402.0 / 220, 0.03);
  EXPECT_LT(p.Whatif().error, 0.01);
}

// A recording does not tell how long hand-offs would take at another time.
TEST_F(Whatif, TheRangeContainsTheGainWithOtherHandOffs) {
  Program p;
  p.cpus = 4;
  p.hand_off_ms = 0.4;
  std::vector<Op> round = {{machine::kLock}, {machine::kCompute, 0, 1}, {machine::kUnlock}};
  std::vector<Op> ops;
  for (int i = 0; i < 50; i++) ops.insert(ops.end(), round.begin(), round.end());
  p.threads.assign(3, ops);
  Machine m;
  ASSERT_GT(m.Run(p), 0);
  DumpFiles files;
  m.Write(&files, machine::kAllLocks);
  Prediction prediction(files, EDIT_DROP, "000000A0");
  ASSERT_EQ(prediction.Refusal(), REFUSAL_NONE);
  for (double hand_off_ms : {0.2, 0.4, 0.8}) {
    p.hand_off_ms = hand_off_ms;
    double gain = Machine().Run(p) / Machine().Run(machine::WithoutLock(p, 0));
    EXPECT_GE(gain, prediction.LeastGain()) << hand_off_ms;
    EXPECT_LE(gain, prediction.MostGain()) << hand_off_ms;
  }
}

// The lock is held for 1 us, and a line with a stack takes as long.
TEST_F(Whatif, ARecordingThatTookMostOfTheTimeIsRefused) {
  Program p;
  std::vector<Op> ops;
  for (int i = 0; i < 300; i++) {
    ops.push_back({machine::kLock});
    ops.push_back({machine::kCompute, 0, 0.001});
    ops.push_back({machine::kUnlock});
    ops.push_back({machine::kCompute, 0, 0.001});
  }
  p.threads = {ops, ops};
  Machine m;
  ASSERT_GT(m.Run(p), 0);
  DumpFiles files;
  m.Write(&files, machine::kAllLocks);
  files.Append(DUMP_INFO, "walk.fallback=no HotSpot\n");  // stacks cost more
  Prediction prediction(files, EDIT_DROP, "000000A0");
  EXPECT_EQ(prediction.Refusal(), REFUSAL_COSTLY);
  EXPECT_GT(prediction.Whatif().cost, 0.4);
}

TEST_F(Whatif, ARecordingWithAThresholdIsRefused) {
  files_.Replace(DUMP_INFO, "interval=20ms", "interval=20ms,threshold=10ms");
  EXPECT_EQ(Prediction(files_).Refusal(), REFUSAL_THRESHOLD);
}

TEST_F(Whatif, ALossyRecordingIsRefused) {
  files_.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=5");
  EXPECT_EQ(Prediction(files_).Refusal(), REFUSAL_LOSSY);
}

TEST_F(Whatif, ARecordingWithoutEventsIsRefused) {
  files_.Write(DUMP_EVENTS, "");
  EXPECT_EQ(Prediction(files_).Refusal(), REFUSAL_EMPTY);
}

// A lock that is never released lets the other thread wait forever, but main ended.
TEST_F(Whatif, AnImpossibleRecordingIsRefused) {
  files_.Write(DUMP_EVENTS,
               "100.0000000000,ThreadStarted,00000001,main\n"
               "100.0000000000,ThreadStarted,00000010,worker-1\n"
               "100.0100000000,LockAcquire,00000010,000000A0,00000000,1;00000004;00000000\n"
               "100.0100000000,LockAcquired,00000010,000000A0,1;00000004;00000000\n"
               "100.0200000000,LockRelease,00000010,000000A0,1;00000005;00000000\n"
               "100.0300000000,LockAcquire,00000010,000000A0,00000000,1;00000004;00000000\n"
               "100.0300000000,LockAcquired,00000010,000000A0,1;00000004;00000000\n"
               "100.1000000000,LockAcquire,00000001,000000A0,00000010,1;00000004;00000000\n"
               "100.2000000000,LockAcquired,00000001,000000A0,1;00000004;00000000\n"
               "100.4000000000,ThreadEnded,00000001\n");
  enum whatif_refusal refusal = Prediction(files_).Refusal();
  EXPECT_TRUE(refusal == REFUSAL_STUCK || refusal == REFUSAL_INACCURATE) << refusal;
}

TEST_F(Whatif, AServiceDoesAsMuchWorkAsInTheRecording) {
  std::string events = files_.Text(DUMP_EVENTS);
  size_t end = events.find("ThreadEnded");
  events.resize(events.rfind('\n', end) + 1);
  files_.Write(DUMP_EVENTS, events);
  Prediction p(files_, EDIT_DROP, "000000A0");
  ASSERT_EQ(p.Refusal(), REFUSAL_NONE);
  EXPECT_EQ(p.Whatif().script.goal, GOAL_WORK);
  EXPECT_NEAR(p.Gain(), 402.0 / 220, 0.1);
}

// --- gains ---

std::string WriteGain(const struct gain &gain) {
  struct builder b = {};
  gain_write(&b, &gain);
  return TakeText(&b);
}

TEST(Gain, IsARange) {
  EXPECT_EQ(WriteGain({1.9, 2.04, 2.2}), "1.9 to 2.2 times as fast");
  EXPECT_EQ(WriteGain({10.44, 12, 14.06}), "10.4 to 14.1 times as fast");
}

// One decimal would show the same number twice.
TEST(Gain, OfANarrowRangeHasTwoDecimals) {
  EXPECT_EQ(WriteGain({1.93, 1.98, 2.07}), "1.93 to 2.07 times as fast");
  EXPECT_EQ(WriteGain({1.93, 1.98, 2.09}), "1.9 to 2.1 times as fast");
}

TEST(Gain, IsDoubtfulIfTheRangeContainsTheSameSpeed) {
  EXPECT_EQ(WriteGain({0.81, 1.01, 1.21}), "0.81 to 1.21 times as fast, so perhaps no gain");
  EXPECT_EQ(WriteGain({0.98, 1.2, 1.41}), "0.98 to 1.41 times as fast, so perhaps no gain");
  EXPECT_EQ(WriteGain({1.0, 1.06, 1.1}), "1.00 to 1.10 times as fast");
}

TEST(Gain, CanBeALoss) { EXPECT_EQ(WriteGain({0.5, 0.55, 0.7}), "0.5 to 0.7 times as fast"); }

TEST(Gain, IsNoneNearTheSameSpeed) {
  const struct gain none[] = {
      {0.95, 1, 1.05}, {0.97, 1.02, 1.07}, {0.89, 0.98, 1.03}, {0.89, 1.029, 1.119}};
  for (const struct gain &gain : none) EXPECT_TRUE(gain_is_none(&gain)) << gain.middle;
  const struct gain some[] = {{0.97, 1.04, 1.1}, {0.9, 0.96, 1.02}};
  for (const struct gain &gain : some) EXPECT_FALSE(gain_is_none(&gain)) << gain.middle;
}

// It would hide a gain that is perhaps there.
TEST(Gain, IsNotNoneInAWideRange) {
  const struct gain wide[] = {{0.81, 1.01, 1.21}, {0.95, 1, 1.13}, {0.87, 1, 1.05}};
  for (const struct gain &gain : wide) EXPECT_FALSE(gain_is_none(&gain)) << gain.most;
}

}  // namespace
