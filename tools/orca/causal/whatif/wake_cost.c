#include "tools/orca/causal/whatif/wake_cost.h"

#include <math.h>
#include <stdlib.h>

#include "agent/base/hashmap.h"
#include "tools/orca/causal/whatif/moments.h"
#include "tools/orca/model/base/rows.h"

#define LONGEST (50 * 1000 * TICKS_PER_NS) /* in longer stretches a wake-up does not show */
#define LEAST_STRETCHES 30
#define CLEARLY 4      /* standard errors */
#define MOST_TAKEN 0.9 /* of the CPU time of a stretch */

struct mean {
  double sum, squares;
  uint64_t num;
};

/* The stretches after releases and before operations with the same stack: their lengths. */
struct wake_site {
  struct mean with, without; /* waiters */
  double cost;               /* of a release with waiters, in ticks */
};

/* A lock up to a moment. */
struct wake_lock {
  uint32_t waiting;      /* threads */
  uint32_t owner, depth; /* its thread plus one, and how often it has the lock */
};

struct measuring {
  const struct trace *trace;
  struct wake_lock *locks;
  bool *wakes; /* by operation: a release while threads wait */
  struct hashmap ids;
  struct wake_site *sites;
  size_t num, capacity;
};

static void acquire(struct wake_lock *l, uint32_t thread) {
  if (l->owner != thread + 1) l->depth = 0;
  l->owner = thread + 1;
  l->depth++;
}

/* Returns whether the owner gives up the lock: it may have acquired the lock more than once. */
static bool release(struct wake_lock *l, uint32_t thread) {
  if (l->owner != thread + 1) return false;
  if (l->depth > 0) l->depth--;
  return l->depth == 0;
}

static void take_moment(struct measuring *w, const struct moment *m) {
  const struct trace_op *op = m->op;
  struct wake_lock *l = op->lock == 0 ? NULL : &w->locks[op->lock - 1];
  if (l == NULL || op->is_read) return;
  if (op->kind == TRACE_RELEASE) {
    w->wakes[m->number - 1] = release(l, op->thread) && l->waiting > 0;
    return;
  }
  if (m->is_begin && !m->is_done) l->waiting++;
  if (m->is_done && !m->is_begin) l->waiting--;
  if (m->is_done && op->kind == TRACE_ACQUIRE && !op->failed) acquire(l, op->thread);
}

static bool find_wakes(struct measuring *w) {
  struct moments moments;
  struct moment m;
  moments_start(&moments, w->trace);
  while (moments_next(&moments, &m)) take_moment(w, &m);
  bool good = !moments.failed;
  moments_free(&moments);
  return good;
}

/* Returns the release that the stretch before an operation follows, and whether it wakes a waiter;
   NULL: none. The locks of java.util.concurrent wake the waiter by an unpark with a line of its
   own.
 */
static const struct trace_op *find_release(const struct measuring *w, const struct trace_op *op,
                                           bool *out_wakes) {
  const struct trace_op *ops = w->trace->ops;
  if (op->before == 0 || op->begin <= op->since) return NULL;
  const struct trace_op *r = &ops[op->before - 1];
  bool is_unpark = r->event == EVENT_THREAD_UNPARK && r->before != 0;
  if (is_unpark) r = &ops[r->before - 1];
  if (r->kind != TRACE_RELEASE || r->lock == 0) return NULL;
  *out_wakes = is_unpark || w->wakes[r - ops];
  return r;
}

/* --- sites -------------------------------------------------------------------------------- */

static void add_value(struct mean *m, double value) {
  m->sum += value;
  m->squares += value * value;
  m->num++;
}

static double get_mean(const struct mean *m) { return m->sum / (double)m->num; }

/* Returns the square of the standard error of the mean. */
static double get_doubt(const struct mean *m) {
  double mean = get_mean(m), num = (double)m->num;
  double variance = m->squares / num - mean * mean;
  return variance > 0 ? variance / num : 0;
}

static bool add_stretch(struct measuring *w, const struct trace_op *op) {
  bool wakes;
  if (find_release(w, op, &wakes) == NULL || op->begin - op->since > LONGEST) return true;
  struct wake_site *site =
      rows_at(&w->ids, op->stack, &w->sites, &w->num, &w->capacity, sizeof *site, NULL);
  if (site == NULL) return false;
  add_value(wakes ? &site->with : &site->without, (double)(op->begin - op->since));
  return true;
}

static void set_cost(struct wake_site *site) {
  if (site->with.num < LEAST_STRETCHES || site->without.num < LEAST_STRETCHES) return;
  double more = get_mean(&site->with) - get_mean(&site->without);
  double doubt = sqrt(get_doubt(&site->with) + get_doubt(&site->without));
  if (more > CLEARLY * doubt) site->cost = more;
}

static double cost_of(const struct measuring *w, const struct trace_op *op) {
  uint64_t row = 0;
  hashmap_get(&w->ids, op->stack, &row);
  return row == 0 ? 0 : w->sites[row - 1].cost;
}

/* --- costs -------------------------------------------------------------------------------- */

/* Takes the wake-ups out of `need`. Sums up what was taken by lock, and counts the releases. */
static void take_out(const struct measuring *w, double *taken, uint64_t *releases, float *need) {
  for (size_t i = 0; i < w->trace->num_ops; i++) {
    const struct trace_op *op = &w->trace->ops[i];
    bool wakes;
    const struct trace_op *r = find_release(w, op, &wakes);
    if (r == NULL || !wakes) continue;
    double cost = cost_of(w, op), most = (double)need[i] * MOST_TAKEN;
    if (cost > most) cost = most;
    need[i] -= (float)cost;
    taken[r->lock - 1] += cost;
    releases[r->lock - 1]++;
  }
}

static bool take_costs(struct measuring *w, double *costs, uint64_t *releases, float *need) {
  const struct trace *t = w->trace;
  bool good = find_wakes(w);
  for (size_t i = 0; good && i < t->num_ops; i++) good = add_stretch(w, &t->ops[i]);
  if (!good) return false;
  for (size_t i = 0; i < w->num; i++) set_cost(&w->sites[i]);
  take_out(w, costs, releases, need);
  for (size_t i = 0; i < t->num_locks; i++) {
    if (releases[i] > 0) costs[i] /= (double)releases[i];
  }
  return true;
}

bool wake_cost_take(double *costs, float *need, const struct trace *t) {
  struct measuring w = {.trace = t};
  uint64_t *releases = calloc(t->num_locks + 1, sizeof *releases);
  for (size_t i = 0; i < t->num_locks; i++) costs[i] = 0;
  w.locks = calloc(t->num_locks + 1, sizeof *w.locks);
  w.wakes = calloc(t->num_ops + 1, sizeof *w.wakes);
  bool good = releases != NULL && w.locks != NULL && w.wakes != NULL &&
              take_costs(&w, costs, releases, need);
  free(releases);
  free(w.locks);
  free(w.wakes);
  free(w.sites);
  hashmap_free(&w.ids);
  return good;
}
