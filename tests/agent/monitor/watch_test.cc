// The watch of owners=late.
#include <set>

#include "tests/agent/monitor/owners_case.h"

namespace {

using WatchTest = OwnersTest;

TEST_F(WatchTest, OneWhoGotTheMonitorSinceThenIsNobody) {
  Begin("owners=late");
  struct blocked *b = Ask();
  context_->entered = 0x10;
  context_->entered_ns = clock_monotonic_ns();
  OneRound();
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 1);
  EXPECT_EQ(blocked_take_owner(b), 0u);
  blocked_end(b);
}

// The JVM gives a thread the monitor a moment before its MonitorContendedEntered runs. One
// that is still marked as blocking on it has not held it all along.
TEST_F(WatchTest, OneWhoGotTheMonitorAndHasNotSaidSoYetIsNobody) {
  Begin("owners=late");
  context_->blocking = true;
  context_->monitor = 0x10;
  struct blocked *b = Ask();
  OneRound();
  EXPECT_EQ(blocked_take_owner(b), 0u);
  blocked_end(b);
}

TEST_F(WatchTest, LateFindsTheOwnerOfOneWhoStillBlocks) {
  Begin("owners=late");
  StartWatch();
  uint64_t start = clock_monotonic_ns(), asked_ns = 0;
  r_->jvm.During(CALL_GetObjectMonitorUsage, [&] { asked_ns = clock_monotonic_ns(); });
  struct blocked *b = Ask();
  ASSERT_NE(b, nullptr);
  ASSERT_TRUE(Asked(1));
  EXPECT_GE(asked_ns - start, OWNERS_LATE_NS);
  EXPECT_EQ(blocked_take_owner(b), 0xBu);
  blocked_end(b);
}

TEST_F(WatchTest, OneWhoHasTheMonitorIsNotAskedFor) {
  Begin("owners=late");
  struct blocked *b = Ask();
  blocked_end(b);
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  EXPECT_EQ(blocked_take_owner(b), 0u);
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 0);
  EXPECT_EQ(owners_->not_asked, 0u);
}

TEST_F(WatchTest, AnAnswerThatComesAfterTheEndIsNone) {
  Begin("owners=late");
  struct blocked *b = Ask();
  r_->jvm.During(CALL_GetObjectMonitorUsage, [&] { blocked_end(b); });
  StartWatch();
  ASSERT_TRUE(WatchIsDone());
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 1);
  EXPECT_EQ(blocked_take_owner(b), 0u);
}

TEST_F(WatchTest, AMonitorThatIsGoneHasNoOwner) {
  Begin("owners=late");
  lock_->collected = true;
  struct blocked *b = Ask();
  StartWatch();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  blocked_end(b);
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 0);
  EXPECT_EQ(blocked_take_owner(b), 0u);
}

TEST_F(WatchTest, ManyAtOnceAreAllAskedForWhileItCostsLittle) {
  Begin("owners=late");
  std::vector<struct blocked *> all;
  for (int i = 0; i < 10; i++) all.push_back(Ask(Another(0x20 + i)));
  OneRound();
  EXPECT_EQ(owners_->asked, 10u);
  EXPECT_EQ(owners_->not_asked, 0u);
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xBu);
}

TEST_F(WatchTest, OneAnswerServesAllWhoBlockOnTheSameMonitor) {
  Begin("owners=late");
  std::vector<struct blocked *> all;
  for (int i = 0; i < 10; i++) all.push_back(Ask());
  struct blocked *other = Ask(Another(0x20));
  OneRound();
  EXPECT_EQ(owners_->asked, 2u);
  EXPECT_EQ(owners_->not_asked, 0u);
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xBu);
  EXPECT_EQ(blocked_take_owner(other), 0xBu);
}

// The holder got the monitor between the two: it did not make the first one block.
TEST_F(WatchTest, TheAnswerOfOneIsNotThatOfAnotherWhoBlockedBefore) {
  Begin("owners=late");
  struct blocked *early = Ask();
  context_->entered_ns = clock_monotonic_ns();
  context_->entered = 0x10;
  struct blocked *late = Ask();
  OneRound();
  EXPECT_EQ(owners_->asked, 1u);
  EXPECT_EQ(blocked_take_owner(early), 0u);
  EXPECT_EQ(blocked_take_owner(late), 0xBu);
}

// How long the first sixteen take may be chance, as the JVM had to wait for a CPU; if none of them
// was quick, one costs more here than may be saved up.
TEST_F(WatchTest, AskingTakesNoMoreThanItsShareOfTheTime) {
  Begin("owners=late");
  r_->jvm.During(CALL_GetObjectMonitorUsage, [] {
    for (uint64_t start = clock_monotonic_ns(); clock_monotonic_ns() - start < 25 * NS_PER_MS;) {
    }
  });
  std::vector<struct blocked *> all;
  for (int i = 0; i < 20; i++) all.push_back(Ask(Another(0x20 + i)));
  OneRound();
  EXPECT_EQ(owners_->asked, 16u);
  EXPECT_EQ(owners_->not_asked, 4u);
  for (size_t i = 0; i < 16; i++) EXPECT_EQ(blocked_take_owner(all[i]), 0xBu);
  for (size_t i = 16; i < 20; i++) EXPECT_EQ(blocked_take_owner(all[i]), 0u);
}

