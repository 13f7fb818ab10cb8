#pragma once
/* The state that a new set of files repeats: the living threads, the last tick and the last sample
   of each thread. A set starts with it, because the files contain no line for what does not change.
   The memory needed is proportional to the number of living threads. Writer thread only. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/record/record.h"

BEGIN_C

/* A living or sampled thread. Several threads may have the same hash. */
struct carryover_thread {
  uint32_t hash;
  uint32_t next;       /* slot of the next thread with this hash, or of the next free one; plus 1 */
  bool is_living;      /* it has started and not ended */
  bool has_sample;     /* `state` and `stack` are those of its last sample */
  uint8_t state;       /* enum thread_state */
  char *name;          /* escaped as in the files; NULL: empty */
  uint64_t name_len;   /* bytes */
  struct stack *stack; /* a shared stack or a copy owned by this thread; NULL: none */
};

/* All zero is empty; carryover_free frees it. */
struct carryover {
  struct hashmap by_hash; /* hash -> slot of its first thread, plus 1; 0: no thread any more */
  struct carryover_thread *threads;
  size_t num_slots, capacity;
  size_t first_free; /* a slot without a thread, plus 1; 0: none */
  size_t num_living, num_sampled;
  size_t num_threads;      /* that live or have a sample */
  struct record last_tick; /* its kind is RECORD_TICK once there was one */
  bool failed;             /* memory ran out: a later set would be incomplete */
};

/* carryover_follow updates the state from a record. It copies what it keeps. */
void carryover_follow(struct carryover *c, const struct record *r);

/* carryover_say passes records that repeat the state to `receive`, all with the time `time_ns`:
   first a ThreadStarted for each living thread, then the last tick, then the last sample of each
   thread. The receiver owns what each record owns (see record_release). */
void carryover_say(struct carryover *c, uint64_t time_ns,
                   void (*receive)(void *arg, const struct record *r), void *arg);

/* carryover_find_name returns the name of a living thread with this hash, valid until the next
   record; empty if it has none or is not known. */
struct span carryover_find_name(const struct carryover *c, uint32_t hash);

/* carryover_count returns the number of threads that live or have a sample. */
static inline size_t carryover_count(const struct carryover *c) { return c->num_threads; }

/* carryover_visit_stacks calls `visit` for each stack that carryover_say would pass on. */
void carryover_visit_stacks(const struct carryover *c,
                            void (*visit)(void *arg, const struct stack *stack), void *arg);

/* carryover_free frees the memory and leaves an empty state. */
void carryover_free(struct carryover *c);

END_C
