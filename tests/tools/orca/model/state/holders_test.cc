#include "tools/orca/model/state/holders.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

class Holders : public testing::Test {
 protected:
  Holders() { holders_.all = true; }
  ~Holders() override { holders_free(&holders_); }

  // Whether the thread left the lock, after `time_`.
  bool Event(ticks_t time, enum event_kind kind, uint32_t thread, uint32_t object) {
    struct event_line line = Line(kind, thread, object);
    bool left;
    line.time = time;
    EXPECT_TRUE(holders_event(&holders_, nullptr, &line, 0, &left, &time_));
    return left;
  }
  static struct event_line Line(enum event_kind kind, uint32_t thread, uint32_t object) {
    struct event_line line = {};
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    return line;
  }
  uint32_t Owner(enum event_kind kind, uint32_t thread, uint32_t object) {
    struct event_line line = Line(kind, thread, object);
    return holders_owner(&holders_, &line);
  }
  size_t NumHolders(enum event_kind kind, uint32_t thread, uint32_t object) {
    size_t num = 0;
    for (const struct hold *h = nullptr;
         (h = holders_next(&holders_, kind, object, thread, h)) != nullptr; num++) {
    }
    return num;
  }

  struct holders holders_ = {};
  ticks_t time_ = 0;
};

TEST_F(Holders, GottenTwiceLeftTwice) {
  Event(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  Event(11, EVENT_LOCK_TRIED, 1, 0xA);
  EXPECT_EQ(Owner(EVENT_LOCK_ACQUIRE, 2, 0xA), 1u);
  EXPECT_EQ(Owner(EVENT_LOCK_ACQUIRE, 1, 0xA), 0u);
  EXPECT_FALSE(Event(12, EVENT_LOCK_RELEASE, 1, 0xA));
  EXPECT_TRUE(Event(15, EVENT_LOCK_RELEASE, 1, 0xA));
  EXPECT_EQ(time_, 5u);
  EXPECT_EQ(Owner(EVENT_LOCK_ACQUIRE, 2, 0xA), 0u);
}

TEST_F(Holders, TheOwnerThatTheEventNames) {
  Event(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  struct event_line line = Line(EVENT_LOCK_TRY, 2, 0xA);
  line.owner = 7;
  EXPECT_EQ(holders_owner(&holders_, &line), 7u);
  line.owner = 2;
  EXPECT_EQ(holders_owner(&holders_, &line), 0u);
  EXPECT_EQ(Owner(EVENT_OBJECT_WAIT, 2, 0xA), 0u);
}

// A release may be that of an acquisition which was too short to be recorded.
TEST_F(Holders, WithAThresholdOnlyMonitorsInFull) {
  holders_.long_only = true;
  Event(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  Event(10, EVENT_SEMAPHORE_ACQUIRED, 1, 0xC);
  Event(10, EVENT_MONITOR_ENTERED, 1, 0xB);
  EXPECT_FALSE(Event(12, EVENT_LOCK_RELEASE, 1, 0xA));
  EXPECT_FALSE(Event(12, EVENT_SEMAPHORE_RELEASE, 1, 0xC));
  EXPECT_EQ(Owner(EVENT_SEMAPHORE_ACQUIRE, 2, 0xC), 0u);
  EXPECT_EQ(Owner(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xB), 1u);
  EXPECT_FALSE(holders_has_all(&holders_, LOCK_SEMAPHORE));
  EXPECT_TRUE(holders_has_all(&holders_, LOCK_MONITOR));
}

// With locks=waits nobody sees a lock that was free being gotten, nor left.
TEST_F(Holders, OnlyWhereAllHaveLines) {
  holders_.all = false;
  Event(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  Event(10, EVENT_MONITOR_ENTERED, 1, 0xB);
  Event(10, EVENT_SEMAPHORE_TRIED, 1, 0xC);
  EXPECT_EQ(Owner(EVENT_LOCK_ACQUIRE, 2, 0xA), 0u);
  EXPECT_EQ(Owner(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xB), 1u);
  EXPECT_EQ(Owner(EVENT_SEMAPHORE_ACQUIRE, 2, 0xC), 1u);
}

TEST_F(Holders, ReadersAndWriters) {
  Event(10, EVENT_READ_LOCK_ACQUIRED, 1, 0xA);
  EXPECT_EQ(Owner(EVENT_WRITE_LOCK_ACQUIRE, 3, 0xA), 1u);
  EXPECT_EQ(Owner(EVENT_READ_LOCK_ACQUIRE, 3, 0xA), 0u);
  EXPECT_EQ(NumHolders(EVENT_READ_LOCK_ACQUIRE, 1, 0xA), 0u);
  EXPECT_EQ(NumHolders(EVENT_WRITE_LOCK_ACQUIRE, 1, 0xA), 1u);  // it keeps itself out
  Event(11, EVENT_READ_LOCK_ACQUIRED, 2, 0xA);
  EXPECT_EQ(Owner(EVENT_WRITE_LOCK_ACQUIRE, 3, 0xA), 0u);  // there are two
  EXPECT_EQ(NumHolders(EVENT_WRITE_LOCK_ACQUIRE, 3, 0xA), 2u);
  Event(12, EVENT_READ_LOCK_RELEASE, 1, 0xA);
  Event(12, EVENT_READ_LOCK_RELEASE, 2, 0xA);
  Event(13, EVENT_WRITE_LOCK_ACQUIRED, 3, 0xA);
  EXPECT_EQ(Owner(EVENT_READ_LOCK_ACQUIRE, 1, 0xA), 3u);
}

TEST_F(Holders, AWaitGivesTheLockAway) {
  Event(10, EVENT_MONITOR_ENTERED, 1, 0xA);
  Event(20, EVENT_LOCK_ACQUIRED, 1, 0xB);
  Event(30, EVENT_OBJECT_WAIT, 1, 0xA);
  EXPECT_EQ(Owner(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xA), 0u);
  EXPECT_EQ(Owner(EVENT_LOCK_ACQUIRE, 2, 0xB), 1u);
  Event(40, EVENT_OBJECT_WAITED, 1, 0xA);
  Event(50, EVENT_CONDITION_AWAIT, 1, 0xC);  // a condition is an object of its own
  EXPECT_EQ(Owner(EVENT_LOCK_ACQUIRE, 2, 0xB), 0u);
  EXPECT_EQ(Owner(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xA), 1u);
  Event(60, EVENT_CONDITION_AWAIT_FAILED, 1, 0xC);
  EXPECT_EQ(Owner(EVENT_LOCK_ACQUIRE, 2, 0xB), 1u);
  EXPECT_TRUE(Event(70, EVENT_LOCK_RELEASE, 1, 0xB));
  EXPECT_EQ(time_, 40u);
  EXPECT_TRUE(Event(80, EVENT_MONITOR_EXIT, 1, 0xA));
  EXPECT_EQ(time_, 60u);
}

// A consumer acquires, a producer releases: nobody has such a semaphore.
TEST_F(Holders, ASemaphoreThatOthersRelease) {
  Event(10, EVENT_SEMAPHORE_ACQUIRED, 1, 0xA);
  EXPECT_EQ(NumHolders(EVENT_SEMAPHORE_ACQUIRE, 2, 0xA), 1u);
  EXPECT_EQ(NumHolders(EVENT_SEMAPHORE_ACQUIRE, 1, 0xA), 0u);
  EXPECT_FALSE(Event(11, EVENT_SEMAPHORE_RELEASE, 2, 0xA));
  EXPECT_FALSE(holders_are_known(&holders_, LOCK_SEMAPHORE, 0xA));
  EXPECT_EQ(NumHolders(EVENT_SEMAPHORE_ACQUIRE, 2, 0xA), 0u);
}

TEST_F(Holders, NothingIsKnownWhereEventsWereDropped) {
  Event(10, EVENT_LOCK_ACQUIRED, 1, 0xA);
  holders_.lossy = true;
  EXPECT_FALSE(holders_are_known(&holders_, LOCK_LOCK, 0xA));
  EXPECT_EQ(Owner(EVENT_LOCK_ACQUIRE, 2, 0xA), 0u);
}

// It was gotten before the recording began.
TEST_F(Holders, ALockThatIsLeftAndWasNotGotten) {
  EXPECT_FALSE(Event(10, EVENT_LOCK_RELEASE, 1, 0xA));
  EXPECT_TRUE(holders_are_known(&holders_, LOCK_LOCK, 0xA));
}

TEST_F(Holders, ReleaseOfSomePermits) {
  SmallModel small;
  small.files.Replace(DUMP_METHODS, "release,()V", "release,(I)V");
  small.Read();
  Event(10, EVENT_SEMAPHORE_ACQUIRED, 1, 0xA);
  Event(11, EVENT_SEMAPHORE_ACQUIRED, 1, 0xA);
  struct event_line line = Line(EVENT_SEMAPHORE_RELEASE, 1, 0xA);
  const std::string stack = "1;00000006;00000000";
  bool left = false;
  line.time = 15;
  line.stack = Span(stack);
  EXPECT_TRUE(holders_event(&holders_, small.dump, &line, 0, &left, &time_));
  EXPECT_TRUE(left);
  EXPECT_EQ(time_, 5u);
}

TEST(HoldersStart, TheOptionLocks) {
  SmallModel small;
  EXPECT_FALSE(small.Read()->pass.holders.all);
  SmallModel all;
  all.files.Replace(DUMP_INFO, "engine=weave", "locks=all");
  EXPECT_TRUE(all.Read()->pass.holders.all);
  EXPECT_TRUE(holders_has_all(&all.model.pass.holders, LOCK_READ));
  EXPECT_FALSE(holders_has_all(&small.model.pass.holders, LOCK_READ));
  EXPECT_TRUE(holders_has_all(&small.model.pass.holders, LOCK_SEMAPHORE));
}

TEST_F(Holders, WhatAThreadHasOfALock) {
  Event(10, EVENT_MONITOR_ENTERED, 1, 0xA);
  ASSERT_NE(holders_find(&holders_, LOCK_MONITOR, 0xA, 1), nullptr);
  EXPECT_EQ(holders_find(&holders_, LOCK_MONITOR, 0xA, 1)->since, 10u);
  EXPECT_EQ(holders_find(&holders_, LOCK_MONITOR, 0xA, 2), nullptr);
  struct event_line mine = Line(EVENT_OBJECT_WAIT, 1, 0xA), other = Line(EVENT_OBJECT_WAIT, 1, 0xB);
  EXPECT_TRUE(holders_gives_away(&holders_, &mine));
  EXPECT_FALSE(holders_gives_away(&holders_, &other));
  struct event_line notify = Line(EVENT_OBJECT_NOTIFY, 1, 0xA);
  EXPECT_FALSE(holders_gives_away(&holders_, &notify));
}

}  // namespace
