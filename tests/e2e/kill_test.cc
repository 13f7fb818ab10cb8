/* Tests that a JVM that is killed at a random moment leaves valid files. */
#include <signal.h>

#include <filesystem>
#include <random>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"

namespace {

constexpr int kKills = 6;       /* --runs_per_test for more */
constexpr double kLatest = 1.5; /* the latest kill, in seconds after the start */

class KillTest : public testing::TestWithParam<Setup> {};

void RunAndKill(const Setup &setup, double after) {
  SCOPED_TRACE(testing::Message() << "killed " << after << " s after its start");
  Session session(setup, Program({"ending.Endings", "flood"}));
  session.process().WaitUpTo(after);
  session.process().Signal(SIGKILL);
  session.Wait();
  EXPECT_EQ(session.result().signal, SIGKILL);
  session.ExpectQuiet();
  /* The agent creates .info last, so all other files exist too. */
  if (std::filesystem::exists(session.prefix() + ".info")) session.ExpectChecked();
}

TEST_P(KillTest, LeavesOnlyCompleteLines) {
  std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
  std::uniform_real_distribution<double> moment(0.02, kLatest);
  for (int i = 0; i < kKills && !HasFailure(); i++) RunAndKill(GetParam(), moment(random));
}

INSTANTIATE_TEST_SUITE_P(Jvm, KillTest, testing::ValuesIn(FindSetups()),
                         [](const auto &info) { return SetupName(info.param); });

}  // namespace
