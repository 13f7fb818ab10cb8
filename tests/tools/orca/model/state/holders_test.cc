#include "tools/orca/model/state/holders.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

class Holders : public testing::Test {
 protected:
  Holders() {
    coverage_.has_all_uses = true;
    holders_.coverage = &coverage_;
  }
  ~Holders() override { holders_free(&holders_); }

  // Returns whether the event released the thread's hold; `held_` is then its duration.
  bool TakeEvent(ticks_t time, enum event_kind kind, uint32_t thread, uint32_t object) {
    struct event_line line = MakeLine(kind, thread, object);
    bool released;
    line.time = time;
    EXPECT_TRUE(holders_event(&holders_, nullptr, &line, 0, &released, &held_));
    return released;
  }
  static struct event_line MakeLine(enum event_kind kind, uint32_t thread, uint32_t object) {
    struct event_line line = {};
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    return line;
  }
  uint32_t FindOwner(enum event_kind kind, uint32_t thread, uint32_t object) {
    struct event_line line = MakeLine(kind, thread, object);
    return holders_owner(&holders_, &line);
  }
  size_t CountHolders(enum event_kind kind, uint32_t thread, uint32_t object) {
    size_t num = 0;
    for (const struct hold *h = nullptr;
         (h = holders_next(&holders_, kind, object, thread, h)) != nullptr; num++) {
    }
    return num;
  }

  struct coverage coverage_ = {};
  struct holders holders_ = {};
  ticks_t held_ = 0;
};

TEST_F(Holders, NotesWhereAMonitorWasAcquired) {
  struct event_line line = MakeLine(EVENT_MONITOR_HELD, 1, 0xA);
  EXPECT_EQ(holders_acquisition(&holders_, 1, 0xA), 0u);
  EXPECT_TRUE(holders_note_acquisition(&holders_, &line, 5));
  EXPECT_TRUE(holders_note_acquisition(&holders_, &line, 6));
  EXPECT_EQ(holders_acquisition(&holders_, 1, 0xA), 6u);
  EXPECT_EQ(holders_acquisition(&holders_, 1, 0xB), 0u);
  EXPECT_EQ(holders_acquisition(&holders_, 2, 0xA), 0u);
  EXPECT_EQ(FindOwner(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xA), 0u);
}

TEST_F(Holders, TheOwnerOfALinkAcquiredTheLockAtItsHoldOrMonitorHeld) {
  struct wait_link link = {};
  link.pair.kind = EVENT_MONITOR_CONTENDED_ENTER;
  link.pair.thread = 2;
  link.pair.object = 0xA;
  struct event_line line = MakeLine(EVENT_MONITOR_HELD, 1, 0xA);
  EXPECT_TRUE(holders_note_acquisition(&holders_, &line, 5));
  holders_set_owner(&holders_, &link, 1);
  EXPECT_EQ(link.owner, 1u);
  EXPECT_EQ(link.owner_stack, 5u);
  EXPECT_EQ(link.owner_since, 0u);
  bool is_released;
  line = MakeLine(EVENT_MONITOR_ENTERED, 1, 0xA);
  line.time = 10;
  EXPECT_TRUE(holders_event(&holders_, nullptr, &line, 7, &is_released, &held_));
  holders_set_owner(&holders_, &link, 1);
  EXPECT_EQ(link.owner_stack, 7u);
  EXPECT_EQ(link.owner_since, 10u);
  holders_set_owner(&holders_, &link, 0);
  EXPECT_EQ(link.owner_stack, 0u);
  EXPECT_EQ(link.owner_since, 0u);
}

