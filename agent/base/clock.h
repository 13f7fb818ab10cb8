#pragma once
/* Time as Orca counts it: nanoseconds of CLOCK_MONOTONIC, the one clock of every file. */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)

/* Nanoseconds since an arbitrary start; never goes back, the same on every CPU. Any thread. */
uint64_t clock_monotonic_ns(void);

/* Nanoseconds since 1970-01-01 UTC, by the wall clock. Any thread. */
uint64_t clock_utc_ns(void);

#ifdef __cplusplus
}
#endif
