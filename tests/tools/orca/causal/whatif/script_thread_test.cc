#include "tools/orca/causal/whatif/script.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Program;

TEST(ScriptThread, ContainsWhatItDid) {
  Recorded r(OneOwner());
  Prediction prediction(r.files);
  std::vector<enum act_kind> wanted = {ACT_AWAIT,   ACT_ACQUIRE, ACT_SLEEP,
                                       ACT_RELEASE, ACT_RUN,     ACT_REACH};
  EXPECT_EQ(ActKinds(prediction.Whatif().script, 16), wanted);
}

TEST(ScriptThread, IsInAGroupByItsName) {
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
