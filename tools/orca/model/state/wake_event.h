#pragma once
/* What an event says about waiting: a thread begins to wait, is over with it, or ends the waits of
   others. */
#include "agent/base/extern_c.h"
#include "agent/event/event.h"

BEGIN_C

enum wake_act {
  WAKE_ACT_NONE,
  WAKE_ACT_WAITS,   /* a pair begins, */
  WAKE_ACT_WOKEN,   /* and ends, */
  WAKE_ACT_GAVE_UP, /* or ends by itself: time ran out, interrupted */
  WAKE_ACT_ONE,     /* lets one go of those who wait */
  WAKE_ACT_ALL,     /* lets all go; of a latch and a barrier the last one does */
  WAKE_ACT_STARTED, /* a thread runs that a ThreadStart let go, or a task that a TaskQueued did */
};

/* By kind of event. */
struct wake_event {
  enum wake_act act;
  enum event_kind call; /* the BEGIN of the pairs that it is about */
  bool of_thread;       /* it is about its thread, not its object: an unpark names whom it wakes */
};

extern const struct wake_event wake_events[NUM_EVENTS];

/* wake_event_signals tells whether an event is a call that wakes those who wait in others. */
static inline bool wake_event_signals(enum event_kind kind) {
  const struct wake_event *what = &wake_events[kind];
  return (what->act == WAKE_ACT_ONE || what->act == WAKE_ACT_ALL) &&
         what->call != EVENT_THREAD_START && what->call != EVENT_THREAD_JOIN &&
         what->call != EVENT_TASK_QUEUED;
}

/* wake_event_has_signals tells whether such calls are known that wake those who wait in this one.
   Other waits in java.util.concurrent end by an unpark. */
bool wake_event_has_signals(enum event_kind begin);

/* wake_event_has_order tells whether an event is about Object.wait or a condition: who waits for
   those is known, and in which order they wake. */
static inline bool wake_event_has_order(enum event_kind kind) {
  const struct wake_event *what = &wake_events[kind];
  return what->act != WAKE_ACT_NONE &&
         (what->call == EVENT_OBJECT_WAIT || what->call == EVENT_CONDITION_AWAIT);
}

END_C
