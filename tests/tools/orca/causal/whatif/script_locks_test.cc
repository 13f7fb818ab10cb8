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
