#pragma once
/* The wait-for graph: which threads each waiting thread needs, and which waits can never end.

   A wait needs all of some threads (a writer needs every reader), any of some (a semaphore needs
   one of its holders), or anyone: any thread of the program may signal a condition or complete a
   future. A wait can end if what it needs can run on. A thread can run on if it does not wait, or
   if its wait can end. So the waits that cannot end are those that no thread that runs can reach.

   The graph knows threads by their hashes, and nothing of events: wait_edges.h makes it from them.
 */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/model/state/holders.h"

BEGIN_C

enum wait_need { WAIT_NEEDS_ALL, WAIT_NEEDS_ANY, WAIT_NEEDS_ANYONE };

/* A thread that waits. A thread has at most one of these. */
struct waiter {
  struct pair pair;
  enum wait_need need;
  size_t first_owner, num_owners; /* in `owners`: the threads of WAIT_NEEDS_ALL and _ANY */
  bool is_timed;                  /* the wait has a time limit */
  bool is_join;                   /* for the end of its owner */
  bool is_asleep;                 /* the thread sleeps: it will go on by itself */
  bool is_of_jvm; /* the thread does no work of the program, whether it waits or not */
  bool can_end;   /* set by wait_for_solve */
};

/* A struct of zeros is empty; wait_for_free frees its memory. */
struct wait_for {
  struct waiter *waiters;
  size_t num, capacity;
  struct wait_link *owners; /* for each owner of a waiter: the wait for this owner */
  size_t num_owners, owners_capacity;
  struct hashmap ids;   /* thread -> its waiter plus one */
  struct hashmap ended; /* threads that have ended, which never run on -> when */
};

/* wait_for_add adds a wait, or replaces the wait of its thread if it began later. It returns NULL
   when memory ran out. The pointer is valid until the next call. */
struct waiter *wait_for_add(struct wait_for *w, const struct pair *pair);

/* wait_for_add_owner adds a thread that the newest waiter needs. wait_for_add_ended notes that a
   thread has ended at `time`. They return false when memory ran out. */
bool wait_for_add_owner(struct wait_for *w, struct waiter *waiter, const struct wait_link *owner);
bool wait_for_add_ended(struct wait_for *w, uint32_t thread, ticks_t time);

/* wait_for_find returns the wait of a thread; NULL: it does not wait. */
struct waiter *wait_for_find(const struct wait_for *w, uint32_t thread);

/* wait_for_changed returns when what the waiter needs last changed: its begin, or the end of an
   owner, if that was later. */
ticks_t wait_for_changed(const struct wait_for *w, const struct waiter *waiter);

/* wait_for_solve sets `can_end` of all waits. `others_run`: a thread that is no waiter can run on.
   With `limits_end`, waits with a time limit end by themselves. It returns whether any thread can
   run on, now or after its sleep. */
bool wait_for_solve(struct wait_for *w, bool others_run, bool limits_end);

/* wait_for_blocker returns the first wait that a stuck waiter needs and that is stuck, too, and in
   `*out_owner` the index of the owner; if possible another one than its own. NULL: there is none,
   or the waiter can end. */
const struct waiter *wait_for_blocker(const struct wait_for *w, const struct waiter *waiter,
                                      size_t *out_owner);

void wait_for_free(struct wait_for *w);

END_C
