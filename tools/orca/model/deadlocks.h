#pragma once
/* Deadlocks: rings of threads that are blocked for good. Each thread waits for a lock that the next
   thread owns, for the next thread to end (Thread.join), until it has initialized a class, or for a
   task that it runs. A ring may mix all of these. Where a thread waits for a task in the queue of a
   pool, all workers of this pool are in the ring, and what each of them waits for. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/wait_edges.h"

BEGIN_C

/* One thread of a ring. The owner of its lock is the thread of the next link in the ring; the owner
   of the last link's lock is the thread of the first link. Further workers of pools follow. */
struct deadlock_link {
  size_t ring;           /* number of the ring, from 0 */
  struct wait_link wait; /* the acquisition or join that never ended */
  bool is_timed;         /* it has a time limit */
};

/* A struct of zeros is empty; deadlocks_free frees its memory. */
struct deadlocks {
  struct deadlock_link *links; /* ring after ring */
  size_t num, capacity;
  size_t num_rings;
};

/* deadlocks_find searches the pairs that never ended. It ignores attempts and joins with a time
   limit, because they end by themselves. The owner of a lock comes from the holders; if they have
   no owner, from the pair (`last_owner`). A lock without a known owner is in no ring.
   deadlocks_find returns false when memory ran out. */
bool deadlocks_find(struct deadlocks *out, const struct wait_sources *s);

/* deadlocks_find_timed searches the rings that the time limit of one of their waits will end: they
   are no deadlocks. */
bool deadlocks_find_timed(struct deadlocks *out, const struct wait_sources *s);

/* deadlocks_has_thread returns whether the thread is in a ring. */
bool deadlocks_has_thread(const struct deadlocks *d, uint32_t thread);

/* deadlocks_are_classes returns whether all threads of a ring wait for classes: class_inits.h tells
   more of it. */
bool deadlocks_are_classes(const struct deadlocks *d, size_t ring);

void deadlocks_free(struct deadlocks *d);

END_C
