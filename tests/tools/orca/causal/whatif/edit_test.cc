#include "tools/orca/causal/whatif/edit.h"

#include "tests/tools/orca/causal/whatif/machine.h"
#include "tests/tools/orca/causal/whatif/prediction.h"
#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

struct Parsed {
  bool is_good;
  std::string lock, method, pool;
  double amount;
  bool is_factor;
};

Parsed Parse(enum edit_kind kind, const char *text) {
  struct edit e;
  bool is_good = edit_parse(&e, kind, text);
  Parsed p = {is_good,
              e.lock == nullptr ? "" : e.lock,
              e.method == nullptr ? "" : e.method,
              e.pool == nullptr ? "" : e.pool,
              e.amount,
              e.is_factor};
  edit_free(&e);
  return p;
}

TEST(Edit, ParsesLocksMethodsAndAmounts) {
  EXPECT_EQ(Parse(EDIT_DROP, "com.acme.Cart@0A1B2C3D").lock, "com.acme.Cart@0A1B2C3D");
  EXPECT_EQ(Parse(EDIT_SHRINK, "Cart=25%").lock, "Cart");
  EXPECT_DOUBLE_EQ(Parse(EDIT_SHRINK, "Cart=25%").amount, 0.25);
  EXPECT_DOUBLE_EQ(Parse(EDIT_SPLIT, "Cart=16").amount, 16);
  EXPECT_EQ(Parse(EDIT_OUTSIDE, "Cart:Log.write").lock, "Cart");
  EXPECT_EQ(Parse(EDIT_OUTSIDE, "Cart:Log.write").method, "Log.write");
  EXPECT_EQ(Parse(EDIT_READERS, "Cart").method, "");
  EXPECT_EQ(Parse(EDIT_READERS, "monitor in Cart.add:12 (Object@0A1B2C3D)").lock,
            "monitor in Cart.add:12 (Object@0A1B2C3D)");
  EXPECT_EQ(Parse(EDIT_READERS, "monitor in Cart.add:12 (Object@0A1B2C3D):get").method, "get");
  EXPECT_EQ(Parse(EDIT_FASTER, "Cart.*=30%").method, "Cart.*");
  EXPECT_DOUBLE_EQ(Parse(EDIT_CPUS, "8").amount, 8);
}

TEST(Edit, ParsesPools) {
  EXPECT_EQ(Parse(EDIT_POOL, "worker-…=2x").pool, "worker-…");
  EXPECT_DOUBLE_EQ(Parse(EDIT_POOL, "worker-…=2x").amount, 2);
  EXPECT_TRUE(Parse(EDIT_POOL, "pool-1=0.5x").is_factor);
  EXPECT_FALSE(Parse(EDIT_POOL, "pool-1=8").is_factor);
  EXPECT_DOUBLE_EQ(Parse(EDIT_POOL, "a=b=8").amount, 8);
  for (const char *text : {"pool-1", "pool-1=", "=2x", "pool-1=0x", "pool-1=0", "pool-1=2xx",
                           "pool-1=2.5", "pool-1=50%", "pool-1=1025", "pool-1=1e9x", "8"}) {
    EXPECT_FALSE(Parse(EDIT_POOL, text).is_good) << text;
  }
}

TEST(Edit, RefusesOtherTexts) {
  EXPECT_FALSE(Parse(EDIT_DROP, "").is_good);
  EXPECT_FALSE(Parse(EDIT_SHRINK, "Cart").is_good);
  EXPECT_FALSE(Parse(EDIT_SHRINK, "Cart=50").is_good);
  EXPECT_FALSE(Parse(EDIT_SHRINK, "Cart=150%").is_good);
  EXPECT_FALSE(Parse(EDIT_SHRINK, "=50%").is_good);
  EXPECT_FALSE(Parse(EDIT_SPLIT, "Cart=1").is_good);
  EXPECT_FALSE(Parse(EDIT_SPLIT, "Cart=1e9").is_good);
  EXPECT_FALSE(Parse(EDIT_SPLIT, "Cart=2.5").is_good);
  EXPECT_FALSE(Parse(EDIT_OUTSIDE, "Cart").is_good);
  EXPECT_FALSE(Parse(EDIT_FASTER, "=30%").is_good);
  EXPECT_FALSE(Parse(EDIT_CPUS, "0").is_good);
  EXPECT_FALSE(Parse(EDIT_CPUS, "nan").is_good);
}