TEST_F(Holders, HoldsALockUntilTheLastRelease) {
  TakeEvent(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  TakeEvent(11, EVENT_LOCK_TRIED, 1, 0xA);
  EXPECT_EQ(FindOwner(EVENT_LOCK_ACQUIRE, 2, 0xA), 1u);
  EXPECT_EQ(FindOwner(EVENT_LOCK_ACQUIRE, 1, 0xA), 0u);
  EXPECT_FALSE(TakeEvent(12, EVENT_LOCK_RELEASE, 1, 0xA));
  EXPECT_TRUE(TakeEvent(15, EVENT_LOCK_RELEASE, 1, 0xA));
  EXPECT_EQ(held_, 5u);
  EXPECT_EQ(FindOwner(EVENT_LOCK_ACQUIRE, 2, 0xA), 0u);
}

TEST_F(Holders, PrefersTheOwnerThatTheEventNames) {
  TakeEvent(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  struct event_line line = MakeLine(EVENT_LOCK_TRY, 2, 0xA);
  line.owner = 7;
  EXPECT_EQ(holders_owner(&holders_, &line), 7u);
  line.owner = 2;
  EXPECT_EQ(holders_owner(&holders_, &line), 0u);
  EXPECT_EQ(FindOwner(EVENT_OBJECT_WAIT, 2, 0xA), 0u);
}

// A release may follow an acquisition that was too short to have a line.
TEST_F(Holders, KnowsOnlyTheHoldersOfMonitorsWithAThreshold) {
  coverage_.threshold = {"10ms", 4};
  TakeEvent(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  TakeEvent(10, EVENT_SEMAPHORE_ACQUIRED, 1, 0xC);
  TakeEvent(10, EVENT_MONITOR_ENTERED, 1, 0xB);
  EXPECT_FALSE(TakeEvent(12, EVENT_LOCK_RELEASE, 1, 0xA));
  EXPECT_FALSE(TakeEvent(12, EVENT_SEMAPHORE_RELEASE, 1, 0xC));
  EXPECT_EQ(FindOwner(EVENT_SEMAPHORE_ACQUIRE, 2, 0xC), 0u);
  EXPECT_EQ(FindOwner(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xB), 1u);
}

// With locks=waits, a lock's uncontended acquisitions and its releases have no lines.
TEST_F(Holders, IgnoresLocksIfSomeAcquisitionsHaveNoLine) {
  coverage_.has_all_uses = false;
  TakeEvent(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  TakeEvent(10, EVENT_MONITOR_ENTERED, 1, 0xB);
  TakeEvent(10, EVENT_SEMAPHORE_TRIED, 1, 0xC);
  EXPECT_EQ(FindOwner(EVENT_LOCK_ACQUIRE, 2, 0xA), 0u);
  EXPECT_EQ(FindOwner(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xB), 1u);
  EXPECT_EQ(FindOwner(EVENT_SEMAPHORE_ACQUIRE, 2, 0xC), 1u);
}

TEST_F(Holders, ReadersAndWritersBlockEachOther) {
  TakeEvent(10, EVENT_READ_LOCK_ACQUIRED, 1, 0xA);
  EXPECT_EQ(FindOwner(EVENT_WRITE_LOCK_ACQUIRE, 3, 0xA), 1u);
  EXPECT_EQ(FindOwner(EVENT_READ_LOCK_ACQUIRE, 3, 0xA), 0u);
  EXPECT_EQ(CountHolders(EVENT_READ_LOCK_ACQUIRE, 1, 0xA), 0u);
  EXPECT_EQ(CountHolders(EVENT_WRITE_LOCK_ACQUIRE, 1, 0xA), 1u);  // it blocks itself
  TakeEvent(11, EVENT_READ_LOCK_ACQUIRED, 2, 0xA);
  EXPECT_EQ(FindOwner(EVENT_WRITE_LOCK_ACQUIRE, 3, 0xA), 0u);  // two holders
  EXPECT_EQ(CountHolders(EVENT_WRITE_LOCK_ACQUIRE, 3, 0xA), 2u);
  TakeEvent(12, EVENT_READ_LOCK_RELEASE, 1, 0xA);
  TakeEvent(12, EVENT_READ_LOCK_RELEASE, 2, 0xA);
  TakeEvent(13, EVENT_WRITE_LOCK_ACQUIRED, 3, 0xA);
  EXPECT_EQ(FindOwner(EVENT_READ_LOCK_ACQUIRE, 1, 0xA), 3u);
}

TEST_F(Holders, AWaitReleasesTheLockAndAcquiresItAgain) {
  TakeEvent(10, EVENT_MONITOR_ENTERED, 1, 0xA);
  TakeEvent(20, EVENT_LOCK_ACQUIRED, 1, 0xB);
  TakeEvent(30, EVENT_OBJECT_WAIT, 1, 0xA);
  EXPECT_EQ(FindOwner(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xA), 0u);
  EXPECT_EQ(FindOwner(EVENT_LOCK_ACQUIRE, 2, 0xB), 1u);
  TakeEvent(40, EVENT_OBJECT_WAITED, 1, 0xA);
  TakeEvent(50, EVENT_CONDITION_AWAIT, 1, 0xC);  // a condition is an object of its own
  EXPECT_EQ(FindOwner(EVENT_LOCK_ACQUIRE, 2, 0xB), 0u);
  EXPECT_EQ(FindOwner(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xA), 1u);
  TakeEvent(60, EVENT_CONDITION_AWAIT_FAILED, 1, 0xC);
  EXPECT_EQ(FindOwner(EVENT_LOCK_ACQUIRE, 2, 0xB), 1u);
  EXPECT_TRUE(TakeEvent(70, EVENT_LOCK_RELEASE, 1, 0xB));
  EXPECT_EQ(held_, 40u);
  EXPECT_TRUE(TakeEvent(80, EVENT_MONITOR_EXIT, 1, 0xA));
  EXPECT_EQ(held_, 60u);
}

// A consumer acquires, a producer releases: no thread holds such a semaphore.
TEST_F(Holders, ASemaphoreThatAnotherThreadReleasesHasUnknownHolders) {
  TakeEvent(10, EVENT_SEMAPHORE_ACQUIRED, 1, 0xA);
  EXPECT_EQ(CountHolders(EVENT_SEMAPHORE_ACQUIRE, 2, 0xA), 1u);
  EXPECT_EQ(CountHolders(EVENT_SEMAPHORE_ACQUIRE, 1, 0xA), 0u);
  EXPECT_FALSE(TakeEvent(11, EVENT_SEMAPHORE_RELEASE, 2, 0xA));
  EXPECT_FALSE(holders_are_known(&holders_, LOCK_SEMAPHORE, 0xA));
  EXPECT_EQ(CountHolders(EVENT_SEMAPHORE_ACQUIRE, 2, 0xA), 0u);
}

TEST_F(Holders, HoldersAreUnknownIfEventsWereDropped) {
  TakeEvent(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  coverage_.is_lossy = true;
  EXPECT_FALSE(holders_are_known(&holders_, LOCK_LOCK, 0xA));
  EXPECT_EQ(FindOwner(EVENT_LOCK_ACQUIRE, 2, 0xA), 0u);
}

// The thread acquired the lock before the recording began.
TEST_F(Holders, AReleaseWithoutAnAcquisitionChangesNothing) {
  EXPECT_FALSE(TakeEvent(10, EVENT_LOCK_RELEASE, 1, 0xA));
  EXPECT_TRUE(holders_are_known(&holders_, LOCK_LOCK, 0xA));
}

TEST_F(Holders, ReleaseWithANumberReleasesAllPermits) {
  SmallModel small;
  small.files.Replace(DUMP_METHODS, "release,()V", "release,(I)V");
  small.Read();
  TakeEvent(10, EVENT_SEMAPHORE_ACQUIRED, 1, 0xA);
  TakeEvent(11, EVENT_SEMAPHORE_ACQUIRED, 1, 0xA);
  struct event_line line = MakeLine(EVENT_SEMAPHORE_RELEASE, 1, 0xA);
  const std::string stack = "1;00000006;00000000";
  bool released = false;
  line.time = 15;
  line.stack = Span(stack);
  EXPECT_TRUE(holders_event(&holders_, small.dump, &line, 0, &released, &held_));
  EXPECT_TRUE(released);
  EXPECT_EQ(held_, 5u);
}

// locks=all from 102.5 to 104 s. The agent changes its hooks for half a second.
TEST(HoldersOfChanges, ForgetTheHoldersAtAChange) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "end.monotonic=",
                      "change=102.0000000000,102.5000000000,set,locks=all\n"
                      "change=104.0000000000,104.5000000000,set,locks=waits\n"
                      "end.monotonic=");
  small.Read();
  struct holders h = {};
  holders_start(&h, small.model.dump);
  auto take = [&](double time, enum event_kind kind) {
    struct event_line line = {};
    bool released;
    ticks_t held;
    line.kind = kind;
    line.thread = 1;
    line.object = 0xA;
    line.time = static_cast<ticks_t>(time * 1e10);
    holders_advance(&h, line.time);
    EXPECT_TRUE(holders_event(&h, small.model.dump, &line, 0, &released, &held));
    return holders_find(&h, LOCK_LOCK, 0xA, 1) != nullptr;
  };
  EXPECT_FALSE(take(101, EVENT_LOCK_ACQUIRED));
  EXPECT_FALSE(take(102.2, EVENT_LOCK_ACQUIRED));
  EXPECT_TRUE(take(103, EVENT_LOCK_ACQUIRED));
  EXPECT_TRUE(take(103.9, EVENT_LOCK_ACQUIRED));
  EXPECT_FALSE(take(104.2, EVENT_LOCK_ACQUIRED));
  holders_free(&h);
}

TEST_F(Holders, FindsTheHoldThatAWaitReleases) {
  TakeEvent(10, EVENT_MONITOR_ENTERED, 1, 0xA);
  ASSERT_NE(holders_find(&holders_, LOCK_MONITOR, 0xA, 1), nullptr);
  EXPECT_EQ(holders_find(&holders_, LOCK_MONITOR, 0xA, 1)->since, 10u);
  EXPECT_EQ(holders_find(&holders_, LOCK_MONITOR, 0xA, 2), nullptr);
  struct event_line mine = MakeLine(EVENT_OBJECT_WAIT, 1, 0xA),
                    other = MakeLine(EVENT_OBJECT_WAIT, 1, 0xB);
  EXPECT_TRUE(holders_releases_for_wait(&holders_, &mine));
  EXPECT_FALSE(holders_releases_for_wait(&holders_, &other));
  struct event_line notify = MakeLine(EVENT_OBJECT_NOTIFY, 1, 0xA);
  EXPECT_FALSE(holders_releases_for_wait(&holders_, &notify));
}

}  // namespace
