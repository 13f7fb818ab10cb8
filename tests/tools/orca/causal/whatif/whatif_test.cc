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
  enum refusal refusal = Prediction(files_).Refusal();
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
