#include "tools/orca/causal/whatif/script.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

// The waiter asked for the lock while the owner slept, so the owner slept inside of it.
TEST(ScriptHolds, AnOwnerThatSleepsHoldsTheLockAllTheTime) {
  Recorded r(OneOwner(), machine::kContended);
  Prediction prediction(r.files);
  std::vector<enum act_kind> kinds = ActKinds(prediction.Whatif().script, 16);
  std::vector<enum act_kind> wanted = {ACT_AWAIT,   ACT_ACQUIRE, ACT_SLEEP,
                                       ACT_RELEASE, ACT_RUN,     ACT_REACH};
  EXPECT_EQ(kinds, wanted);
  EXPECT_LT(prediction.Whatif().error, 0.01);
}

}  // namespace
