#include "tools/orca/model/state/wake_event.h"

#include <set>

#include "gtest/gtest.h"

namespace {

// Each wait can end, and its end is about the same call.
TEST(WakeEvent, TheEndOfAWaitIsAboutTheSameCall) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    auto begin = static_cast<enum event_kind>(kind);
    if (wake_events[kind].act != WAKE_ACT_WAITS) continue;
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

}  // namespace
