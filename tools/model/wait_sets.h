#pragma once
/* Who waits on which object or condition at this moment, and which signal woke whom. A JVM keeps
   those who wait in order: notify wakes the one that has waited longest, notifyAll all of them. As
   whoever waits or notifies has the lock, the order of the events is that of the waits. */
#include "agent/base/hashmap.h"
#include "agent/event/line.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One wait of a thread. Slots are used again. */
struct wait_slot {
  uint64_t key; /* of the set; 0: a spare slot */
  uint32_t thread;
  ticks_t since;
  size_t signal;       /* what woke it; 0: it still waits, or nothing did */
  size_t before, next; /* in its set while it waits, plus one */
  size_t outer; /* what its thread waited for when this began; of a spare slot the next one */
};

struct wait_set {
  size_t first, last; /* slots plus one, by age */
};

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

/* wait_sets_begin: the thread begins to wait. False: memory ran out. */
bool wait_sets_begin(struct wait_sets *w, uint64_t key, uint32_t thread, ticks_t now);

/* wait_sets_end: the thread's wait is over, and so are those inside of it; `*out` is what it was,
   with its signal. False: no beginning of it is known. */
bool wait_sets_end(struct wait_sets *w, uint64_t key, uint32_t thread, struct wait_slot *out);

/* wait_sets_signal wakes the oldest or all of a set; `signal` is the caller's, not 0. Gives how
   many it woke. */
uint64_t wait_sets_signal(struct wait_sets *w, uint64_t key, bool all, size_t signal);

/* wait_sets_next walks over all waits that are not over, start with `*cursor` = 0; NULL at the end.
 */
const struct wait_slot *wait_sets_next(const struct wait_sets *w, size_t *cursor);

void wait_sets_free(struct wait_sets *w);

#ifdef __cplusplus
}
#endif
