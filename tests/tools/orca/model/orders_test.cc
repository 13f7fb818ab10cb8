#include "tools/orca/model/orders.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// Threads 1 to 9; what they get is theirs until they leave it.
class Orders : public testing::Test {
 protected:
  Orders() { matcher_start(&matcher_, nullptr, nullptr); }
  ~Orders() override {
    orders_free(&orders_);
    pairs_free(&pairs_);
    holders_free(&holders_);
    matcher_free(&matcher_);
  }

  void Do(enum event_kind kind, uint32_t thread, uint32_t object, uint32_t owner = 0) {
    struct event_line line = {};
    line.time = ++now_;
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    line.owner = owner;
    struct pair pair;
    bool left;
    ticks_t time;
    EXPECT_TRUE(orders_event(&orders_, &holders_, &pairs_, &line, 0));
    EXPECT_NE(pairs_feed(&pairs_, &line, 0, &pair), PAIRS_NO_MEMORY);
    EXPECT_TRUE(holders_event(&holders_, nullptr, &line, 0, &left, &time));
  }
  // A thread gets monitors one within the other, and leaves them again.
  void Nest(uint32_t thread, std::vector<uint32_t> monitors) {
    for (uint32_t m : monitors) Do(EVENT_MONITOR_ENTERED, thread, m);
    for (uint32_t m : monitors) Do(EVENT_MONITOR_EXIT, thread, m);
  }
  // How many rings there are.
  size_t End() {
    EXPECT_TRUE(orders_end(&orders_, &holders_, &stacks_, &matcher_));
    return orders_.num_rings;
  }

  ticks_t now_ = 0;
  struct orders orders_ = {};
  struct holders holders_ = {};
  struct pairs pairs_ = {};
  struct stacks stacks_ = {};
  struct matcher matcher_ = {};
};

TEST_F(Orders, AnOrderIsKeptOnce) {
  for (int i = 0; i < 10; i++) Nest(1, {0xA, 0xB});
  Nest(2, {0xA, 0xB});
  ASSERT_EQ(orders_.num, 2u);
  EXPECT_EQ(orders_.rows[0].times, 10u);
  EXPECT_EQ(orders_.rows[0].has.object, 0xAu);
  EXPECT_EQ(orders_.rows[0].asks.object, 0xBu);
  EXPECT_EQ(End(), 0u);
}

TEST_F(Orders, BothWaysByTwoThreads) {
  Nest(1, {0xA, 0xB});
  Nest(2, {0xB, 0xA});
  ASSERT_EQ(End(), 1u);
  ASSERT_EQ(orders_.rings[0].num, 2u);
  EXPECT_FALSE(orders_.rings[0].partial);
  EXPECT_EQ(orders_.links[0].thread, 1u);
  EXPECT_EQ(orders_.links[0].asks.object, 0xBu);
  EXPECT_EQ(orders_.links[1].thread, 2u);
  EXPECT_EQ(orders_.links[1].has.object, 0xBu);
}

TEST_F(Orders, OneThreadAloneIsNoRisk) {
  Nest(1, {0xA, 0xB});
  Nest(1, {0xB, 0xA});
  EXPECT_EQ(End(), 0u);
}

TEST_F(Orders, AGateKeepsThemApart) {
  Nest(1, {0x6, 0xA, 0xB});
  Nest(2, {0x6, 0xB, 0xA});
  EXPECT_EQ(End(), 0u);
}

TEST_F(Orders, OneThreadWithoutTheGateWillDo) {
  Nest(1, {0x6, 0xA, 0xB});
  Nest(2, {0x6, 0xB, 0xA});
  Nest(3, {0xB, 0xA});
  EXPECT_EQ(End(), 1u);
}

TEST_F(Orders, WhatOneHasAlreadyIsNoOrder) {
  Nest(1, {0xA, 0xB, 0xA});
  Nest(2, {0xA, 0xB});
  EXPECT_EQ(orders_.num, 2u);
  EXPECT_EQ(End(), 0u);
}

TEST_F(Orders, ARingOfThree) {
  Nest(1, {0xA, 0xB});
  Nest(2, {0xB, 0xC});
  Nest(3, {0xC, 0xA});
  Nest(4, {0xC, 0xD});
  ASSERT_EQ(End(), 1u);
  EXPECT_EQ(orders_.rings[0].num, 3u);
}

