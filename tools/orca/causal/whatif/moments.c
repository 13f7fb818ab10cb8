#include "tools/orca/causal/whatif/moments.h"

void moments_start(struct moments *m, const struct trace *t) { *m = (struct moments){.trace = t}; }

static bool end_wait(struct moments *m, struct moment *out) {
  uint32_t number = heap_take(&m->waits);
  *out = (struct moment){&m->trace->ops[number - 1], number, false, true};
  return true;
}

bool moments_next(struct moments *m, struct moment *out) {
  const struct trace *t = m->trace;
  bool has_op = m->next<t->num_ops, has_wait = m->waits.num> 0;
  if (m->failed || (!has_op && !has_wait)) return false;
  if (!has_op) return end_wait(m, out);
  const struct trace_op *op = &t->ops[m->next];
  if (has_wait && m->waits.rows[0].key < (double)op->begin) return end_wait(m, out);
  uint32_t number = (uint32_t)++m->next;
  bool waits = op->cause != TRACE_NOTHING && op->end > op->begin;
  if (waits && !heap_add(&m->waits, (double)op->end, number)) m->failed = true;
  *out = (struct moment){op, number, true, !waits};
  return !m->failed;
}

void moments_free(struct moments *m) { heap_free(&m->waits); }
