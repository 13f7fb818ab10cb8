#include "agent/record/left_out.h"

#include <string.h>

/* The parts are given to threads in turn. */
static struct left_out_counts *get_part(struct left_out *l) {
  static unsigned next;
  static __thread unsigned number; /* plus 1; 0: not given yet */
  if (number == 0) number = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % LEFT_OUT_PARTS + 1;
  return &l->parts[number - 1].counts;
}

static void add(uint64_t *count, uint64_t n) { __atomic_fetch_add(count, n, __ATOMIC_RELAXED); }

void left_out_pair(struct left_out *l, bool is_lock, uint64_t ns) {
  struct left_out_counts *part = get_part(l);
  add(&part->pairs, 1);
  if (is_lock) add(&part->lock_ns, ns);
}

void left_out_wake(struct left_out *l) { add(&get_part(l)->wakes, 1); }

struct left_out_counts left_out_sum(const struct left_out *l) {
  struct left_out_counts sum = {0};
  for (int i = 0; i < LEFT_OUT_PARTS; i++) {
    sum.pairs += __atomic_load_n(&l->parts[i].counts.pairs, __ATOMIC_RELAXED);
    sum.wakes += __atomic_load_n(&l->parts[i].counts.wakes, __ATOMIC_RELAXED);
    sum.lock_ns += __atomic_load_n(&l->parts[i].counts.lock_ns, __ATOMIC_RELAXED);
  }
  return sum;
}

void left_out_reset(struct left_out *l) { memset(l, 0, sizeof *l); }
