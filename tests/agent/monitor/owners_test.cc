#include "agent/monitor/owners.h"

#include <functional>
#include <memory>
#include <thread>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

class OwnersTest : public testing::Test {
 protected:
  void Begin(const std::string &options) {
    r_ = std::make_unique<Recording>(options);
    static auto &all = *new std::vector<struct owners *>; /* never freed */
    all.push_back(owners_ = new struct owners);
    owners_init(owners_, r_->threads);
    if (r_->recorder->options.owners == OWNERS_LATE) owners_->pool = blocked_pool_new();
    FakeClass *klass = r_->jvm.AddClass("LA;", 0xC1);
    lock_ = r_->jvm.AddObject(klass, 0x10);
    holder_ = r_->jvm.AddThread("holder", 0xB);
    lock_->owner = holder_;
    FakeJvm::Running running(holder_);
    context_ = context_here(r_->threads, r_->ti, r_->jni);
  }
  void TearDown() override { owners_stop(owners_); }

  void StartWatch() { ASSERT_TRUE(owners_start(owners_, r_->ti, r_->jni)); }
  struct blocked *Ask() {
    return Ask(lock_);
  }
  struct blocked *Ask(FakeObject *lock) {
    return owners_ask(owners_, r_->ti, r_->jni, lock->Ref(), &owner_);
  }
  // One more lock of the holder's.
  FakeObject *Another(jint hash) {
    FakeObject *lock = r_->jvm.AddObject(lock_->klass, hash);
    lock->owner = holder_;
    return lock;
  }

  // Waits until the watch is done with everything that it was given.
  bool WatchIsDone() {
    for (uint64_t start = clock_monotonic_ns(); r_->jvm.NumWeakRefs() > 0;) {
      if (clock_monotonic_ns() - start > 10 * NS_PER_S) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  std::unique_ptr<Recording> r_;
  struct owners *owners_;
  FakeObject *lock_;
  FakeThread *holder_;
  struct context *context_;  // of the holder
  uint32_t owner_ = 0;
};

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

TEST_F(OwnersTest, OneWhoGotTheMonitorSinceThenIsNobody) {
  Begin("owners=late");
  struct blocked *b = Ask();
  context_->entered = 0x10;
  context_->entered_ns = clock_monotonic_ns();
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 1);
  EXPECT_EQ(blocked_take_owner(b), 0u);
  blocked_end(b);
}

// The JVM gives a thread the monitor a moment before its MonitorContendedEntered runs. One
// that is still marked as blocking on it has not held it all along.
TEST_F(OwnersTest, OneWhoGotTheMonitorAndHasNotSaidSoYetIsNobody) {
  Begin("owners=late");
  context_->blocking = true;
  context_->monitor = 0x10;
  struct blocked *b = Ask();
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  EXPECT_EQ(blocked_take_owner(b), 0u);
  blocked_end(b);
}

TEST_F(OwnersTest, AThreadOfOrcasOwnIsNobody) {
  Begin("owners=all");
  threads_hide(r_->threads, r_->jni, holder_->Ref());
  Ask();
  EXPECT_EQ(owner_, 0u);
}

TEST_F(OwnersTest, LateFindsTheOwnerOfOneWhoStillBlocks) {
  Begin("owners=late");
  StartWatch();
  uint64_t start = clock_monotonic_ns(), asked_ns = 0;
  r_->jvm.During(CALL_GetObjectMonitorUsage, [&] { asked_ns = clock_monotonic_ns(); });
  struct blocked *b = Ask();
  ASSERT_NE(b, nullptr);
  ASSERT_TRUE(WatchIsDone());
  owners_stop(owners_);
  EXPECT_GE(asked_ns - start, OWNERS_LATE_NS);
  EXPECT_EQ(blocked_take_owner(b), 0xBu);
  blocked_end(b);
}

TEST_F(OwnersTest, OneWhoHasTheMonitorIsNotAskedFor) {
  Begin("owners=late");
  struct blocked *b = Ask();
  blocked_end(b);
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  EXPECT_EQ(blocked_take_owner(b), 0u);
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 0);
  EXPECT_EQ(owners_->not_asked, 0u);
}

TEST_F(OwnersTest, AnAnswerThatComesAfterTheEndIsNone) {
  Begin("owners=late");
  struct blocked *b = Ask();
  r_->jvm.During(CALL_GetObjectMonitorUsage, [&] { blocked_end(b); });
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 1);
  EXPECT_EQ(blocked_take_owner(b), 0u);
}

TEST_F(OwnersTest, AMonitorThatIsGoneHasNoOwner) {
  Begin("owners=late");
  lock_->collected = true;
  struct blocked *b = Ask();
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  EXPECT_EQ(blocked_take_owner(b), 0u);
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 0);
  blocked_end(b);
}

TEST_F(OwnersTest, WithoutAFreeSlotNobodyAnswers) {
  Begin("owners=late");
  while (Ask() != nullptr) continue;
  EXPECT_EQ(owners_->not_asked, 1u);
  EXPECT_EQ(r_->jvm.NumWeakRefs(), 4096);  // that of the last is given back
  while (struct blocked *b = blocked_watch(owners_->pool)) {
    r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_monitor(b)));
  }
}

