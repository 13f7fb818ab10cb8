#pragma once
/* How the CPU time of a recording was sampled: by signals, at safepoints, or not at all. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* sampler_put_name appends "CPU time sampled by signals", "CPU time sampled at safepoints", or "no
   CPU time sampled". */
void sampler_put_name(struct builder *b, const struct model *m);

/* sampler_differs returns whether two recordings both have CPU time, but one was sampled by signals
   and the other at safepoints. Then the CPU times of methods are not comparable. */
bool sampler_differs(const struct model *a, const struct model *b);

/* sampler_fallback gets the reason why a recording was not sampled by signals though it should have
   been. It returns false if there is no such reason. The text is the dump's. */
bool sampler_fallback(const struct model *m, struct span *out_reason);

END_C
