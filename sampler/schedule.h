#pragma once
/* Computes when the next tick is due. */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* schedule_wait returns the time from the start of one tick to the start of the next, in
   nanoseconds. `cost_ns` is what the tick cost. The result is `interval_ns`, or longer if the cost
   would otherwise exceed the share `budget` of the time (0.01 is 1 %). Any thread. */
uint64_t schedule_wait(uint64_t interval_ns, double budget, uint64_t cost_ns);

#ifdef __cplusplus
}
#endif
