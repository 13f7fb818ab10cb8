#pragma once
/* What it would gain to remove the lock with most time on the critical path, and to give the pool
   that is too small twice as many threads, by simulation. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/whatif.h"

BEGIN_C

/* A recording with more lines would take too long. */
#define BOUNDS_GAIN_LINES 600000

/* bounds_gain_find fills `m->bounds.gain` and `m->bounds.pool.gain` after the other bounds are
   known. They stay unknown if no lock is a notable part of the path or no pool is too small, the
   recording is too long, or the simulation refuses. Returns false when memory ran out. */
bool bounds_gain_find(struct model *m);

END_C
