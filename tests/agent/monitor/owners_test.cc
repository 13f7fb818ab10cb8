#include "agent/monitor/owners.h"

#include "tests/agent/monitor/owners_case.h"

namespace {

TEST_F(OwnersTest, AllQueriesImmediately) {
  BeginRecording("owners=all");
  EXPECT_EQ(RequestOwner(), nullptr);
  EXPECT_EQ(owner_, 0xBu);
  EXPECT_EQ(r_->recorder->figures.owners_asked, 1u);
}

TEST_F(OwnersTest, ReturnsZeroWithoutAnOwner) {
  BeginRecording("owners=all");
  lock_->owner = nullptr;
  RequestOwner();
  EXPECT_EQ(owner_, 0u);
  r_->jvm.Fail(CALL_GetObjectMonitorUsage);
  lock_->owner = holder_;
  RequestOwner();
  EXPECT_EQ(owner_, 0u);
}

TEST_F(OwnersTest, ReturnsZeroForOrcasOwnThread) {
  BeginRecording("owners=all");
  threads_hide(r_->threads, r_->jni, holder_->Ref());
  RequestOwner();
  EXPECT_EQ(owner_, 0u);
}

TEST_F(OwnersTest, ReturnsNoSlotWhenThePoolIsFull) {
  BeginRecording("owners=late");
  while (RequestOwner() != nullptr) continue;
  EXPECT_EQ(r_->recorder->figures.owners_not_asked, 1u);
  EXPECT_EQ(r_->jvm.NumWeakRefs(), 4096);  // the failed request left none
  while (struct blocked *b = blocked_take_unseen(owners_->pool)) {
    r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_on(b)->monitor));
  }
}

TEST_F(OwnersTest, WorksWithoutTheWatchAfterARecordingWithIt) {
  BeginRecording("owners=late");
  StartWatch();
  owners_stop(owners_);
  r_->Again("owners=all");
  StartWatch();
  EXPECT_EQ(RequestOwner(), nullptr);
  EXPECT_EQ(owner_, 0xBu);
  EXPECT_EQ(r_->jvm.Calls(CALL_RunAgentThread), 1);
}

TEST_F(OwnersTest, StartFailsIfTheJvmRefusesTheThread) {
  BeginRecording("owners=late");
  r_->jvm.Fail(CALL_RunAgentThread);
  EXPECT_FALSE(owners_start(owners_, r_->ti, r_->jni));
}

}  // namespace
