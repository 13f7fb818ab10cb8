#pragma once
/* How a recording was sampled for CPU time. */
#include "tools/orca/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* sampler_put_name writes "CPU time sampled by signals", "CPU time sampled at safepoints", or "no
   CPU time sampled". */
void sampler_put_name(struct builder *b, const struct model *m);

/* sampler_differs tells whether two recordings both know CPU time, but one was sampled by signals
   and the other at safepoints. Then the CPU times of methods are not comparable. */
bool sampler_differs(const struct model *a, const struct model *b);

/* sampler_fallback gives the reason why a recording that should have been sampled by signals was
   not; false where there is none. */
bool sampler_fallback(const struct model *m, struct span *out_reason);

#ifdef __cplusplus
}
#endif
