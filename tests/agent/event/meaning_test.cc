#include "agent/event/meaning.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace {

TEST(WakeEvent, WakeUpsAreSingleEvents) {
  std::set<std::string> wakes;
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    if (!event_is_wake(static_cast<enum event_kind>(kind))) continue;
    EXPECT_EQ(event_infos[kind].role, ROLE_POINT) << event_infos[kind].name;
    wakes.insert(event_infos[kind].name);
  }
  EXPECT_EQ(wakes, (std::set<std::string>{"ConditionSignal", "ConditionSignalAll", "LatchCountDown",
                                          "ObjectNotify", "ObjectNotifyAll", "PhaserArrive",
                                          "SemaphoreRelease", "ThreadUnpark"}));
}

// An attempt is the BEGIN of a pair whose END acquires the lock. Only a contended monitor is
// acquired by another event, MonitorEntered.
TEST(LockEvent, TheEndOfAnAttemptAcquiresTheLock) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    auto begin = static_cast<enum event_kind>(kind);
    if (!lock_event_asks(begin)) continue;
    EXPECT_EQ(event_infos[kind].role, ROLE_BEGIN) << event_infos[kind].name;
    if (begin == EVENT_MONITOR_CONTENDED_ENTER) continue;
    struct lock_event got = lock_events[event_end(begin, false)];
    EXPECT_EQ(got.act, LOCK_ACT_GOT) << event_infos[kind].name;
    EXPECT_EQ(got.sort, lock_events[kind].sort);
    EXPECT_EQ(lock_events[event_end(begin, true)].act == LOCK_ACT_GOT,
              event_end(begin, true) == event_end(begin, false));
  }
}

// Every event of these groups is about a lock, except failed attempts and what others say of a
// thread.
TEST(LockEvent, EveryEventOfTheLockGroupsIsAboutALock) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    const struct event_info &info = event_infos[kind];
    bool fails = info.role == ROLE_FAIL;
    if (event_has(static_cast<enum event_kind>(kind), TRAIT_NEWS)) continue;
    if (info.group != GROUP_LOCK && info.group != GROUP_SEMAPHORE) continue;
    EXPECT_EQ(lock_events[kind].act == LOCK_ACT_NONE, fails) << info.name;
    bool tries = std::string(info.name).find("Try") != std::string::npos;
    EXPECT_EQ(lock_events[kind].act == LOCK_ACT_TRIES, tries && info.role == ROLE_BEGIN);
  }
}

TEST(LockEvent, ReadAndWriteLocksAreSides) {
  EXPECT_TRUE(lock_sort_is_side(lock_events[EVENT_READ_LOCK_ACQUIRE].sort));
  EXPECT_TRUE(lock_sort_is_side(lock_events[EVENT_WRITE_LOCK_TRIED].sort));
  EXPECT_FALSE(lock_sort_is_side(lock_events[EVENT_MONITOR_EXIT].sort));
}

// Each wait can end, and its end is about the same call.
TEST(WakeEvent, TheEndOfAWaitIsAboutTheSameCall) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    auto begin = static_cast<enum event_kind>(kind);
    if (!wake_event_waits(begin)) continue;
    EXPECT_EQ(event_infos[kind].role, ROLE_BEGIN) << event_infos[kind].name;
    for (bool failed : {false, true}) {
      enum event_kind end = event_end(begin, failed);
      bool fails = event_infos[end].role == ROLE_FAIL;
      EXPECT_EQ(wake_events[end].act, fails ? WAKE_ACT_GAVE_UP : WAKE_ACT_WOKEN);
      EXPECT_EQ(wake_events[end].call, begin);
      EXPECT_EQ(wake_events[end].of_thread, wake_events[kind].of_thread);
    }
    EXPECT_EQ(wake_events[kind].call, begin);
  }
}

// Each signal wakes waits of some call, and each call with waits has a signal.
TEST(WakeEvent, SignalsAndWaitsAreAboutTheSameCalls) {
  std::set<enum event_kind> called, waited;
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    auto event = static_cast<enum event_kind>(kind);
    if (wake_event_has_signals(event)) waited.insert(event);
    if (!wake_event_signals(event)) continue;
    EXPECT_EQ(event_infos[kind].role, ROLE_POINT) << event_infos[kind].name;
    called.insert(wake_events[kind].call);
  }
  EXPECT_EQ(called, waited);
  EXPECT_EQ(called.size(), 8u);
}

TEST(WakeEvent, TheStartAndEndOfThreadsAreNoSignals) {
  for (enum event_kind kind : {EVENT_THREAD_START, EVENT_THREAD_STARTED, EVENT_THREAD_ENDED}) {
    EXPECT_FALSE(wake_event_signals(kind));
    EXPECT_NE(wake_events[kind].act, WAKE_ACT_NONE);
  }
  EXPECT_FALSE(wake_event_has_signals(EVENT_THREAD_JOIN));
  EXPECT_FALSE(wake_event_has_signals(EVENT_THREAD_SLEEP));
}

TEST(WakeEvent, OnlyObjectWaitAndConditionsHaveAnOrder) {
  std::set<int> ordered;
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    if (wake_event_has_order(static_cast<enum event_kind>(kind))) ordered.insert(kind);
  }
  EXPECT_EQ(ordered, (std::set<int>{EVENT_OBJECT_WAIT, EVENT_OBJECT_WAITED, EVENT_OBJECT_NOTIFY,
                                    EVENT_OBJECT_NOTIFY_ALL, EVENT_CONDITION_AWAIT,
                                    EVENT_CONDITION_AWAITED, EVENT_CONDITION_AWAIT_FAILED,
                                    EVENT_CONDITION_SIGNAL, EVENT_CONDITION_SIGNAL_ALL}));
}

// Programs tell the sorts by their keys.
TEST(LockEvent, EachSortHasAKeyOfItsOwn) {
  std::set<std::string> keys;
  for (const struct lock_sort_words &sort : lock_sorts) keys.insert(sort.key);
  EXPECT_EQ(keys.size(), static_cast<size_t>(NUM_LOCK_SORTS));
  EXPECT_STREQ(lock_sorts[LOCK_READ_SIDE].title, "read side");
}

}  // namespace
