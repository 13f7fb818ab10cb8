#pragma once
/* The common pool, where all of its workers are in tasks while threads wait for futures. */
#include "tools/orca/answer/find_hang.h"

BEGIN_C

/* find_busy_pool adds the workers of ForkJoinPool.commonPool to the parties of a group that waits
   for futures, if nothing else is known of who completes these. All of the workers must have been
   in tasks for as long as the group has waited, and be as many as the pool has. */
void find_busy_pool(const struct finder *f, const struct hang_group *row, struct found_wait *out);

END_C
