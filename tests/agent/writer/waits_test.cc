#include "agent/writer/waits.h"

#include <memory>
#include <vector>

#include "agent/event/meaning.h"
#include "gtest/gtest.h"

namespace {

class Waits : public testing::Test {
 protected:
  bool Wants(enum event_kind kind, uint32_t thread, uint32_t object = 0) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.thread = thread;
    r.object = object;
    return waits_wants(waits_.get(), &r);
  }

  std::unique_ptr<struct waits, void (*)(struct waits *)> waits_{waits_new(true), waits_free};
};

TEST_F(Waits, WantsAWakeUpWhileAThreadWaitsOnTheObject) {
  EXPECT_FALSE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xA));
  EXPECT_TRUE(Wants(EVENT_OBJECT_WAIT, 2, 0xA));
  EXPECT_TRUE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xA));
  EXPECT_TRUE(Wants(EVENT_OBJECT_NOTIFY_ALL, 1, 0xA));
  EXPECT_FALSE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xB));
  EXPECT_TRUE(Wants(EVENT_OBJECT_WAITED, 2, 0xA));
  EXPECT_FALSE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xA));
  EXPECT_EQ(waits_left_out(waits_.get()), 3u);
}

TEST_F(Waits, WantsAnUnparkWhileItsThreadWaits) {
  EXPECT_FALSE(Wants(EVENT_THREAD_UNPARK, 1, 7));
  EXPECT_TRUE(Wants(EVENT_LATCH_AWAIT, 7, 0xA));
  EXPECT_TRUE(Wants(EVENT_THREAD_UNPARK, 1, 7));
  EXPECT_TRUE(Wants(EVENT_LATCH_COUNT_DOWN, 1, 0xA));
  EXPECT_TRUE(Wants(EVENT_LATCH_AWAIT_FAILED, 7, 0xA));
  EXPECT_FALSE(Wants(EVENT_THREAD_UNPARK, 1, 7));
  EXPECT_FALSE(Wants(EVENT_LATCH_COUNT_DOWN, 1, 0xA));
}

TEST_F(Waits, CountsAllThreadsThatWait) {
  for (uint32_t thread : {2, 3}) EXPECT_TRUE(Wants(EVENT_CONDITION_AWAIT, thread, 0xA));
  EXPECT_TRUE(Wants(EVENT_CONDITION_AWAITED, 2, 0xA));
  EXPECT_TRUE(Wants(EVENT_CONDITION_SIGNAL, 1, 0xA));
  EXPECT_TRUE(Wants(EVENT_CONDITION_AWAITED, 3, 0xA));
  EXPECT_FALSE(Wants(EVENT_CONDITION_SIGNAL_ALL, 1, 0xA));
}

TEST_F(Waits, KnowsThatAMonitorIsNoWait) {
  EXPECT_TRUE(Wants(EVENT_MONITOR_CONTENDED_ENTER, 2, 0xA));
  EXPECT_FALSE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xA));
  EXPECT_FALSE(Wants(EVENT_THREAD_UNPARK, 1, 2));
  EXPECT_TRUE(Wants(EVENT_MONITOR_CONTENDED_ENTERED, 2, 0xA));
}

// The action of a barrier waits inside of the wait at the barrier.
TEST_F(Waits, KnowsCallsInsideOfCalls) {
  EXPECT_TRUE(Wants(EVENT_BARRIER_AWAIT, 2, 0xA));
  EXPECT_TRUE(Wants(EVENT_OBJECT_WAIT, 2, 0xB));
  EXPECT_TRUE(Wants(EVENT_OBJECT_WAITED, 2, 0xB));
  EXPECT_FALSE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xB));
  EXPECT_TRUE(Wants(EVENT_THREAD_UNPARK, 1, 2));
}

// Events were dropped.
TEST_F(Waits, ForgetsCallsWhoseEndsAreMissing) {
  EXPECT_TRUE(Wants(EVENT_BARRIER_AWAIT, 2, 0xA));
  EXPECT_TRUE(Wants(EVENT_OBJECT_WAIT, 2, 0xB));
  EXPECT_TRUE(Wants(EVENT_BARRIER_AWAITED, 2, 0xA));
  EXPECT_FALSE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xB));
  EXPECT_TRUE(Wants(EVENT_OBJECT_WAIT, 2, 0xB));
  EXPECT_TRUE(Wants(EVENT_THREAD_ENDED, 2));
  EXPECT_FALSE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xB));
  EXPECT_TRUE(Wants(EVENT_OBJECT_WAITED, 3, 0xB)) << "an end without a begin";
}

TEST_F(Waits, WantsAllOtherEvents) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    bool is_wake = event_is_wake(static_cast<enum event_kind>(kind));
    EXPECT_EQ(Wants(static_cast<enum event_kind>(kind), 1, 0xC0FFEE), !is_wake)
        << event_infos[kind].name;
    Wants(EVENT_THREAD_ENDED, 1);
  }
}

TEST_F(Waits, WantsAllIfItDoesNotKnowAll) {
  waits_.reset(waits_new(false));
  EXPECT_TRUE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xA));
}

TEST_F(Waits, WantsAllWhenMoreThreadsWaitThanThereIsRoomFor) {
  for (uint32_t thread = 1; thread <= WAITS_MAX_OPEN; thread++) {
    Wants(EVENT_OBJECT_WAIT, thread, 0xA);
  }
  for (uint32_t thread = 1; thread <= WAITS_MAX_OPEN; thread++) {
    Wants(EVENT_OBJECT_WAITED, thread, 0xA);
  }
  EXPECT_FALSE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xA));
  for (uint32_t thread = 1; thread <= WAITS_MAX_OPEN + 1; thread++) {
    Wants(EVENT_OBJECT_WAIT, thread, 0xA);
  }
  EXPECT_TRUE(Wants(EVENT_OBJECT_NOTIFY, 1, 0xB));
}

}  // namespace
