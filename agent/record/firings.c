#include "agent/record/firings.h"

#include <errno.h>
#include <time.h>

#include "agent/base/clock.h"

void firings_init(struct firings *f) {
  f->fired = 0;
  sem_init(&f->noted, 0, 0);
}

void firings_reset(struct firings *f) {
  while (sem_trywait(&f->noted) == 0) continue;
  __atomic_store_n(&f->fired, 0, __ATOMIC_RELAXED);
}

void firings_note(struct firings *f, unsigned trigger) {
  __atomic_fetch_or(&f->fired, UINT32_C(1) << trigger, __ATOMIC_RELEASE);
  sem_post(&f->noted);
}

uint32_t firings_wait(struct firings *f, uint64_t until_ns) {
  struct timespec until = {(time_t)(until_ns / NS_PER_S), (long)(until_ns % NS_PER_S)};
  while (sem_clockwait(&f->noted, CLOCK_MONOTONIC, &until) != 0 && errno == EINTR) continue;
  return __atomic_exchange_n(&f->fired, 0, __ATOMIC_ACQUIRE);
}

void firings_end(struct firings *f) { sem_post(&f->noted); }
