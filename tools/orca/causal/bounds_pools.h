#pragma once
/* The thread pool that is too small, if one is: the critical path leads through tasks that were in
   its queue because all its threads were busy. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/path/path.h"
#include "tools/orca/causal/trace/trace_pools.h"

BEGIN_C

/* bounds_pools_find fills `m->bounds.pool` from the last path of `p`, which must be that of the
   run. It stays unknown if there is no such pool. Returns false when memory ran out. */
bool bounds_pools_find(struct bounds *b, const struct path *p);

/* bounds_pools_time adds to `times`, by row of the pool, for how long the last path led through
   threads of the pool while its next task on the path was in the queue. Returns false when memory
   ran out. */
bool bounds_pools_time(const struct trace_pools *pools, const struct path *p, ticks_t *times);

END_C
