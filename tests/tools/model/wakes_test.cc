#include "tools/model/wakes.h"

#include "gtest/gtest.h"

namespace {

constexpr uint32_t kLock = 0xA1;

class Wakes : public testing::Test {
 protected:
  ~Wakes() override { wakes_free(&wakes_); }

  void Event(ticks_t time, enum event_kind kind, uint32_t thread, uint32_t object = kLock) {
    struct event_line line = {};
    line.time = time;
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    EXPECT_TRUE(wakes_event(&wakes_, &line));
  }
  // The thread that woke another one out of a call since `begin`; 0: it is not sure.
  uint32_t Woken(ticks_t begin, uint32_t thread, enum event_kind kind = EVENT_OBJECT_WAIT,
                 uint32_t object = kLock, bool failed = false) {
    struct pair pair = {};
    pair.kind = kind;
    pair.thread = thread;
    pair.object = object;
    pair.begin = begin;
    pair.failed = failed;
    struct wake_signal signal = {};
    return wakes_pair(&wakes_, &pair, &signal) ? signal.thread : 0;
  }

  struct wakes wakes_ = {};
};

TEST_F(Wakes, ANotifyWakesOne) {
  EXPECT_EQ(Woken(1, 7), 0u);
  Event(10, EVENT_OBJECT_NOTIFY, 1);
  EXPECT_EQ(Woken(5, 7, EVENT_OBJECT_WAIT, 0xB2), 0u);  // another object
  EXPECT_EQ(Woken(11, 7), 0u);                          // it came before the wait
  EXPECT_EQ(Woken(5, 7), 1u);
  EXPECT_EQ(Woken(5, 8), 0u);  // by a time limit, then
}

TEST_F(Wakes, TwoNotifiesOfOneThreadWakeTwo) {
  Event(10, EVENT_OBJECT_NOTIFY, 1);
  Event(11, EVENT_OBJECT_NOTIFY, 1);
  EXPECT_EQ(Woken(5, 7), 1u);
  EXPECT_EQ(Woken(5, 8), 1u);
  EXPECT_EQ(Woken(5, 9), 0u);
}

TEST_F(Wakes, WhichOfTwoThreadsItWasIsNotSaid) {
  Event(10, EVENT_OBJECT_NOTIFY, 1);
  Event(11, EVENT_OBJECT_NOTIFY, 2);
  EXPECT_EQ(Woken(5, 7), 0u);
}

TEST_F(Wakes, ANotifyAllWakesAll) {
  Event(9, EVENT_OBJECT_NOTIFY, 2);
  Event(10, EVENT_OBJECT_NOTIFY_ALL, 1);
  for (uint32_t thread : {7, 8, 9}) EXPECT_EQ(Woken(5, thread), 1u);
}

TEST_F(Wakes, WhatFailedWasNotWoken) {
  Event(10, EVENT_CONDITION_SIGNAL, 1);
  EXPECT_EQ(Woken(5, 7, EVENT_CONDITION_AWAIT, kLock, true), 0u);
  EXPECT_EQ(Woken(5, 7, EVENT_CONDITION_AWAIT), 1u);
}

TEST_F(Wakes, AnUnparkNamesTheThread) {
  Event(10, EVENT_THREAD_UNPARK, 1, 7);
  EXPECT_EQ(Woken(5, 8, EVENT_THREAD_PARK), 0u);
  EXPECT_EQ(Woken(5, 7, EVENT_THREAD_PARK), 1u);
}

TEST_F(Wakes, TheEndOfAThreadEndsItsJoins) {
  Event(10, EVENT_THREAD_ENDED, 7, 0);
  EXPECT_EQ(Woken(5, 1, EVENT_THREAD_JOIN, 7), 7u);
  EXPECT_EQ(Woken(5, 2, EVENT_THREAD_JOIN, 7), 7u);
}

TEST_F(Wakes, WhoStartedAThread) {
  struct event_line started = {};
  started.kind = EVENT_THREAD_STARTED;
  started.thread = 7;
  struct wake_signal signal = {};
  EXPECT_FALSE(wakes_start(&wakes_, &started, &signal));
  Event(10, EVENT_THREAD_START, 1, 7);
  ASSERT_TRUE(wakes_start(&wakes_, &started, &signal));
  EXPECT_EQ(signal.thread, 1u);
  EXPECT_EQ(signal.time, 10u);
  EXPECT_FALSE(wakes_start(&wakes_, &started, &signal));  // another one with this hash
}

}  // namespace