class EditOfARecording : public testing::Test {
 protected:
  EditOfARecording() {
    machine::Program p;
    std::vector<machine::Op> ops;
    for (int i = 0; i < 20; i++) {
      ops.push_back({machine::kCompute, 0, 5});
      ops.push_back({machine::kLock});
      ops.push_back({machine::kCompute, 0, 5});
      ops.push_back({machine::kUnlock});
    }
    p.threads = {ops, ops, ops};
    p.cpus = 4;
    machine::Machine m;
    m.Run(p);
    m.Write(&files_, machine::kContended);
  }
  DumpFiles files_;
};

TEST_F(EditOfARecording, NamesSimilarLocks) {
  Prediction p(files_, EDIT_DROP, "Lodger");
  EXPECT_FALSE(p.IsFound());
  EXPECT_EQ(p.Why(), "no lock is Lodger; there are com.acme.Ledger@000000A0");
}

TEST_F(EditOfARecording, NamesSimilarMethods) {
  Prediction p(files_, EDIT_FASTER, "Worker.wrok=50%");
  EXPECT_FALSE(p.IsFound());
  EXPECT_EQ(p.Why().find("no method is Worker.wrok"), 0u) << p.Why();
}

TEST_F(EditOfARecording, SaysHowTasksAreRecorded) {
  Prediction p(files_, EDIT_POOL, "pool-1=2x");
  EXPECT_FALSE(p.IsFound());
  EXPECT_EQ(p.Why(),
            "no pool is pool-1: the recording has no tasks of a ThreadPoolExecutor; events=all "
            "records them, other pools have no events of their tasks");
}

TEST_F(EditOfARecording, AMethodOfASampleBecomesFaster) {
  Prediction p(files_, EDIT_FASTER, "Worker.work=50%");
  ASSERT_TRUE(p.IsFound());
  EXPECT_NEAR(p.Gain(), 2, 0.1);
}

TEST_F(EditOfARecording, ACallMovesOutOfTheLock) {
  Prediction all(files_, EDIT_OUTSIDE, "Ledger:Worker.work"), dropped(files_, EDIT_DROP, "Ledger");
  ASSERT_TRUE(all.IsFound());
  EXPECT_GT(all.Gain(), 1.2);
  EXPECT_LE(all.Gain(), dropped.Gain() * 1.02);
}

TEST_F(EditOfARecording, AcquisitionsBelowAMethodAreReads) {
  Prediction below(files_, EDIT_READERS, "Ledger:Worker.lock"), all(files_, EDIT_READERS, "Ledger");
  ASSERT_TRUE(below.IsFound());
  EXPECT_GT(all.Gain(), 1.2);
}

TEST(EditOfAPool, NamesSimilarPools) {
  machine::Program p;
  p.pools = {1};
  p.tasks = {{0, {{machine::kSleep, 0, 5}}}, {0, {{machine::kSleep, 0, 5}}}};
  p.threads = {{{machine::kSubmit, 0}, {machine::kSubmit, 1}, {machine::kGet, 1}}};
  Recorded r(p);
  Prediction prediction(r.files, EDIT_POOL, "pol-1=2x");
  EXPECT_FALSE(prediction.IsFound());
  EXPECT_EQ(prediction.Why(), "no pool is pol-1; there are pool-1");
  Prediction larger(r.files, EDIT_POOL, "pool-1=2x");
  EXPECT_TRUE(larger.IsFound());
  EXPECT_NEAR(larger.Gain(), 2, 0.1);
}

}  // namespace
