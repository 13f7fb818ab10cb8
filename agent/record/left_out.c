#include "agent/record/left_out.h"

#include <string.h>

void left_out_wake(struct left_out *l) {
  static unsigned next;            /* the parts are given to threads in turn */
  static __thread unsigned number; /* plus 1; 0: not given yet */
  if (number == 0) number = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % LEFT_OUT_PARTS + 1;
  __atomic_fetch_add(&l->parts[number - 1].wakes, 1, __ATOMIC_RELAXED);
}

uint64_t left_out_wakes(const struct left_out *l) {
  uint64_t sum = 0;
  for (int i = 0; i < LEFT_OUT_PARTS; i++)
    sum += __atomic_load_n(&l->parts[i].wakes, __ATOMIC_RELAXED);
  return sum;
}

void left_out_reset(struct left_out *l) { memset(l, 0, sizeof *l); }
