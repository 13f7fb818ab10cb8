#include "agent/monitor/contention.h"

#include <memory>

#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

class ContentionTest : public testing::Test {
 protected:
  void Begin(const std::string &options) {
    r_ = std::make_unique<Recording>(options);
    static auto &all = *new std::vector<struct owners *>; /* never freed */
    all.push_back(new struct owners);
    owners_init(all.back(), r_->threads);
    if (r_->recorder->options.owners == OWNERS_LATE) all.back()->pool = blocked_pool_new();
    contention_ = {r_->threads, all.back(), 0};
    FakeClass *klass = r_->jvm.AddClass("LA;", 0xC1);
    frames_ = {{r_->jvm.AddMethod(klass, "f", "()V")->Id(), 5}};
    lock_ = r_->jvm.AddObject(klass, 0x10);
    other_lock_ = r_->jvm.AddObject(klass, 0x11);
    a_ = r_->jvm.AddThread("A", 0xA);
    a_->frames = frames_;
    b_ = r_->jvm.AddThread("B", 0xB);
    b_->frames = frames_;
  }
  void Enter(FakeThread *thread, FakeObject *monitor) {
    FakeJvm::Running running(thread);
    contention_enter(&contention_, r_->ti, r_->jni, monitor->Ref());
  }
  void Entered(FakeThread *thread, FakeObject *monitor) {
    FakeJvm::Running running(thread);
    contention_entered(&contention_, r_->ti, r_->jni, monitor->Ref());
  }

  std::unique_ptr<Recording> r_;
  struct contention contention_;
  std::vector<jvmtiFrameInfo> frames_;
  FakeObject *lock_, *other_lock_;
  FakeThread *a_, *b_;
};

TEST_F(ContentionTest, IsAPairWithOneStack) {
  Begin("owners=off");
  Enter(a_, lock_);
  Entered(a_, lock_);
  EXPECT_EQ(r_->Events(),
            (Lines{"MonitorContendedEnter,0000000A,00000010,00000000,1;00000001;00000005",
                   "MonitorContendedEntered,0000000A,00000010,1;00000001;00000005"}));
  EXPECT_EQ(r_->jvm.Calls(CALL_GetStackTrace), 1);
}

TEST_F(ContentionTest, ItsMonitorIsDefined) {
  Begin("owners=off");
  Enter(a_, lock_);
  EXPECT_EQ(r_->Objects().back(), "00000010,000000C1");
}

TEST_F(ContentionTest, ThreadsHaveTheirOwnPairs) {
  Begin("owners=off");
  Enter(a_, lock_);
  Enter(b_, lock_);
  Entered(b_, lock_);
  Entered(a_, lock_);
  Lines lines = r_->Events();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2].substr(0, 32), "MonitorContendedEntered,0000000B");
  EXPECT_EQ(lines[3].substr(0, 32), "MonitorContendedEntered,0000000A");
}

TEST_F(ContentionTest, AnEnteredWithoutAnEnterIsCountedNotWritten) {
  Begin("owners=off");
  Entered(a_, lock_);
  Enter(a_, lock_);
  Entered(a_, other_lock_);
  EXPECT_EQ(contention_.orphans, 2u);
  Entered(a_, lock_);
  Entered(a_, lock_);
  EXPECT_EQ(contention_.orphans, 3u);
  EXPECT_EQ(r_->Events().size(), 2u);
}

TEST_F(ContentionTest, NothingIsRecordedOfAGroupThatIsNotWanted) {
  Begin("owners=off,events=wait");
  Enter(a_, lock_);
  Entered(a_, lock_);
  EXPECT_EQ(r_->Events(), Lines{});
  EXPECT_EQ(contention_.orphans, 0u);
}

TEST_F(ContentionTest, TheJvmIsAskedForTheOwnerEveryTimeIfSoWanted) {
  Begin("owners=all");
  lock_->owner = b_;
  {
    FakeJvm::Running running(b_);
    context_here(r_->threads, r_->ti, r_->jni);
  }
  Enter(a_, lock_);
  Entered(a_, lock_);
  EXPECT_EQ(r_->Events()[0],
            "MonitorContendedEnter,0000000A,00000010,0000000B,1;00000001;00000005");
  EXPECT_EQ(r_->Objects(), (Lines{"0000000B,00001000", "0000000A,00001000", "00000010,000000C1"}));
}

TEST_F(ContentionTest, AfterADroppedEnterTheEnteredIsAnOrphan) {
  Begin("owners=late,overflow=drop");
  Enter(b_, lock_);  // has a context when the queue is full
  Entered(b_, lock_);
  r_->FillQueue();
  Enter(b_, lock_);
  r_->Records();
  EXPECT_EQ(r_->recorder->dropped, 1u);
  Entered(b_, lock_);
  EXPECT_EQ(r_->Events(), Lines{});
  EXPECT_EQ(contention_.orphans, 1u);
}

// The slots of the pool and the stacks that are not shared come back, whatever the JVM leaves out.
TEST_F(ContentionTest, AnEnterWithoutAnEnteredGivesBackWhatItHeld) {
  Begin("owners=late");
  for (int i = 0; i < 10000; i++) {  // more than the pool has slots
    Enter(a_, lock_);
    r_->Records();
    struct blocked *b = blocked_watch(contention_.owners->pool);
    ASSERT_NE(b, nullptr) << i;
    r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_on(b)->monitor));
    blocked_let_go(b);
  }
  EXPECT_EQ(contention_.owners->not_asked, 0u);
}

// It blocked when one recording ended, and has the monitor when the next is on.
TEST_F(ContentionTest, AnEnteredWhoseEnterIsInAnEarlierRecordingIsNotWritten) {
  Begin("owners=late");
  Enter(a_, lock_);
  r_->Records();
  r_->Again("owners=late");
  Entered(a_, lock_);
  EXPECT_EQ(r_->Events(), Lines{});
  EXPECT_EQ(contention_.orphans, 1u);
  FakeJvm::Running running(a_);
  struct context *here = context_known(r_->ti);
  EXPECT_EQ(here->entered, 0x10u);  // but it has it, and may be found as its owner
  EXPECT_FALSE(here->blocking);
  struct blocked *b = blocked_watch(contention_.owners->pool);
  EXPECT_TRUE(blocked_is_over(b));
  r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_on(b)->monitor));
}

TEST_F(ContentionTest, InTheNextRecordingAPairIsAPairAgain) {
  Begin("owners=off");
  Enter(a_, lock_);
  r_->Records();
  r_->Again("owners=off");
  Enter(a_, lock_);
  Entered(a_, lock_);
  EXPECT_EQ(r_->Events().size(), 2u);
  EXPECT_EQ(contention_.orphans, 0u);
}

TEST_F(ContentionTest, OwnThreadsAreNotRecorded) {
  Begin("owners=off");
  threads_hide(r_->threads, r_->jni, a_->Ref());
  Enter(a_, lock_);
  Entered(a_, lock_);
  EXPECT_EQ(r_->Records(), Lines{});
}

}  // namespace
