#include "tools/orca/model/state/lock_event.h"

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
#include "tools/orca/model/state/lock_sort.def"
};
