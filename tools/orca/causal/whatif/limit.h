#pragma once
/* What limits the speed: the part of the program whose time the time of the whole depends on most.
 */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/whatif.h"

BEGIN_C

/* limit_find simulates each candidate a little shorter, on top of `changes`: the holds of the locks
   that threads wait for most, the work of each group of threads outside of locks, the CPUs.
   `now` is the result with `changes` alone. `max_time` is as for simulation_run. Returns false when
   memory ran out. */
bool limit_find(struct limit *out, const struct script *s, const struct changes *changes,
                const struct simulation *now, double max_time);

END_C
