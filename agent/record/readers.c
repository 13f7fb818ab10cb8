#include "agent/record/readers.h"

#include <ck_pr.h>
#include <pthread.h>

#include "agent/record/intern.h"

/* The reader changes its counter and then reads the table. The other thread changes the table and
   then reads the counters. A fence is between the two, so at least one of them notices the
   other. */
uint64_t *readers_enter(struct readers *r) {
  uint64_t *num = &r->parts[hash_word((uintptr_t)pthread_self()) % READERS_PARTS].num;
  __atomic_fetch_add(num, 1, __ATOMIC_SEQ_CST);
  ck_pr_fence_memory();
  return num;
}

void readers_leave(uint64_t *entered) { __atomic_fetch_sub(entered, 1, __ATOMIC_RELEASE); }

/* A part that was without readers once has none from before the removal any more. */
bool readers_have_left(const struct readers *r, uint32_t *waiting) {
  ck_pr_fence_memory();
  for (unsigned i = 0; i < READERS_PARTS; i++) {
    if (__atomic_load_n(&r->parts[i].num, __ATOMIC_SEQ_CST) == 0) *waiting &= ~(1u << i);
  }
  return *waiting == 0;
}