TEST_F(WatchTest, WhereOneInAFewIsQuickTheRestOfTheTimeWasTheProgramsOwn) {
  Begin("owners=late");
  int asked = 0;
  r_->jvm.During(CALL_GetObjectMonitorUsage, [&asked] {
    uint64_t takes = asked++ % 8 == 0 ? 0 : 25 * NS_PER_MS;
    for (uint64_t start = clock_monotonic_ns(); clock_monotonic_ns() - start < takes;) {
    }
  });
  std::vector<struct blocked *> all;
  for (int i = 0; i < 40; i++) all.push_back(Ask(Another(0x20 + i)));
  OneRound();
  EXPECT_GE(owners_->asked, 40u);  // a second later once more
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xBu);
}

TEST_F(WatchTest, AWatchThatSleepsIsWoken) {
  Begin("owners=late");
  StartWatch();
  for (int i = 0; i < 5; i++) {
    struct blocked *b = Ask();
    blocked_end(b);
    ASSERT_TRUE(WatchIsDone()) << i;
    blocked_take_owner(b);
  }
}

TEST_F(WatchTest, TheWatchOfTheNextRecordingAnswersToo) {
  Begin("owners=late");
  for (int i = 0; i < 2; i++) {
    StartWatch();
    struct blocked *b = Ask();
    ASSERT_TRUE(Asked(1)) << i;
    EXPECT_EQ(owners_->asked, 1u);
    EXPECT_EQ(blocked_take_owner(b), 0xBu);
    blocked_end(b);
    r_->Again("owners=late");
  }
}

TEST_F(WatchTest, OneWhoseLineIsWrittenAlreadyHasALineOfItsOwn) {
  Begin("owners=late");
  struct blocked *b = Ask();
  EXPECT_EQ(blocked_take_owner(b), 0u);
  OneRound();
  EXPECT_EQ(r_->Events(), Lines{"MonitorOwner,0000000A,00000010,0000000B,0"});
  blocked_end(b);
}

// For the last ones no time is left when they should be asked for. They have it before those that
// are to be asked for again.
TEST_F(WatchTest, OneWhoWasMissedIsAskedForLater) {
  Begin("owners=late");
  r_->jvm.During(CALL_GetObjectMonitorUsage, [] {
    for (uint64_t start = clock_monotonic_ns(); clock_monotonic_ns() - start < 5 * NS_PER_MS;) {
    }
  });
  std::vector<struct blocked *> all;
  for (int i = 0; i < 30; i++) all.push_back(Ask(Another(0x20 + i)));
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0u);
  StartWatch();
  std::set<std::string> told;
  EXPECT_TRUE(Until([&] {
    for (const std::string &line : r_->Events()) told.insert(line);
    return told.size() == all.size();
  }));
  owners_stop(owners_);
  EXPECT_GE(owners_->not_asked, 1u);
  EXPECT_EQ(*told.begin(), "MonitorOwner,0000000A,00000020,0000000B,0");
  for (struct blocked *b : all) blocked_end(b);
}

// Later somebody else has it; that nobody has, for a moment, says nothing.
TEST_F(WatchTest, OneWhoBlocksForLongIsAskedForAgain) {
  Begin("owners=late");
  FakeThread *other = r_->jvm.AddThread("other", 0xC);
  {
    FakeJvm::Running running(other);
    struct context *c = context_here(r_->threads, r_->ti, r_->jni);
    r_->Events();
    struct blocked *b = Ask();
    c->entered_ns = clock_monotonic_ns();
    c->entered = 0x10;
    int asked = 0;
    r_->jvm.During(CALL_GetObjectMonitorUsage, [&] {
      FakeThread *owners[] = {holder_, nullptr, other};
      lock_->owner = owners[asked++ % 3];
    });
    StartWatch();
    ASSERT_TRUE(Asked(3));  // after 5 ms, 1 and 3 s
    EXPECT_EQ(blocked_take_owner(b), 0xBu);
    EXPECT_EQ(r_->Events(), Lines{"MonitorOwner,0000000A,00000010,0000000C,0"});
    blocked_end(b);
  }
}

// Unanswered, unless the watch stopped so late that it was time to ask.
TEST_F(WatchTest, WhoBlocksWhenTheWatchEndsIsLetGo) {
  Begin("owners=late");
  StartWatch();
  struct blocked *b = Ask();
  owners_stop(owners_);
  r_->jvm.JoinAgentThreads();
  while (struct blocked *left = blocked_watch(owners_->pool)) {  // came as the watch slept
    r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_on(left)->monitor));
    blocked_let_go(left);
  }
  EXPECT_EQ(r_->jvm.NumWeakRefs(), 0);
  EXPECT_EQ(blocked_take_owner(b), owners_->asked == 0 ? 0u : 0xBu);
  blocked_end(b);
}

}  // namespace
