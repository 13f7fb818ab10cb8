#pragma once
/* What went on while threads waited for locks: where those who had the locks were meanwhile, and
   who stood in the way of whom. Where a holder was is told by the call that it was in, else
   by the samples; where there are none, by its last event. A further pass over the dump: only waits
   whose holder is known are looked at.

   First contention_start, then all steps of a replay, then contention_end, then ask. Memory goes by
   threads, locks and stacks. */
#include "tools/orca/model/replay/replay.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thread that had to wait for locks of another one. */
struct contention_pair {
  uint32_t id; /* the group of this row in `pair_locks` */
  uint32_t blocked, holder;
  uint64_t times;
  ticks_t total, longest;
};

/* A place or a stack that is only that of a last event: added to the key. */
#define CONTENTION_GUESSED (UINT64_C(1) << 63)

struct contention_thread; /* both while lines are taken */
struct contention_ask;

/* All zero is empty; contention_free gives the memory back. */
struct contention {
  struct model *model;       /* the caller's */
  const struct locks *locks; /* the caller's: those of the model, or the same by class */
  bool by_class;
  struct hashmap lock_ids; /* sort and object, or class -> id of the lock plus one */
  struct tally holder_stacks, holder_places; /* by lock: where holders were while others waited */
  struct hashmap pair_ids;                   /* blocked and holder -> row plus one */
  struct contention_pair *pairs;             /* longest total first */
  size_t num_pairs, pairs_capacity;
  struct tally pair_locks; /* by pair: ids of locks */
  struct hashmap ids;      /* thread -> row plus one */
  struct contention_thread *threads;
  size_t num_threads, threads_capacity;
  struct contention_ask *asks;
  size_t num_asks, asks_capacity, spare;
  struct hashmap releases; /* semaphore -> when it was last released */
};

/* contention_start begins with a model that was read. `locks` are its own, or those that
   locks_by_class made of them. False: memory ran out. */
bool contention_start(struct contention *c, struct model *m, const struct locks *locks);

/* contention_take takes a step of a replay. False: memory ran out. */
bool contention_take(struct contention *c, const struct step *step);

/* contention_end ends the taking, at the end of the recording. False: memory ran out. */
bool contention_end(struct contention *c);

/* contention_read does all of this. False: memory ran out; contention_free in any case. */
bool contention_read(struct contention *c, struct model *m, const struct locks *locks);

void contention_free(struct contention *c);

#ifdef __cplusplus
}
#endif
