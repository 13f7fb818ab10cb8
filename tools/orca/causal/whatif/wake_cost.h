#pragma once
/* What it costs a thread to wake the next owner of a lock. The system call is a part of the stretch
   after the release, so stretches after releases with waiters take longer. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/trace/trace.h"

BEGIN_C

/* wake_cost_take takes the CPU time of wake-ups out of `need`, the CPU time (ticks) of the stretch
   before each operation. It sets the element of `costs` of each lock to what that is for each
   release while threads wait, in ticks; 0: nothing that is clear. Returns false when memory ran
   out. */
bool wake_cost_take(double *costs, float *need, const struct trace *t);

END_C
