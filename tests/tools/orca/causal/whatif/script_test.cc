#include "tools/orca/causal/whatif/script.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Program;

std::vector<enum act_kind> Kinds(const struct script &s, uint32_t hash) {
  std::vector<enum act_kind> kinds;
  for (size_t t = 0; t < s.num_threads; t++) {
    if (s.threads[t].hash != hash) continue;
    for (size_t i = 0; i < s.threads[t].num; i++) {
      kinds.push_back(static_cast<enum act_kind>(s.acts[s.threads[t].first + i].kind));
    }
  }
  return kinds;
}

Program OneOwner() {
  Program p;
  p.hand_off_ms = 0;
  p.threads = {
      {{machine::kLock}, {machine::kSleep, 0, 30}, {machine::kUnlock}, {machine::kCompute, 0, 5}},
      {{machine::kCompute, 0, 10},
       {machine::kLock},
       {machine::kCompute, 0, 2},
       {machine::kUnlock}}};
  return p;
}

TEST(Script, ContainsWhatThreadsDid) {
  Recorded r(OneOwner());
  Prediction prediction(r.files);
  std::vector<enum act_kind> wanted = {ACT_AWAIT,   ACT_ACQUIRE, ACT_SLEEP,
                                       ACT_RELEASE, ACT_RUN,     ACT_REACH};
  EXPECT_EQ(Kinds(prediction.Whatif().script, 16), wanted);
}

// The waiter asked for the lock while the owner slept, so the owner slept inside of it.
TEST(Script, AnOwnerThatSleepsHoldsTheLockAllTheTime) {
  Recorded r(OneOwner(), machine::kContended);
  Prediction prediction(r.files);
  std::vector<enum act_kind> kinds = Kinds(prediction.Whatif().script, 16);
  std::vector<enum act_kind> wanted = {ACT_AWAIT,   ACT_ACQUIRE, ACT_SLEEP,
                                       ACT_RELEASE, ACT_RUN,     ACT_REACH};
  EXPECT_EQ(kinds, wanted);
  EXPECT_LT(prediction.Whatif().error, 0.01);
}

TEST(Script, TheEndOfMainIsTheGoal) {
  Recorded r(OneOwner());
  Prediction prediction(r.files);
  const struct script &s = prediction.Whatif().script;
  EXPECT_EQ(s.goal, GOAL_MAIN);
  EXPECT_EQ(s.num_goals, 1u);
  EXPECT_NEAR(s.recorded / TICKS_PER_S * 1000, r.time, 0.001);
}

TEST(Script, GroupsThreadsByName) {
  Program p = OneOwner();
  p.names = {"worker-1", "worker-2"};
  Recorded r(p);
  Prediction prediction(r.files);
  const struct script &s = prediction.Whatif().script;
  ASSERT_EQ(s.num_groups, 2u);
  EXPECT_STREQ(s.groups[0].name, "main");
  EXPECT_STREQ(s.groups[1].name, "worker-");
  EXPECT_EQ(s.groups[1].num_threads, 2u);
}

}  // namespace
