#pragma once
/* Threads that wait in one call at one place, for the findings about a hang and about long waits.
 */
#include "tools/orca/answer/find.h"

BEGIN_C

struct hang_group {
  uint32_t id;       /* in `threads` */
  struct pair first; /* the wait that began first */
  place_t place;
  const struct waiter *waiter; /* of `first` */
  const struct signals_row *signals;
  bool is_own_task; /* each waits for a task that it has taken itself */
  bool is_one_object;
  size_t num; /* threads */
  ticks_t total, longest, shortest;
  size_t num_older;
  size_t num_untaken; /* of its waits: for a task that no worker has taken */
  unsigned rank;
};

#define HANG_GROUPS 32 /* of which HANG_SHOWN are told */
#define HANG_SHOWN 4

/* All zero except for `f`, it is empty; hang_groups_free frees the memory. */
struct hang_groups {
  const struct finder *f;
  struct hang_group rows[HANG_GROUPS];
  size_t num;
  struct tally threads, joined; /* by row */
  uint64_t waiting;
  struct tally told; /* group 0: threads that its rows name as missing; 1: their failed tasks */
};

/* waits_for_own_task returns whether a thread waits for the task that it runs itself, or has: it is
   in no queue again. */
bool waits_for_own_task(const struct model *m, const struct pair *pair);

/* hang_groups_add adds a waiter. hang_groups_end follows the last one: it puts the groups that tell
   most first. Both return false when memory ran out. */
bool hang_groups_add(struct hang_groups *g, const struct waiter *w);
bool hang_groups_end(struct hang_groups *g);

/* hang_groups_find adds the first groups to the rows of a finding, and returns for how long all
   have waited. `may_end`: another thread may still end the waits. */
ticks_t hang_groups_find(struct hang_groups *g, bool may_end, struct found_rows *waits);

void hang_groups_free(struct hang_groups *g);

END_C
