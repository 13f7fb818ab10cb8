#include "tools/orca/model/state/wake_event.h"

#define NO_WAKE \
  { WAKE_ACT_NONE, EVENT_OBJECT_WAIT, false }
#define WAKE(act, call) \
  { WAKE_ACT_##act, EVENT_##call, false }
#define WAKE_OF_THREAD(act, call) \
  { WAKE_ACT_##act, EVENT_##call, true }

/* Queues have no signals: their puts and takes that do not block wake threads too, but have no
   events. */
const struct wake_event wake_events[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role, lock, wake, call) wake,
#include "agent/event/event.def"
};

bool wake_event_has_signals(enum event_kind begin) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    bool signals = wake_event_signals((enum event_kind)kind);
    if (signals && wake_events[kind].call == begin) return true;
  }
  return false;
}
