#include "agent/monitor/owners.h"

#include "tests/agent/monitor/owners_case.h"

namespace {

TEST_F(OwnersTest, OffAsksNobody) {
  Begin("owners=off");
  StartWatch();
  EXPECT_EQ(Ask(), nullptr);
  EXPECT_EQ(owner_, 0u);
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 0);
  EXPECT_EQ(r_->jvm.Calls(CALL_RunAgentThread), 0);
}

TEST_F(OwnersTest, AllAsksAtOnce) {
  Begin("owners=all");
  EXPECT_EQ(Ask(), nullptr);
  EXPECT_EQ(owner_, 0xBu);
  EXPECT_EQ(owners_->asked, 1u);
}

TEST_F(OwnersTest, NobodyIsZero) {
  Begin("owners=all");
  lock_->owner = nullptr;
  Ask();
  EXPECT_EQ(owner_, 0u);
  r_->jvm.Fail(CALL_GetObjectMonitorUsage);
  lock_->owner = holder_;
  Ask();
  EXPECT_EQ(owner_, 0u);
}

TEST_F(OwnersTest, AThreadOfOrcasOwnIsNobody) {
  Begin("owners=all");
  threads_hide(r_->threads, r_->jni, holder_->Ref());
  Ask();
  EXPECT_EQ(owner_, 0u);
}

TEST_F(OwnersTest, WithoutAFreeSlotNobodyAnswers) {
  Begin("owners=late");
  while (Ask() != nullptr) continue;
  EXPECT_EQ(owners_->not_asked, 1u);
  EXPECT_EQ(r_->jvm.NumWeakRefs(), 4096);  // that of the last is given back
  while (struct blocked *b = blocked_watch(owners_->pool)) {
    r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_on(b)->monitor));
  }
}

TEST_F(OwnersTest, AfterARecordingWithAWatchTheNextMayDoWithoutOne) {
  Begin("owners=late");
  StartWatch();
  owners_stop(owners_);
  r_->Again("owners=all");
  StartWatch();
  EXPECT_EQ(Ask(), nullptr);
  EXPECT_EQ(owner_, 0xBu);
  r_->Again("owners=off");
  owner_ = 0;
  EXPECT_EQ(Ask(), nullptr);
  EXPECT_EQ(owner_, 0u);
  EXPECT_EQ(r_->jvm.Calls(CALL_RunAgentThread), 1);
}

TEST_F(OwnersTest, AWatchThatTheJvmRefusesIsFalse) {
  Begin("owners=late");
  r_->jvm.Fail(CALL_RunAgentThread);
  EXPECT_FALSE(owners_start(owners_, r_->ti, r_->jni));
}

}  // namespace
