#include <stdlib.h>

#include "tools/orca/causal/script_internal.h"
#include "tools/orca/model/base/histogram.h"
#include "tools/orca/model/base/sorting.h"

#define LONGEST_HAND_OFF (5 * 1000 * 1000 * TICKS_PER_NS)
#define LEAST_WAITS 50 /* to tell whether a lock is fair */
#define UNLIMITED 1e18

struct lock_facts {
  struct histogram hand_offs;
  ticks_t latest_end; /* of the acquisitions so far, which are in the order of their beginnings */
  uint64_t overtaken;
  int64_t out, most_out; /* permits */
};

static int compare_changes(const void *a, const void *b) {
  const struct script_change *x = a, *y = b;
  int by_time = compare_numbers(x->time, y->time);
  return by_time != 0 ? by_time : (x->by > y->by) - (x->by < y->by);
}

void script_sort_changes(struct script_change *changes, size_t num) {
  if (num > 0) qsort(changes, num, sizeof *changes, compare_changes);
}

static bool take_acquisition(struct lock_facts *f, const struct trace *t,
                             const struct trace_op *op) {
  if (op->failed || op->open || op->runs) return true;
  if (op->end < f->latest_end) f->overtaken++;
  if (op->end > f->latest_end) f->latest_end = op->end;
  if (op->cause != TRACE_BY_OP) return true;
  const struct trace_op *by = &t->ops[op->cause_op - 1];
  return op->end <= by->begin || histogram_add(&f->hand_offs, op->end - by->begin);
}

/* The permits that a semaphore had at first are the most that were taken at once. */
static bool count_permits(const struct trace *t, struct lock_facts *facts) {
  size_t num = 0;
  struct script_change *changes = malloc((t->num_ops + 1) * sizeof *changes);
  if (changes == NULL) return false;
  for (size_t i = 0; i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    bool is_taken = op->kind == TRACE_TAKE_PERMIT && !op->failed && !op->open;
    if (is_taken) changes[num++] = (struct script_change){op->end, op->lock, 1};
    if (op->kind == TRACE_RETURN_PERMIT) {
      changes[num++] = (struct script_change){op->begin, op->lock, -1};
    }
  }
  script_sort_changes(changes, num);
  for (size_t i = 0; i < num; i++) {
    struct lock_facts *f = &facts[changes[i].object - 1];
    f->out += changes[i].by;
    if (f->out > f->most_out) f->most_out = f->out;
  }
  free(changes);
  return true;
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
  bool good = true;
  struct lock_facts *facts = calloc(t->num_locks + 1, sizeof *facts);
  s->locks = calloc(t->num_locks + 1, sizeof *s->locks);
  s->num_locks = t->num_locks;
  if (facts == NULL || s->locks == NULL) {
    free(facts);
    return false;
  }
  for (size_t i = 0; good && i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    if (op->kind == TRACE_ACQUIRE || op->kind == TRACE_TAKE_PERMIT) {
      good = take_acquisition(&facts[op->lock - 1], t, op);
    }
  }
  good = good && count_permits(t, facts);
  for (size_t i = 0; i < t->num_locks; i++) {
    set_lock(&s->locks[i], &t->locks[i], &facts[i]);
    histogram_free(&facts[i].hand_offs);
  }
  free(facts);
  return good;
}
