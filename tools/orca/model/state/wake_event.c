#include "tools/orca/model/state/wake_event.h"

#define NO_WAKE \
  { WAKE_ACT_NONE, EVENT_OBJECT_WAIT, false }
#define WAKE(act, call) \
  { WAKE_ACT_##act, EVENT_##call, false }
#define WAKE_OF_THREAD(act, call) \
  { WAKE_ACT_##act, EVENT_##call, true }

/* Queues have no rows: their puts and takes that do not block wake threads too, but have no events.
 */
const struct wake_event wake_events[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role, lock, wake, call) wake,
#include "agent/event/event.def"
};