// Rings of other locks at the same lines are one; those of the same locks by others are nothing
// new.
TEST_F(Orders, Alike) {
  for (uint32_t i = 0; i < 20; i += 2) {
    Nest(1, {0x100 + i, 0x101 + i});
    for (uint32_t thread : {2, 3, 4}) Nest(thread, {0x101 + i, 0x100 + i});
  }
  ASSERT_EQ(End(), 1u);
  EXPECT_EQ(orders_.rings[0].alike, 9u);
}

TEST_F(Orders, ReadersDoNotKeepReadersOut) {
  holders_.all = true;
  auto nest = [&](uint32_t thread, enum event_kind a, uint32_t of_a, enum event_kind b,
                  uint32_t of_b) {
    Do(a, thread, of_a), Do(b, thread, of_b);
    Do(b == EVENT_READ_LOCK_ACQUIRED ? EVENT_READ_LOCK_RELEASE : EVENT_WRITE_LOCK_RELEASE, thread,
       of_b);
    Do(a == EVENT_READ_LOCK_ACQUIRED ? EVENT_READ_LOCK_RELEASE : EVENT_WRITE_LOCK_RELEASE, thread,
       of_a);
  };
  nest(1, EVENT_READ_LOCK_ACQUIRED, 0xA, EVENT_WRITE_LOCK_ACQUIRED, 0xB);
  nest(2, EVENT_WRITE_LOCK_ACQUIRED, 0xB, EVENT_READ_LOCK_ACQUIRED, 0xA);
  EXPECT_EQ(End(), 0u);
  nest(3, EVENT_WRITE_LOCK_ACQUIRED, 0xB, EVENT_WRITE_LOCK_ACQUIRED, 0xA);
  EXPECT_EQ(End(), 1u);
}

TEST_F(Orders, ATryGivesUp) {
  holders_.all = true;
  Do(EVENT_LOCK_ACQUIRED, 1, 0xA);
  Do(EVENT_LOCK_TRY, 1, 0xB), Do(EVENT_LOCK_TRIED, 1, 0xB);
  EXPECT_EQ(orders_.num, 0u);
  Do(EVENT_MONITOR_ENTERED, 1, 0xC);  // it has what it tried
  EXPECT_EQ(orders_.num, 2u);
}

TEST_F(Orders, WhatIsGivenAwayIsNotHad) {
  Do(EVENT_MONITOR_ENTERED, 1, 0xA);
  Do(EVENT_OBJECT_WAIT, 1, 0xA);
  Do(EVENT_MONITOR_ENTERED, 1, 0xB);
  EXPECT_EQ(orders_.num, 0u);
}

// 2, which waits for B, is named as the owner of A; 1, which waits for A, as that of B.
TEST_F(Orders, ByTheOwnersThatAreNamed) {
  Do(EVENT_LOCK_ACQUIRE, 2, 0xB, 7);
  Do(EVENT_LOCK_ACQUIRE, 3, 0xA, 2);
  Do(EVENT_LOCK_ACQUIRED, 2, 0xB), Do(EVENT_LOCK_ACQUIRED, 3, 0xA);
  Do(EVENT_LOCK_ACQUIRE, 1, 0xA, 7);
  Do(EVENT_LOCK_ACQUIRE, 3, 0xB, 1);
  ASSERT_EQ(End(), 1u);
  EXPECT_TRUE(orders_.rings[0].partial);
}

// With owners=late a name may be that of a moment later.
TEST_F(Orders, AMonitorsOwnerIsThatOfItsMomentOnlyWhereAsked) {
  for (bool exact : {false, true}) {
    orders_.exact_monitors = exact;
    Do(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xB, 7);
    Do(EVENT_MONITOR_CONTENDED_ENTER, 3, 0xA, 2);
    EXPECT_EQ(orders_.num, exact ? 1u : 0u);
  }
}

TEST_F(Orders, SemaphoresAndLossyDumpsSayNothing) {
  Do(EVENT_SEMAPHORE_ACQUIRED, 1, 0xA);
  Do(EVENT_MONITOR_ENTERED, 1, 0xB);
  EXPECT_EQ(orders_.num, 0u);
  holders_.lossy = true;
  Do(EVENT_MONITOR_ENTERED, 1, 0xC);
  EXPECT_EQ(orders_.num, 0u);
}

}  // namespace
