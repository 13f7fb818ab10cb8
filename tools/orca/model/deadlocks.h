#pragma once
/* Deadlocks: rings of threads that are blocked for good. Each thread waits for a lock that the next
   thread owns, or for the next thread to end (Thread.join). A ring may mix all sorts of locks. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/wait_edges.h"

BEGIN_C

/* One thread of a ring. The owner of its lock is the thread of the next link in the ring; the owner
   of the last link's lock is the thread of the first link. */
struct deadlock_link {
  size_t ring;           /* number of the ring, from 0 */
  struct wait_link wait; /* the acquisition or join that never ended */
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

void deadlocks_free(struct deadlocks *d);

END_C
