#pragma once
/* The waits that have not ended. Waits in Object.wait and on conditions can also be kept in order:
   the JVM wakes the thread that has waited longest, or all. A thread holds the lock when it begins
   to wait and when it notifies, so the order of the events is the order of the waits. Waits for a
   barrier are kept in order too: the thread that came last lets the others go. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/event/line.h"

BEGIN_C

/* An event that can end waits: a notify, a release, an unpark, … */
struct wake_signal {
  ticks_t time;    /* 0: none */
  uint32_t thread; /* that sent it */
  enum event_kind kind;
  size_t mark; /* defined by the caller */
};

/* One wait of a thread. Slots are reused. */
struct wait_slot {
  uint64_t key; /* wait_sets_key */
  uint32_t thread;
  unsigned depth; /* number of open waits of the thread, including this one; 0: a free slot */
  ticks_t since;
  size_t mark;      /* of the event that began the wait, defined by the caller */
  size_t set;       /* that contains the wait, plus one; 0: none (any more) */
  bool is_signaled; /* `signal` removed the wait from its set */
  struct wake_signal signal;
  struct wake_signal unpark; /* the last unpark of the thread in this wait; time 0: none */
  ticks_t sent;              /* when the thread last unparked one in a wait of this key; 0: never */
  size_t before, next;       /* neighbors in the set: slot plus one */
  size_t outer; /* slot of the thread's wait around this one, or of the next free slot; plus one */
};

struct wait_set {
  size_t first, last; /* slot of the oldest and of the newest wait, plus one; 0: empty */
};

/* Maximal number of nested waits of a thread. More cannot be real: the ends of some are missing. */
#define WAIT_SETS_NESTED 16

/* All zero is empty; wait_sets_free frees the memory. */
struct wait_sets {
  struct hashmap ids;     /* key -> set, plus one */
  struct hashmap threads; /* thread -> slot of its innermost wait, plus one */
  struct wait_set *sets;
  size_t num_sets, sets_capacity;
  struct wait_slot *slots;
  size_t num_slots, slots_capacity;
  size_t spare; /* the first free slot, plus one */
};

/* wait_sets_key returns the key of waits on an object that begin with this kind of event. */
static inline uint64_t wait_sets_key(enum event_kind begin, uint32_t object) {
  return (uint64_t)begin << 32 | object;
}

/* wait_sets_begin adds a wait that begins at `now`; `in_turn`: also as the newest of the set of
   `key`. If the thread is in WAIT_SETS_NESTED waits already, these are removed first. Returns false
   when memory ran out. */
bool wait_sets_begin(struct wait_sets *w, uint64_t key, uint32_t thread, ticks_t now, bool in_turn);

/* wait_sets_end removes the innermost wait of a thread with this key, and the waits inside of it.
   Returns the wait, valid until the next wait_sets_begin; NULL if there is no such wait. */
struct wait_slot *wait_sets_end(struct wait_sets *w, uint64_t key, uint32_t thread);

/* wait_sets_innermost returns the innermost open wait of a thread, valid until the next
   wait_sets_begin; NULL if there is none. */
struct wait_slot *wait_sets_innermost(struct wait_sets *w, uint32_t thread);

/* wait_sets_newest returns the newest wait in the set of `key` that began at `until` or before,
   valid as above; NULL if there is none. */
const struct wait_slot *wait_sets_newest(const struct wait_sets *w, uint64_t key, ticks_t until);

/* wait_sets_signal_until is wait_sets_signal for all waits that began at `until` or before. */
void wait_sets_signal_until(struct wait_sets *w, uint64_t key, ticks_t until,
                            const struct wake_signal *signal);

/* wait_sets_signal takes the oldest wait, or all, out of the set of `key`, and stores `signal` in
   them. The waits remain open until wait_sets_end. Returns their number. */
uint64_t wait_sets_signal(struct wait_sets *w, uint64_t key, bool all,
                          const struct wake_signal *signal);

/* wait_sets_next returns the next open wait, in no order; NULL after the last. Start with
   `*cursor` = 0. */
const struct wait_slot *wait_sets_next(const struct wait_sets *w, size_t *cursor);

void wait_sets_free(struct wait_sets *w);

END_C
