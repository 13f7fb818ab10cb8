#pragma once
/* What an event says about locks and about waiting: columns of event.def. */
#include "agent/event/event.h"

BEGIN_C

/* --- what an event says about a lock ------------------------------------------------------ */

enum lock_sort {
#define LOCK_SORT(id, ...) LOCK_##id,
#include "agent/event/lock_sort.def"
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

/* The kinds for which lock_event_asks is true, in order. */
struct lock_askers {
  enum event_kind kinds[NUM_EVENTS];
  size_t num;
};

extern struct lock_askers lock_askers;

/* lock_event_asks tells whether pairs that begin with this kind are attempts to get a lock. */
static inline bool lock_event_asks(enum event_kind begin) {
  enum lock_act act = lock_events[begin].act;
  return act == LOCK_ACT_WAITS || act == LOCK_ACT_TRIES;
}

/* Both sides of a lock for reading and writing keep each other out. */
static inline bool lock_sort_is_side(enum lock_sort sort) {
  return sort == LOCK_READ_SIDE || sort == LOCK_WRITE_SIDE;
}

/* lock_sort_is_exclusive returns whether only one thread at a time holds a lock of this sort. */
static inline bool lock_sort_is_exclusive(enum lock_sort sort) {
  return sort == LOCK_MONITOR || sort == LOCK_LOCK || sort == LOCK_WRITE_SIDE;
}

/* lock_key returns the key of a lock in maps. Both sides of a read-write lock have the same key. */
static inline uint64_t lock_key(enum lock_sort sort, uint32_t object) {
  return (uint64_t)(sort == LOCK_READ_SIDE ? LOCK_WRITE_SIDE : sort) << 32 | object;
}

/* --- what an event says about waiting ----------------------------------------------------- */

enum wake_act {
  WAKE_ACT_NONE,
  WAKE_ACT_WAITS,   /* a pair begins, */
  WAKE_ACT_MEETS,   /* the same, but the last thread that comes lets all go, */
  WAKE_ACT_WOKEN,   /* and ends, */
  WAKE_ACT_GAVE_UP, /* or ends by itself: time ran out, interrupted */
  WAKE_ACT_ONE,     /* a call lets one go of those who wait */
  WAKE_ACT_ALL,     /* lets all go; of a latch and a phaser the last one does */
  WAKE_ACT_PERMIT,  /* lets its object go, a thread, from this wait or the next one */
  WAKE_ACT_STARTS,  /* lets its object begin, a thread or a task, */
  WAKE_ACT_STARTED, /* which begins */
  WAKE_ACT_ENDED,   /* its thread ends, and lets all go who wait for that */
};

/* By kind of event. */
struct wake_event {
  enum wake_act act;
  enum event_kind call; /* the BEGIN of the pairs that it is about */
  bool of_thread;       /* it is about its thread, not its object: an unpark names whom it wakes */
};

extern const struct wake_event wake_events[NUM_EVENTS];

/* wake_event_waits tells whether a wait begins. */
static inline bool wake_event_waits(enum event_kind kind) {
  return wake_events[kind].act == WAKE_ACT_WAITS || wake_events[kind].act == WAKE_ACT_MEETS;
}

/* wake_event_signals tells whether an event is a call that wakes those who wait in others. */
static inline bool wake_event_signals(enum event_kind kind) {
  enum wake_act act = wake_events[kind].act;
  return act == WAKE_ACT_ONE || act == WAKE_ACT_ALL || act == WAKE_ACT_PERMIT;
}

/* wake_event_has_signals tells whether such calls are known that wake those who wait in this one.
   Other waits in java.util.concurrent end by an unpark. */
bool wake_event_has_signals(enum event_kind begin);

/* wake_event_has_order tells whether an event is about a wait that gives a lock away, Object.wait
   or that of a condition: who waits is known, and in which order they wake. */
static inline bool wake_event_has_order(enum event_kind kind) {
  const struct wake_event *what = &wake_events[kind];
  return what->act != WAKE_ACT_NONE && lock_events[what->call].act == LOCK_ACT_GIVES_AWAY;
}

/* event_is_wake returns whether a call with an event of this kind does nothing but wake threads. A
   semaphore's release is one, too: with a threshold, most acquisitions are not in the files either.
   */
static inline bool event_is_wake(enum event_kind kind) {
  const struct lock_event *lock = &lock_events[kind];
  return wake_event_signals(kind) && (lock->act == LOCK_ACT_NONE || lock->sort == LOCK_SEMAPHORE);
}

END_C
