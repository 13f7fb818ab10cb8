#pragma once
/* Deadlocks: threads that block, each on a monitor that the next one holds, in a ring. */
#include "tools/model/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rings that were found, one behind the other: a link is a contention that never ended, and
   `ring` numbers the rings from 0. The owner of a link is the thread of the next one in its ring,
   and of the last one that of the first. */
struct deadlock_link {
  size_t ring;
  struct pair pair;
};

/* All zero is none; deadlocks_free gives the memory back. */
struct deadlocks {
  struct deadlock_link *links;
  size_t num, capacity;
  size_t num_rings;
};

/* deadlocks_find looks among the pairs that never ended. Owners that the dump does not tell break
   a ring. False: memory ran out. */
bool deadlocks_find(struct deadlocks *out, const struct pairs *pairs);

void deadlocks_free(struct deadlocks *d);

#ifdef __cplusplus
}
#endif
