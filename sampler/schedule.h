#pragma once
/* Computes when the next tick is due. */
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* schedule_wait returns the time from the start of one tick to the start of the next, in
   nanoseconds: `interval_ns`, or longer, so that ticks of the cost `cost_ns` take at most the share
   `budget` of the time (0.01 is 1 %). In a process that uses less than half of one CPU (`used`; 1.0
   is one CPU) this share is smaller in proportion. But for that reason alone no tick is more than
   5 s after the last one. Any thread. */
uint64_t schedule_wait(uint64_t interval_ns, double budget, double used, uint64_t cost_ns);

END_C
