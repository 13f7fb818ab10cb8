#pragma once
/* Who waits in which call at this moment, and on what. Of Object.wait and conditions in order too:
   a JVM wakes the one that has waited longest, or all. As whoever waits or notifies has the lock,
   the order of the events is that of the waits. */
#include "agent/base/hashmap.h"
#include "agent/event/line.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A notify, a release, an unpark, … */
struct wake_signal {
  ticks_t time;
  uint32_t thread;
  size_t mark; /* the caller's */
};

/* One wait of a thread. Slots are used again. */
struct wait_slot {
  uint64_t key; /* of what is waited for */
  uint32_t thread;
  unsigned depth; /* how many waits its thread is in, with this one; 0: a spare slot */
  ticks_t since;
  size_t set;  /* in which it waits its turn, plus one; 0: in none, or a signal took it out */
  bool called; /* that was `by` */
  struct wake_signal by;
  size_t before, next; /* in its set, plus one */
  size_t outer; /* what its thread waited for when this began; of a spare slot the next one */
};

struct wait_set {
  size_t first, last; /* slots plus one, by age */
};

/* Ends of waits are lost where a thread is in more than these, one inside of the other. */
#define WAIT_SETS_NESTED 16

/* All zero is empty; wait_sets_free gives the memory back. */
struct wait_sets {
  struct hashmap ids;     /* key of a set -> index plus one */
  struct hashmap threads; /* thread -> its innermost slot plus one */
  struct wait_set *sets;
  size_t num_sets, sets_capacity;
  struct wait_slot *slots;
  size_t num_slots, slots_capacity;
  size_t spare;
};

/* wait_sets_key: waits that begin with this kind of event, on this object. */
static inline uint64_t wait_sets_key(enum event_kind begin, uint32_t object) {
  return (uint64_t)begin << 32 | object;
}

/* wait_sets_begin: the thread begins to wait; `in_turn`: in the set of the key. False: memory ran
   out. */
bool wait_sets_begin(struct wait_sets *w, uint64_t key, uint32_t thread, ticks_t now, bool in_turn);

/* wait_sets_end: the thread's wait is over, and so are those inside of it. Gives what it was, with
   its signal, until the next one begins. NULL: no beginning of it is known. */
const struct wait_slot *wait_sets_end(struct wait_sets *w, uint64_t key, uint32_t thread);

/* wait_sets_signal calls the oldest or all of a set. Gives how many. */
uint64_t wait_sets_signal(struct wait_sets *w, uint64_t key, bool all,
                          const struct wake_signal *by);

/* wait_sets_next walks over all waits that are not over, start with `*cursor` = 0; NULL at the end.
 */
const struct wait_slot *wait_sets_next(const struct wait_sets *w, size_t *cursor);

void wait_sets_free(struct wait_sets *w);

#ifdef __cplusplus
}
#endif
