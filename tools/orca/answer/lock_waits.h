#pragma once
/* Threads that wait for locks, in groups: those that wait for the same lock at one place, held by
   the same thread, are told together. */
#include "tools/orca/answer/find.h"

BEGIN_C

struct lock_waits_group;

/* All zero is empty; lock_waits_free frees the memory. */
struct lock_waits {
  struct lock_waits_group *groups;
  size_t num, capacity;
  struct tally threads; /* group: number of the group */
};

/* lock_waits_add adds a thread. Returns false when memory ran out. */
bool lock_waits_add(struct lock_waits *w, const struct finder *f, const struct wait_link *link);

/* lock_waits_find adds a row for each of the first groups, the one with most time first, at most
   `most`. */
void lock_waits_find(struct lock_waits *w, const struct finder *f, size_t most,
                     struct found_rows *out);

void lock_waits_free(struct lock_waits *w);

END_C
