#pragma once
/* When to sample next: arithmetic alone. */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* schedule_wait gives the time from the start of one tick to the start of the next, in nanoseconds:
   `interval_ns`, or longer when the JVM stood still for `pause_ns` in the tick and that would be
   more than the share `budget` (0.01 is 1 %) of the time. */
uint64_t schedule_wait(uint64_t interval_ns, double budget, uint64_t pause_ns);

#ifdef __cplusplus
}
#endif
