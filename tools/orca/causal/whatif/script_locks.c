#include <stdlib.h>

#include "tools/orca/causal/whatif/moments.h"
#include "tools/orca/causal/whatif/script_internal.h"
#include "tools/orca/causal/whatif/wake_cost.h"

#define LONGEST_HAND_OFF (50 * 1000 * 1000 * TICKS_PER_NS)
#define LEAST_WAITS 50 /* to tell whether a lock is fair */
/* Of two threads that ask within this time, any may be the first in the queue of a fair lock. */
#define RACE (50 * 1000 * TICKS_PER_NS)
#define UNLIMITED 1e18

struct lock_facts {
  ticks_t hand_off; /* sum */
  uint64_t hand_offs;
  ticks_t released;     /* last */
  ticks_t latest_begin; /* of the acquisitions so far that did not wait */
  uint64_t overtaken;
  int64_t out, most_out; /* permits */
};

/* An acquisition or a permit is got. */
static void take_lock(struct lock_facts *f, const struct trace_op *op) {
  if (op->failed || op->open || op->runs) return;
  if (op->begin + RACE < f->latest_begin) f->overtaken++;
  if (op->cause == TRACE_NOTHING && op->begin > f->latest_begin) f->latest_begin = op->begin;
  if (++f->out > f->most_out) f->most_out = f->out;
  if (op->cause == TRACE_NOTHING || f->released <= op->begin) return;
  ticks_t hand_off = op->end - f->released;
  f->hand_off += hand_off < LONGEST_HAND_OFF ? hand_off : LONGEST_HAND_OFF;
  f->hand_offs++;
}

static void take_moment(struct lock_facts *facts, const struct moment *m) {
  if (m->op->lock == 0) return;
  struct lock_facts *f = &facts[m->op->lock - 1];
  switch ((enum trace_kind)m->op->kind) {
    case TRACE_ACQUIRE:
    case TRACE_TAKE_PERMIT:
      if (m->is_done) take_lock(f, m->op);
      break;
    case TRACE_RELEASE:
    case TRACE_RETURN_PERMIT:
      f->out--;
      f->released = m->op->begin;
      break;
    default:
      break;
  }
}

static bool read_facts(struct lock_facts *facts, const struct trace *t) {
  struct moments moments;
  struct moment m;
  moments_start(&moments, t);
  while (moments_next(&moments, &m)) take_moment(facts, &m);
  bool good = !moments.failed;
  moments_free(&moments);
  return good;
}

static void set_lock(struct script_lock *lock, const struct trace_lock *row,
                     const struct lock_facts *f) {
  *lock = (struct script_lock){
      .object = row->object,
      .sort = row->sort,
      .is_fair = row->sort == LOCK_LOCK && row->has_releases && row->waits >= LEAST_WAITS &&
                 f->overtaken * 100 < row->waits,
      .hand_off = f->hand_offs == 0 ? 0 : (double)f->hand_off / (double)f->hand_offs,
      .permits = row->waits == 0 ? UNLIMITED : (double)f->most_out,
      .waits = row->waits,
      .waited = (double)row->waited};
}

static void mark_signals(struct script *s) {
  const struct locks *locks = &s->trace->model->locks;
  for (size_t i = 0; i < locks->num; i++) {
    const struct lock *lock = &locks->rows[i];
    uint64_t row = 0;
    if (!lock_is_signal(lock)) continue;
    hashmap_get(&s->trace->lock_rows, (uint64_t)lock->sort << 32 | lock->object, &row);
    if (row != 0) s->locks[row - 1].is_signal = true;
  }
}

static bool set_wake_costs(struct script *s, float *need) {
  double *costs = malloc((s->num_locks + 1) * sizeof *costs);
  bool good = costs != NULL && wake_cost_take(costs, need, s->trace);
  for (size_t i = 0; good && i < s->num_locks; i++) s->locks[i].wake_cost = costs[i];
  free(costs);
  return good;
}

bool script_add_locks(struct script *s, float *need) {
  const struct trace *t = s->trace;
  struct lock_facts *facts = calloc(t->num_locks + 1, sizeof *facts);
  s->locks = calloc(t->num_locks + 1, sizeof *s->locks);
  s->num_locks = t->num_locks;
  if (facts == NULL || s->locks == NULL) {
    free(facts);
    return false;
  }
  bool good = read_facts(facts, t);
  for (size_t i = 0; i < t->num_locks; i++) {
    set_lock(&s->locks[i], &t->locks[i], &facts[i]);
  }
  mark_signals(s);
  free(facts);
  return good && set_wake_costs(s, need);
}
