#include "agent/event/meaning.h"

#define NO_LOCK \
  { LOCK_ACT_NONE, LOCK_MONITOR }
#define LOCK(act, sort) \
  { LOCK_ACT_##act, LOCK_##sort }

const struct lock_event lock_events[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role, lock, ...) lock,
#include "agent/event/event.def"
};

const struct lock_sort_words lock_sorts[NUM_LOCK_SORTS] = {
#define LOCK_SORT(id, ...) {__VA_ARGS__},
#include "agent/event/lock_sort.def"
};

#define NO_WAKE \
  { WAKE_ACT_NONE, EVENT_OBJECT_WAIT, false }
#define WAKE(act, call) \
  { WAKE_ACT_##act, EVENT_##call, false }
#define WAKE_OF_THREAD(act, call) \
  { WAKE_ACT_##act, EVENT_##call, true }

/* Queues have no signals: their puts and takes that do not block wake threads too, but have no
   events. */
const struct wake_event wake_events[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role, lock, wake, ...) wake,
#include "agent/event/event.def"
};

bool wake_event_has_signals(enum event_kind begin) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    bool signals = wake_event_signals((enum event_kind)kind);
    if (signals && wake_events[kind].call == begin) return true;
  }
  return false;
}

struct lock_askers lock_askers;

__attribute__((constructor)) static void fill_lock_askers(void) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    if (lock_event_asks((enum event_kind)kind))
      lock_askers.kinds[lock_askers.num++] = (enum event_kind)kind;
  }
}
