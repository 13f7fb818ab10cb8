#include "tools/orca/causal/whatif/plan.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Program;

TEST(Plan, DropsTheWorstLockFirstAndThenTheNext) {
  Program p;
  p.cpus = 8;
  std::vector<machine::Op> body = {{machine::kLock, 0},     {machine::kSleep, 0, 5},
                                   {machine::kUnlock, 0},   {machine::kLock, 1},
                                   {machine::kSleep, 0, 4}, {machine::kUnlock, 1}};
  p.threads.assign(4, Rounds(20, body));
  Recorded r(p);
  Prediction prediction(r.files);
  struct plan plan = {};
  ASSERT_TRUE(plan_make(&plan, &prediction.Whatif()));
  ASSERT_EQ(plan.num, 2u);
  EXPECT_EQ(plan.steps[0].edit.kind, EDIT_DROP);
  EXPECT_EQ(plan.steps[0].edit.object, 0xA0u);
  EXPECT_EQ(plan.steps[1].edit.object, 0xA1u);
  EXPECT_NEAR(plan.steps[1].prediction.gain.middle, r.time / (20 * 9), 0.1);
  plan_free(&plan);
}

// Without the semaphore the first thread would go on before the second has computed.
TEST(Plan, DoesNotDropASignal) {
  Program p;
  p.permits = {0};
  p.threads = {Rounds(10, {{machine::kAcquire}}),
               Rounds(10, {{machine::kCompute, 0, 20}, {machine::kRelease}})};
  Recorded r(p);
  Prediction drop(r.files, EDIT_DROP, "Semaphore");
  EXPECT_FALSE(drop.IsFound());
  EXPECT_EQ(drop.Why(), "Semaphore is no lock: threads wait for a signal by Semaphore.release");
  struct plan plan = {};
  ASSERT_TRUE(plan_make(&plan, &drop.Whatif()));
  for (size_t i = 0; i < plan.num; i++) EXPECT_NE(plan.steps[i].edit.kind, EDIT_DROP);
  EXPECT_GT(plan.num, 0u);
  plan_free(&plan);
}

// All CPU time is used at the beginning of sleeps. No edit can make them shorter.
TEST(Plan, DoesNotMakeSleepFaster) {
  Program p;
  p.threads = {Rounds(20, {{machine::kCompute, 0, 5}, {machine::kSleep, 0, 30}})};
  Recorded r(p);
  r.files.Replace(DUMP_SAMPLES, "1;0000000B;", "1;00000003;");  // work, sleep
  Prediction prediction(r.files);
  struct plan plan = {};
  ASSERT_TRUE(plan_make(&plan, &prediction.Whatif()));
  EXPECT_EQ(plan.num, 0u);
  plan_free(&plan);
}

Program SleepingTasks(int num, int threads) {
  Program p;
  p.pools = {threads};
  p.threads.resize(1);
  for (int i = 0; i < num; i++) {
    p.tasks.push_back({0, {{machine::kSleep, 0, 10}}});
    p.threads[0].push_back({machine::kSubmit, i});
  }
  for (int i = 0; i < num; i++) p.threads[0].push_back({machine::kGet, i});
  return p;
}

TEST(Plan, MakesAPoolLargerWhoseTasksWait) {
  Recorded r(SleepingTasks(24, 3));
  Prediction prediction(r.files);
  struct plan plan = {};
  ASSERT_TRUE(plan_make(&plan, &prediction.Whatif()));
  ASSERT_EQ(plan.num, 1u);
  EXPECT_STREQ(plan.steps[0].text, "pool-1=2x");
  EXPECT_EQ(plan.steps[0].edit.threads, 6u);
  EXPECT_NEAR(plan.steps[0].prediction.gain.middle, 2, 0.05);
  plan_free(&plan);
}

TEST(Plan, DoesNotMakeAPoolLargerThatIsLargeEnough) {
  Recorded r(SleepingTasks(3, 3));
  Prediction prediction(r.files);
  struct plan plan = {};
  ASSERT_TRUE(plan_make(&plan, &prediction.Whatif()));
  EXPECT_EQ(plan.num, 0u);
  plan_free(&plan);
}

TEST(Plan, IsEmptyIfNothingGains) {
  Program p;
  p.threads = {Rounds(20, {{machine::kSleep, 0, 5}})};
  Recorded r(p);
  Prediction prediction(r.files);
  struct plan plan = {};
  ASSERT_TRUE(plan_make(&plan, &prediction.Whatif()));
  EXPECT_EQ(plan.num, 0u);
  plan_free(&plan);
}

}  // namespace
