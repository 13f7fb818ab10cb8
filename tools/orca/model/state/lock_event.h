#pragma once
/* What an event says about a lock. */
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/event/event.h"

BEGIN_C

enum lock_sort {
#define LOCK_SORT(id, ...) LOCK_##id,
#include "tools/orca/model/state/lock_sort.def"
#undef LOCK_SORT
  NUM_LOCK_SORTS
};

/* The words of lock_sort.def. */
struct lock_sort_words {
  const char *key, *noun, *title, *of, *asks, *many, *start;
};

extern const struct lock_sort_words lock_sorts[NUM_LOCK_SORTS];

enum lock_act {
  LOCK_ACT_NONE,
  LOCK_ACT_WAITS, /* asks for it: a pair begins */
  LOCK_ACT_TRIES, /* the same, but gives up by itself */
  LOCK_ACT_GOT,
  LOCK_ACT_LEFT,
  LOCK_ACT_GIVES_AWAY, /* to wait for a condition, while others may have it */
  LOCK_ACT_GOT_BACK,
};

/* By kind of event. The object of the event is the lock, but that of a condition is not. */
struct lock_event {
  enum lock_act act;
  enum lock_sort sort;
};

extern const struct lock_event lock_events[NUM_EVENTS];

/* lock_event_asks tells whether pairs that begin with this kind are attempts to get a lock. */
static inline bool lock_event_asks(enum event_kind begin) {
  enum lock_act act = lock_events[begin].act;
  return act == LOCK_ACT_WAITS || act == LOCK_ACT_TRIES;
}

/* Both sides of a lock for reading and writing keep each other out. */
static inline bool lock_sort_is_side(enum lock_sort sort) {
  return sort == LOCK_READ || sort == LOCK_WRITE;
}

/* lock_sort_is_exclusive returns whether only one thread at a time holds a lock of this sort. */
static inline bool lock_sort_is_exclusive(enum lock_sort sort) {
  return sort == LOCK_MONITOR || sort == LOCK_LOCK || sort == LOCK_WRITE;
}

/* lock_key returns the key of a lock in maps. Both sides of a read-write lock have the same key. */
static inline uint64_t lock_key(enum lock_sort sort, uint32_t object) {
  return (uint64_t)(sort == LOCK_READ ? LOCK_WRITE : sort) << 32 | object;
}

END_C
