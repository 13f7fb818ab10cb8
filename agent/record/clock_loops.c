#include "agent/record/clock_loops.h"

#include "agent/base/text.h"

void clock_loops_clear(struct clock_loops *c) { __atomic_store_n(&c->num, 0, __ATOMIC_RELAXED); }

void clock_loops_add(struct clock_loops *c, uint32_t method, uint32_t from, uint32_t to) {
  uint32_t num = __atomic_load_n(&c->num, __ATOMIC_RELAXED);
  if (num == CLOCK_LOOPS_MAX) return;
  c->rows[num] = (struct clock_loop_row){method, from, to};
  __atomic_store_n(&c->num, num + 1, __ATOMIC_RELEASE);
}

void clock_loops_write(const struct clock_loops *c, struct builder *out) {
  uint32_t num = __atomic_load_n(&c->num, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < num; i++) {
    const uint32_t parts[] = {c->rows[i].method, c->rows[i].from, c->rows[i].to};
    for (int j = 0; j < 3; j++) {
      if (i + j > 0) builder_char(out, j == 0 ? ',' : ';');
      text_hash(out, parts[j]);
    }
  }
}