TEST_F(OwnersTest, ManyAtOnceAreAllAskedForWhileItCostsLittle) {
  Begin("owners=late");
  std::vector<struct blocked *> all;
  for (int i = 0; i < 10; i++) all.push_back(Ask(Another(0x20 + i)));
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  owners_stop(owners_);
  EXPECT_EQ(owners_->asked, 10u);
  EXPECT_EQ(owners_->not_asked, 0u);
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xBu);
}

TEST_F(OwnersTest, OneAnswerServesAllWhoBlockOnTheSameMonitor) {
  Begin("owners=late");
  std::vector<struct blocked *> all;
  for (int i = 0; i < 10; i++) all.push_back(Ask());
  struct blocked *other = Ask(Another(0x20));
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  owners_stop(owners_);
  EXPECT_EQ(owners_->asked, 2u);
  EXPECT_EQ(owners_->not_asked, 0u);
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xBu);
  EXPECT_EQ(blocked_take_owner(other), 0xBu);
}

// The holder got the monitor between the two: it did not make the first one block.
TEST_F(OwnersTest, TheAnswerOfOneIsNotThatOfAnotherWhoBlockedBefore) {
  Begin("owners=late");
  struct blocked *early = Ask();
  context_->entered_ns = clock_monotonic_ns();
  context_->entered = 0x10;
  struct blocked *late = Ask();
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  owners_stop(owners_);
  EXPECT_EQ(owners_->asked, 1u);
  EXPECT_EQ(blocked_take_owner(early), 0u);
  EXPECT_EQ(blocked_take_owner(late), 0xBu);
}

// How long the first sixteen take may be chance, as the JVM had to wait for a CPU; if none of them
// was quick, one costs more here than may be saved up.
TEST_F(OwnersTest, AskingTakesNoMoreThanItsShareOfTheTime) {
  Begin("owners=late");
  r_->jvm.During(CALL_GetObjectMonitorUsage, [] {
    for (uint64_t start = clock_monotonic_ns(); clock_monotonic_ns() - start < 25 * NS_PER_MS;) {
    }
  });
  std::vector<struct blocked *> all;
  for (int i = 0; i < 20; i++) all.push_back(Ask(Another(0x20 + i)));
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  owners_stop(owners_);
  EXPECT_EQ(owners_->asked, 16u);
  EXPECT_EQ(owners_->not_asked, 4u);
  for (size_t i = 0; i < 16; i++) EXPECT_EQ(blocked_take_owner(all[i]), 0xBu);
  for (size_t i = 16; i < 20; i++) EXPECT_EQ(blocked_take_owner(all[i]), 0u);
}

TEST_F(OwnersTest, WhereOneInAFewIsQuickTheRestOfTheTimeWasTheProgramsOwn) {
  Begin("owners=late");
  int asked = 0;
  r_->jvm.During(CALL_GetObjectMonitorUsage, [&asked] {
    uint64_t takes = asked++ % 8 == 0 ? 0 : 25 * NS_PER_MS;
    for (uint64_t start = clock_monotonic_ns(); clock_monotonic_ns() - start < takes;) {
    }
  });
  std::vector<struct blocked *> all;
  for (int i = 0; i < 40; i++) all.push_back(Ask(Another(0x20 + i)));
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  owners_stop(owners_);
  EXPECT_EQ(owners_->asked, 40u);
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xBu);
}

TEST_F(OwnersTest, AWatchThatSleepsIsWoken) {
  Begin("owners=late");
  StartWatch();
  for (int i = 0; i < 5; i++) {
    struct blocked *b = Ask();
    blocked_end(b);
    ASSERT_TRUE(WatchIsDone()) << i;
    blocked_take_owner(b);
  }
}

TEST_F(OwnersTest, TheWatchOfTheNextRecordingAnswersToo) {
  Begin("owners=late");
  for (int i = 0; i < 2; i++) {
    StartWatch();
    struct blocked *b = Ask();
    ASSERT_TRUE(WatchIsDone()) << i;
    owners_stop(owners_);
    EXPECT_EQ(owners_->asked, 1u);
    EXPECT_EQ(blocked_take_owner(b), 0xBu);
    blocked_end(b);
    r_->Again("owners=late");
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

// Unanswered, unless the watch stopped so late that it was time to ask.
TEST_F(OwnersTest, WhoBlocksWhenTheWatchEndsIsLetGo) {
  Begin("owners=late");
  StartWatch();
  struct blocked *b = Ask();
  owners_stop(owners_);
  r_->jvm.JoinAgentThreads();
  while (struct blocked *left = blocked_watch(owners_->pool)) {  // came as the watch slept
    r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_monitor(left)));
    blocked_watched(left, 0);
  }
  EXPECT_EQ(r_->jvm.NumWeakRefs(), 0);
  EXPECT_EQ(blocked_take_owner(b), owners_->asked == 0 ? 0u : 0xBu);
  blocked_end(b);
}

TEST_F(OwnersTest, AWatchThatTheJvmRefusesIsFalse) {
  Begin("owners=late");
  r_->jvm.Fail(CALL_RunAgentThread);
  EXPECT_FALSE(owners_start(owners_, r_->ti, r_->jni));
}

}  // namespace
