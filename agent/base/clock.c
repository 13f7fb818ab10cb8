#include "agent/base/clock.h"

#include <time.h>

static uint64_t read_ns(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

uint64_t clock_monotonic_ns(void) { return read_ns(CLOCK_MONOTONIC); }

uint64_t clock_utc_ns(void) { return read_ns(CLOCK_REALTIME); }

uint64_t clock_own_cpu_ns(void) { return read_ns(CLOCK_THREAD_CPUTIME_ID); }
