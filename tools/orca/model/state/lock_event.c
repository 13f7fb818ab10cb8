#include "tools/orca/model/state/lock_event.h"

#define NO_LOCK \
  { LOCK_ACT_NONE, LOCK_MONITOR }
#define LOCK(act, sort) \
  { LOCK_ACT_##act, LOCK_##sort }

const struct lock_event lock_events[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role, lock, ...) lock,
#include "agent/event/event.def"
};

const char *const lock_sort_keys[NUM_LOCK_SORTS] = {[LOCK_MONITOR] = "monitor",
                                                    [LOCK_LOCK] = "lock",
                                                    [LOCK_READ] = "read",
                                                    [LOCK_WRITE] = "write",
                                                    [LOCK_SEMAPHORE] = "semaphore"};
