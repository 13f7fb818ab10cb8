#pragma once
/* Clocks, in nanoseconds. All timestamps of the files come from clock_monotonic_ns. */
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)

/* clock_monotonic_ns reads CLOCK_MONOTONIC: nanoseconds since an arbitrary start. It never goes
   back, and is the same on every CPU. Any thread; async-signal-safe. */
uint64_t clock_monotonic_ns(void);

/* clock_utc_ns reads CLOCK_REALTIME: nanoseconds since 1970-01-01 UTC. Any thread. */
uint64_t clock_utc_ns(void);

/* clock_own_cpu_ns reads the CPU time that the current thread has used. Any thread;
   async-signal-safe. */
uint64_t clock_own_cpu_ns(void);

END_C
