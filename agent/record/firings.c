#include "agent/record/firings.h"

void firings_init(struct firings *f) {
  f->fired = 0;
  semaphore_init(&f->noted, 0);
}

void firings_reset(struct firings *f) {
  while (semaphore_try(&f->noted)) continue;
  __atomic_store_n(&f->fired, 0, __ATOMIC_RELAXED);
}

void firings_note(struct firings *f, unsigned trigger) {
  __atomic_fetch_or(&f->fired, UINT32_C(1) << trigger, __ATOMIC_RELEASE);
  semaphore_post(&f->noted);
}

uint32_t firings_wait(struct firings *f, uint64_t until_ns) {
  semaphore_wait(&f->noted, until_ns);
  return __atomic_exchange_n(&f->fired, 0, __ATOMIC_ACQUIRE);
}

void firings_end(struct firings *f) { semaphore_post(&f->noted); }
