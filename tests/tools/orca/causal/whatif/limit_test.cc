#include "tools/orca/causal/whatif/limit.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Program;

enum limit_kind Find(const Program &p) {
  Recorded r(p);
  return Prediction(r.files).Next().kind;
}

TEST(Limit, IsTheLockThatAllNeed) {
  Program p;
  p.cpus = 8;
  p.threads.assign(4, Rounds(30, {{machine::kLock}, {machine::kSleep, 0, 3}, {machine::kUnlock}}));
  EXPECT_EQ(Find(p), LIMIT_LOCK);
}

TEST(Limit, IsTheCpusThatAreFull) {
  Program p;
  p.cpus = 2;
  p.threads.assign(6, Rounds(30, {{machine::kCompute, 0, 3}}));
  EXPECT_EQ(Find(p), LIMIT_CPU);
}

TEST(Limit, IsASleep) {
  Program p;
  p.threads.assign(2, Rounds(30, {{machine::kCompute, 0, 1}, {machine::kSleep, 0, 9}}));
  EXPECT_EQ(Find(p), LIMIT_SLEEP);
}

TEST(Limit, IsTheThreadThatComputes) {
  Program p;
  p.cpus = 4;
  p.names = {"slow", "quick"};
  p.threads = {Rounds(30, {{machine::kCompute, 0, 9}}), Rounds(30, {{machine::kCompute, 0, 1}})};
  Recorded r(p);
  Prediction prediction(r.files);
  ASSERT_EQ(prediction.Next().kind, LIMIT_METHOD);
  EXPECT_STREQ(prediction.Whatif().script.groups[prediction.Next().group].name, "slow");
  EXPECT_NEAR(prediction.Next().elasticity, 1, 0.05);
}

TEST(LimitKeys, AreDifferent) {
  for (int i = 0; i < NUM_LIMIT_KINDS; i++) {
    EXPECT_EQ(limit_of_key(limit_keys[i]), static_cast<enum limit_kind>(i)) << limit_keys[i];
    EXPECT_GT(std::string(limit_words[i]).size(), 0u) << limit_keys[i];
  }
}

TEST(LimitKeys, NoOtherTextIsOne) {
  EXPECT_EQ(limit_of_key(nullptr), LIMIT_NONE);
  EXPECT_EQ(limit_of_key(""), LIMIT_NONE);
  EXPECT_EQ(limit_of_key("locks"), LIMIT_NONE);
}

}  // namespace
