#include "tools/orca/causal/whatif/whatif.h"

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

}  // namespace
