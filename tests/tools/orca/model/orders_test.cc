#include "tools/orca/model/orders.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// Threads 1 to 9 acquire locks and hold them until they release them.
class Orders : public testing::Test {
 protected:
  Orders() {
    matcher_start(&matcher_, nullptr, nullptr);
    holders_.coverage = &coverage_;
  }
  ~Orders() override {
    orders_free(&orders_);
    pairs_free(&pairs_);
    holders_free(&holders_);
    matcher_free(&matcher_);
  }

  void Add(enum event_kind kind, uint32_t thread, uint32_t object, uint32_t owner = 0) {
    struct event_line line = {};
    line.time = ++now_;
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    line.owner = owner;
    struct pair pair;
    bool is_released;
    ticks_t time;
    EXPECT_TRUE(orders_event(&orders_, &holders_, &pairs_, &line, 0));
    EXPECT_NE(pairs_feed(&pairs_, &line, 0, &pair), PAIRS_NO_MEMORY);
    EXPECT_TRUE(holders_event(&holders_, nullptr, &line, 0, &is_released, &time));
  }
  // A thread enters monitors one inside of the other, and then exits them.
  void Nest(uint32_t thread, std::vector<uint32_t> monitors) {
    for (uint32_t m : monitors) Add(EVENT_MONITOR_ENTERED, thread, m);
    for (uint32_t m : monitors) Add(EVENT_MONITOR_EXIT, thread, m);
  }
  // Ends the orders, and returns the number of rings.
  size_t CountRings() {
    EXPECT_TRUE(orders_end(&orders_, &holders_, &stacks_, &matcher_));
    return orders_.num_rings;
  }

  ticks_t now_ = 0;
  struct orders orders_ = {};
  struct coverage coverage_ = {};
  struct holders holders_ = {};
  struct pairs pairs_ = {};
  struct stacks stacks_ = {};
  struct matcher matcher_ = {};
};

TEST_F(Orders, EqualOrdersAreOneRow) {
  for (int i = 0; i < 10; i++) Nest(1, {0xA, 0xB});
  Nest(2, {0xA, 0xB});
  ASSERT_EQ(orders_.num, 2u);
  EXPECT_EQ(orders_.rows[0].times, 10u);
  EXPECT_EQ(orders_.rows[0].has.object, 0xAu);
  EXPECT_EQ(orders_.rows[0].asks.object, 0xBu);
  EXPECT_EQ(CountRings(), 0u);
}

// A lock of java.util.concurrent has a line when its thread asks for it, and one when it got it. A
// monitor that is not free has these lines too, with monitors=all.
TEST_F(Orders, CountsAnAcquisitionOnce) {
  coverage_.has_all_uses = true;
  for (int i = 0; i < 10; i++) {
    Add(EVENT_LOCK_ACQUIRE, 1, 0xA), Add(EVENT_LOCK_ACQUIRED, 1, 0xA);
    Add(EVENT_LOCK_ACQUIRE, 1, 0xB), Add(EVENT_LOCK_ACQUIRED, 1, 0xB);
    Add(EVENT_MONITOR_CONTENDED_ENTER, 1, 0xC), Add(EVENT_MONITOR_CONTENDED_ENTERED, 1, 0xC);
    Add(EVENT_MONITOR_ENTERED, 1, 0xC);
    Add(EVENT_MONITOR_EXIT, 1, 0xC);
    Add(EVENT_LOCK_RELEASE, 1, 0xB), Add(EVENT_LOCK_RELEASE, 1, 0xA);
  }
  ASSERT_EQ(orders_.num, 3u);  // A before B, A before C, B before C
  for (size_t i = 0; i < orders_.num; i++) EXPECT_EQ(orders_.rows[i].times, 10u) << i;
}

// The thread gave up, and asked again.
TEST_F(Orders, CountsAnAcquisitionThatFailed) {
  coverage_.has_all_uses = true;
  Add(EVENT_LOCK_ACQUIRE, 1, 0xA), Add(EVENT_LOCK_ACQUIRED, 1, 0xA);
  Add(EVENT_LOCK_ACQUIRE, 1, 0xB), Add(EVENT_LOCK_ACQUIRE_FAILED, 1, 0xB);
  Add(EVENT_LOCK_ACQUIRE, 1, 0xB), Add(EVENT_LOCK_ACQUIRED, 1, 0xB);
  ASSERT_EQ(orders_.num, 1u);
  EXPECT_EQ(orders_.rows[0].times, 2u);
}

TEST_F(Orders, OppositeOrdersOfTwoThreadsAreARing) {
  Nest(1, {0xA, 0xB});
  Nest(2, {0xB, 0xA});
  ASSERT_EQ(CountRings(), 1u);
  ASSERT_EQ(orders_.rings[0].num, 2u);
  EXPECT_FALSE(orders_.rings[0].partial);
  EXPECT_EQ(orders_.links[0].thread, 1u);
  EXPECT_EQ(orders_.links[0].asks.object, 0xBu);
  EXPECT_EQ(orders_.links[1].thread, 2u);
  EXPECT_EQ(orders_.links[1].has.object, 0xBu);
}

TEST_F(Orders, OppositeOrdersOfOneThreadAreNotARing) {
  Nest(1, {0xA, 0xB});
  Nest(1, {0xB, 0xA});
  EXPECT_EQ(CountRings(), 0u);
}

TEST_F(Orders, ACommonGatePreventsARing) {
  Nest(1, {0x6, 0xA, 0xB});
  Nest(2, {0x6, 0xB, 0xA});
  EXPECT_EQ(CountRings(), 0u);
}

