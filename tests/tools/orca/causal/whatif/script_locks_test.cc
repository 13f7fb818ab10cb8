#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Program;

const struct script_lock *Find(const Prediction &p, uint32_t object) {
  const struct script &s = p.Whatif().script;
  for (size_t i = 0; i < s.num_locks; i++) {
    if (s.locks[i].object == object) return &s.locks[i];
  }
  return nullptr;
}

// Other threads get the lock during the hand-off, so the last release counts.
TEST(ScriptLocks, MeasuresTheHandOff) {
  Program p;
  p.cpus = 4;
  p.hand_off_ms = 0.2;
  p.threads.assign(3, Rounds(50, {{machine::kLock},
                                  {machine::kCompute, 0, 1},
                                  {machine::kUnlock},
                                  {machine::kCompute, 0, 0.1}}));
  Recorded r(p);
  Prediction prediction(r.files);
  const struct script_lock *lock = Find(prediction, 0xA0);
  ASSERT_NE(lock, nullptr);
  EXPECT_NEAR(lock->hand_off / TICKS_PER_S * 1000, 0.2, 0.01);
  EXPECT_FALSE(lock->is_fair);
  EXPECT_GT(lock->waits, 0u);
}

TEST(ScriptLocks, ALockWithoutOvertakingIsFair) {
  Program p;
  p.cpus = 4;
  p.hand_off_ms = 0;
  p.threads.assign(3, Rounds(50, {{machine::kLock},
                                  {machine::kCompute, 0, 1},
                                  {machine::kUnlock},
                                  {machine::kCompute, 0, 0.1}}));
  Recorded r(p);
  Prediction prediction(r.files);
  EXPECT_TRUE(Find(prediction, 0xA0)->is_fair);
}

std::string Line(double ms, const std::string &text) {
  return machine::FormatTime(ms) + "," + text + "\n";
}

// Thread 10 has the lock while thread 11 asks for it. Thread 12 asks `later_ms` after that, finds
// the lock free and gets it first.
bool IsFairIfOvertaken(double later_ms) {
  const std::string end = ",1;00000004;00000000", got = "000000A0" + end;
  std::string events = Line(0, "ThreadStarted,00000001,main");
  for (const char *hash : {"10", "11", "12"}) {
    events += Line(0, std::string("ThreadStarted,000000") + hash + ",worker-" + hash);
  }
  for (int i = 0; i < 60; i++) {
    double t = 1 + 10 * i;
    events += Line(t, "LockAcquire,00000010,000000A0,00000000" + end);
    events += Line(t, "LockAcquired,00000010," + got);
    events += Line(t + 1, "LockAcquire,00000011,000000A0,00000010" + end);
    events += Line(t + 1.01, "LockRelease,00000010," + got);
    events += Line(t + 1 + later_ms, "LockAcquire,00000012,000000A0,00000000" + end);
    events += Line(t + 1 + later_ms, "LockAcquired,00000012," + got);
    events += Line(t + 1.01 + later_ms, "LockRelease,00000012," + got);
    events += Line(t + 1.02 + later_ms, "LockAcquired,00000011," + got);
    events += Line(t + 1.03 + later_ms, "LockRelease,00000011," + got);
  }
  events += Line(700, "ThreadEnded,00000001");
  Program p;
  p.threads = {{{machine::kCompute, 0, 1}}};
  Recorded r(p);
  r.files.Write(DUMP_EVENTS, events);
  Prediction prediction(r.files);
  EXPECT_GE(Find(prediction, 0xA0)->waits, 60u);
  return Find(prediction, 0xA0)->is_fair;
}

// The lines of threads that ask at nearly the same time may be in another order than the queue of
// the lock.
TEST(ScriptLocks, ARaceDoesNotMakeALockUnfair) {
  EXPECT_TRUE(IsFairIfOvertaken(0.03));
  EXPECT_FALSE(IsFairIfOvertaken(0.2));
}

TEST(ScriptLocks, CountsPermits) {
  Program p;
  p.permits = {3};
  p.threads.assign(5,
                   Rounds(10, {{machine::kAcquire}, {machine::kSleep, 0, 2}, {machine::kRelease}}));
  Recorded r(p);
  Prediction prediction(r.files);
  EXPECT_EQ(Find(prediction, 0xD0)->permits, 3);
}

// If no thread ever waited, there may be any number of permits.
TEST(ScriptLocks, ASemaphoreThatWasNeverEmptyDoesNotLimit) {
  Program p;
  p.permits = {8};
  p.threads.assign(5,
                   Rounds(10, {{machine::kAcquire}, {machine::kSleep, 0, 2}, {machine::kRelease}}));
  Recorded r(p);
  Prediction prediction(r.files);
  EXPECT_GT(Find(prediction, 0xD0)->permits, 1000);
}

}  // namespace
