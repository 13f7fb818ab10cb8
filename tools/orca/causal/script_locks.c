#include <stdlib.h>

#include "tools/orca/causal/moments.h"
#include "tools/orca/causal/script_internal.h"
#include "tools/orca/model/base/histogram.h"

#define LONGEST_HAND_OFF (5 * 1000 * 1000 * TICKS_PER_NS)
#define LEAST_WAITS 50 /* to tell whether a lock is fair */
#define UNLIMITED 1e18

struct lock_facts {
  struct histogram hand_offs;
  ticks_t released;     /* last */
  ticks_t latest_begin; /* of the acquisitions so far, which are in the order of their ends */
  uint64_t overtaken;
  int64_t out, most_out; /* permits */
};

/* An acquisition or a permit is got. */
static bool take_lock(struct lock_facts *f, const struct trace_op *op) {
  if (op->failed || op->open || op->runs) return true;
  if (op->begin < f->latest_begin) f->overtaken++;
  if (op->begin > f->latest_begin) f->latest_begin = op->begin;
  if (++f->out > f->most_out) f->most_out = f->out;
  return op->cause == TRACE_NOTHING || f->released <= op->begin ||
         histogram_add(&f->hand_offs, op->end - f->released);
}

static bool take_moment(struct lock_facts *facts, const struct moment *m) {
  if (m->op->lock == 0) return true;
  struct lock_facts *f = &facts[m->op->lock - 1];
  switch ((enum trace_kind)m->op->kind) {
    case TRACE_ACQUIRE:
    case TRACE_TAKE_PERMIT:
      return !m->is_done || take_lock(f, m->op);
    case TRACE_RELEASE:
    case TRACE_RETURN_PERMIT:
      f->out--;
      f->released = m->op->begin;
      return true;
    default:
      return true;
  }
}

static bool read_facts(struct lock_facts *facts, const struct trace *t) {
  struct moments moments;
  struct moment m;
  bool good = true;
  moments_start(&moments, t);
  while (good && moments_next(&moments, &m)) good = take_moment(facts, &m);
  good = good && !moments.failed;
  moments_free(&moments);
  return good;
}

static void set_lock(struct script_lock *lock, const struct trace_lock *row,
                     const struct lock_facts *f) {
  ticks_t hand_off = histogram_quantile(&f->hand_offs, 500);
  *lock = (struct script_lock){
      .object = row->object,
      .sort = row->sort,
      .is_fair = row->sort == LOCK_LOCK && row->has_releases && row->waits >= LEAST_WAITS &&
                 f->overtaken < row->waits / 100,
      .hand_off = (double)(hand_off < LONGEST_HAND_OFF ? hand_off : LONGEST_HAND_OFF),
      .permits = row->waits == 0 ? UNLIMITED : (double)f->most_out,
      .waits = row->waits,
      .waited = (double)row->waited};
}

bool script_add_locks(struct script *s) {
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
    histogram_free(&facts[i].hand_offs);
  }
  free(facts);
  return good;
}