TEST_F(Orders, AThreadWithoutTheGateMakesARing) {
  Nest(1, {0x6, 0xA, 0xB});
  Nest(2, {0x6, 0xB, 0xA});
  Nest(3, {0xB, 0xA});
  EXPECT_EQ(CountRings(), 1u);
}

TEST_F(Orders, ReentryIsNotAnOrder) {
  Nest(1, {0xA, 0xB, 0xA});
  Nest(2, {0xA, 0xB});
  EXPECT_EQ(orders_.num, 2u);
  EXPECT_EQ(CountRings(), 0u);
}

TEST_F(Orders, FindsARingOfThree) {
  Nest(1, {0xA, 0xB});
  Nest(2, {0xB, 0xC});
  Nest(3, {0xC, 0xA});
  Nest(4, {0xC, 0xD});
  ASSERT_EQ(CountRings(), 1u);
  EXPECT_EQ(orders_.rings[0].num, 3u);
}

// Rings of other locks with the same places are alike. Rings of the same locks by other threads do
// not count.
TEST_F(Orders, CountsRingsWithTheSamePlacesAsAlike) {
  for (uint32_t i = 0; i < 20; i += 2) {
    Nest(1, {0x100 + i, 0x101 + i});
    for (uint32_t thread : {2, 3, 4}) Nest(thread, {0x101 + i, 0x100 + i});
  }
  ASSERT_EQ(CountRings(), 1u);
  EXPECT_EQ(orders_.rings[0].alike, 9u);
}

TEST_F(Orders, ReadersDoNotBlockReaders) {
  coverage_.has_all_uses = true;
  auto nest = [&](uint32_t thread, enum event_kind a, uint32_t of_a, enum event_kind b,
                  uint32_t of_b) {
    Add(a, thread, of_a), Add(b, thread, of_b);
    Add(b == EVENT_READ_LOCK_ACQUIRED ? EVENT_READ_LOCK_RELEASE : EVENT_WRITE_LOCK_RELEASE, thread,
        of_b);
    Add(a == EVENT_READ_LOCK_ACQUIRED ? EVENT_READ_LOCK_RELEASE : EVENT_WRITE_LOCK_RELEASE, thread,
        of_a);
  };
  nest(1, EVENT_READ_LOCK_ACQUIRED, 0xA, EVENT_WRITE_LOCK_ACQUIRED, 0xB);
  nest(2, EVENT_WRITE_LOCK_ACQUIRED, 0xB, EVENT_READ_LOCK_ACQUIRED, 0xA);
  EXPECT_EQ(CountRings(), 0u);
  nest(3, EVENT_WRITE_LOCK_ACQUIRED, 0xB, EVENT_WRITE_LOCK_ACQUIRED, 0xA);
  EXPECT_EQ(CountRings(), 1u);
}

TEST_F(Orders, ATryAsksForNothingButHolds) {
  coverage_.has_all_uses = true;
  Add(EVENT_LOCK_ACQUIRED, 1, 0xA);
  Add(EVENT_LOCK_TRY, 1, 0xB), Add(EVENT_LOCK_TRIED, 1, 0xB);
  EXPECT_EQ(orders_.num, 0u);
  Add(EVENT_MONITOR_ENTERED, 1, 0xC);  // it holds the lock that it tried
  EXPECT_EQ(orders_.num, 2u);
}

TEST_F(Orders, AMonitorReleasedForAWaitIsNotHeld) {
  Add(EVENT_MONITOR_ENTERED, 1, 0xA);
  Add(EVENT_OBJECT_WAIT, 1, 0xA);
  Add(EVENT_MONITOR_ENTERED, 1, 0xB);
  EXPECT_EQ(orders_.num, 0u);
}

// Events name 2, which waits for B, as the owner of A, and 1, which waits for A, as the owner of B.
TEST_F(Orders, OwnersOfEventsGivePartialOrders) {
  Add(EVENT_LOCK_ACQUIRE, 2, 0xB, 7);
  Add(EVENT_LOCK_ACQUIRE, 3, 0xA, 2);
  Add(EVENT_LOCK_ACQUIRED, 2, 0xB), Add(EVENT_LOCK_ACQUIRED, 3, 0xA);
  Add(EVENT_LOCK_ACQUIRE, 1, 0xA, 7);
  Add(EVENT_LOCK_ACQUIRE, 3, 0xB, 1);
  ASSERT_EQ(CountRings(), 1u);
  EXPECT_TRUE(orders_.rings[0].partial);
}

// With owners=late the owner may have acquired the monitor after the event.
TEST_F(Orders, UsesOwnersOfMonitorsOnlyIfExact) {
  for (bool exact : {false, true}) {
    orders_.exact_monitors = exact;
    Add(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xB, 7);
    Add(EVENT_MONITOR_CONTENDED_ENTER, 3, 0xA, 2);
    EXPECT_EQ(orders_.num, exact ? 1u : 0u);
  }
}

TEST_F(Orders, SemaphoresAndLossyDumpsGiveNoOrders) {
  Add(EVENT_SEMAPHORE_ACQUIRED, 1, 0xA);
  Add(EVENT_MONITOR_ENTERED, 1, 0xB);
  EXPECT_EQ(orders_.num, 0u);
  coverage_.is_lossy = true;
  Add(EVENT_MONITOR_ENTERED, 1, 0xC);
  EXPECT_EQ(orders_.num, 0u);
}

}  // namespace
