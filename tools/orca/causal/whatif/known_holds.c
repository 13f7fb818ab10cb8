#include "tools/orca/causal/whatif/known_holds.h"

#include <stdlib.h>

#include "agent/base/hashmap.h"
#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

/* Two holds of a thread that are nearer to each other are one: the first waiter got the lock and
   the owner's name changed meanwhile. */
#define GAP (100 * 1000 * TICKS_PER_NS)

/* What is known about a thread and a lock, in order of time. */
struct pair_state {
  ticks_t got; /* its last acquisition with a line */
  uint32_t acquire;
  size_t hold; /* its last hold plus one */
};

struct inference {
  const struct trace *trace;
  struct known_holds *holds;
  struct hashmap ids; /* thread and lock -> row plus one */
  struct pair_state *pairs;
  size_t num, capacity;
};

/* --- acquisitions in order of their ends --------------------------------------------------- */

struct got {
  ticks_t time;
  uint32_t op;
};

static int compare_got(const void *a, const void *b) {
  const struct got *x = a, *y = b;
  int by_time = compare_numbers(x->time, y->time);
  return by_time != 0 ? by_time : compare_numbers(x->op, y->op);
}

static bool is_acquisition(const struct trace *t, const struct trace_op *op) {
  return op->kind == TRACE_ACQUIRE && !op->failed && !op->open && !op->runs && op->lock != 0 &&
         !t->locks[op->lock - 1].has_releases;
}

static struct got *sort_acquisitions(const struct trace *t, size_t *out_num) {
  size_t num = 0;
  for (size_t i = 0; i < t->num_ops; i++) num += is_acquisition(t, &t->ops[i]);
  struct got *all = malloc((num + 1) * sizeof *all);
  *out_num = 0;
  if (all == NULL) return NULL;
  for (size_t i = 0; i < t->num_ops; i++) {
    if (!is_acquisition(t, &t->ops[i])) continue;
    all[(*out_num)++] = (struct got){t->ops[i].end, (uint32_t)i + 1};
  }
  qsort(all, num, sizeof *all, compare_got);
  return all;
}

/* --- holds ---------------------------------------------------------------------------------- */

static struct pair_state *find_pair(struct inference *f, uint32_t thread, uint32_t lock) {
  return rows_at(&f->ids, (uint64_t)thread << 32 | lock, &f->pairs, &f->num, &f->capacity,
                 sizeof *f->pairs, NULL);
}

/* The owner held the lock from `from` to `to`. */
static bool note_hold(struct inference *f, struct pair_state *p, const struct known_hold *hold) {
  struct known_holds *h = f->holds;
  if (p->hold != 0) {
    struct known_hold *last = &h->rows[p->hold - 1];
    bool is_same =
        hold->acquire != 0 ? last->acquire == hold->acquire : hold->from <= last->to + GAP;
    if (is_same) {
      if (hold->to > last->to) last->to = hold->to;
      return true;
    }
  }
  struct known_hold *rows = grow(h->rows, h->num, &h->capacity, sizeof *rows);
  if (rows == NULL) return false;
  h->rows = rows;
  rows[h->num++] = *hold;
  p->hold = h->num;
  return true;
}

/* A thread that waited shows a hold of the owner that it waited for last. */
static bool note_waiter(struct inference *f, const struct trace_op *op) {
  if (op->cause_thread == 0 || (op->cause != TRACE_BY_OWNER && op->cause != TRACE_BY_OP))
    return true;
  struct pair_state *owner = find_pair(f, op->cause_thread - 1, op->lock - 1);
  if (owner == NULL) return false;
  ticks_t until = op->cause == TRACE_BY_OP ? f->trace->ops[op->cause_op - 1].begin : op->end;
  bool is_acquired = owner->acquire != 0 && owner->got >= op->begin;
  struct known_hold hold = {.thread = op->cause_thread - 1,
                            .lock = op->lock - 1,
                            .from = is_acquired ? owner->got : op->begin,
                            .to = until,
                            .acquire = is_acquired ? owner->acquire : 0};
  return hold.to <= hold.from || note_hold(f, owner, &hold);
}

static bool take_acquisition(struct inference *f, uint32_t number) {
  const struct trace_op *op = &f->trace->ops[number - 1];
  if (!note_waiter(f, op)) return false;
  struct pair_state *own = find_pair(f, op->thread, op->lock - 1);
  if (own == NULL) return false;
  own->got = op->end;
  own->acquire = number;
  return true;
}

static int compare_holds(const void *a, const void *b) {
  const struct known_hold *x = a, *y = b;
  int by_thread = compare_numbers(x->thread, y->thread);
  return by_thread != 0 ? by_thread : compare_numbers(x->from, y->from);
}

bool known_holds_infer(struct known_holds *h, const struct trace *t) {
  struct inference f = {.trace = t, .holds = h};
  size_t num;
  struct got *all = sort_acquisitions(t, &num);
  bool good = all != NULL;
  for (size_t i = 0; good && i < num; i++) good = take_acquisition(&f, all[i].op);
  if (good && h->num > 0) qsort(h->rows, h->num, sizeof *h->rows, compare_holds);
  free(all);
  free(f.pairs);
  hashmap_free(&f.ids);
  return good;
}

const struct known_hold *known_holds_of(const struct known_holds *h, uint32_t thread,
                                        size_t *out_num) {
  return rows_of(h->rows, h->num, sizeof *h->rows, thread, out_num);
}

void known_holds_free(struct known_holds *h) {
  free(h->rows);
  *h = (struct known_holds){0};
}
