/* Thread pools that are too small for their tasks. */
#include "tools/orca/answer/find.h"

#define MUCH 1.15     /* times as fast */
#define GROUPS_TOLD 3 /* of tasks */
#define MOST_WORK 2   /* the work that is named is at least one part in so many */

/* Whether threads on the path mostly use CPUs, or wait for them or for locks: without a simulation
   it is not known whether more threads would help. */
static bool has_other_limit(const struct bounds *b) {
  ticks_t other = 0;
  for (size_t i = 0; i < b->num_parts; i++) {
    const struct bounds_part *part = &b->parts[i];
    if (part->reason == PATH_RUNS || part->reason == PATH_QUEUED || part->has_lock)
      other += part->time;
  }
  return other > b->work / 2;
}

/* Whether more threads would mostly take CPU time from other programs. */
static bool takes_from_others(const struct bounds_gain *gain) {
  return gain->limit == LIMIT_CPU && gain->shares_cpus;
}

/* Whether more threads would gain much: then the pool is one of the reasons. Not if the lock gains
   more, or if they would mostly take CPU time from other programs. */
static bool gains(const struct bounds *b, const struct bounds_pool *pool) {
  const struct bounds_gain *gain = &pool->gain, *lock = &b->without_lock;
  if (!gain->known) return true; /* then nothing else limits */
  bool is_less = lock->known && lock->gain.least > gain->gain.least;
  return gain->gain.least >= MUCH && !is_less && !takes_from_others(gain);
}

/* --- what the threads of the pool were busy with -------------------------------------------- */

/* The work of the threads of a pool: the row of the spending with most of their time. */
struct work {
  const struct spending_row *row; /* NULL: there is none with much of it */
  ticks_t busy, time;             /* all work; of the row */
};

static bool is_worker(const struct bounds_pool *pool, uint64_t thread) {
  return tally_find(&pool->workers, 0, thread) != NULL;
}

static ticks_t sum_workers(const struct model *m, const struct bounds_pool *pool,
                           const struct spending_row *row) {
  size_t num;
  const struct tally_row *threads = tally_of(&m->spending.threads, row->id, &num);
  ticks_t sum = 0;
  for (size_t i = 0; i < num; i++) sum += is_worker(pool, threads[i].key) ? threads[i].total : 0;
  return sum;
}

/* Time in getTask is idle. */
static struct work find_work(const struct model *m, const struct bounds_pool *pool) {
  struct work work = {0};
  for (size_t i = 0; i < m->spending.num; i++) {
    const struct spending_row *row = &m->spending.rows[i];
    ticks_t time = row->is_idle ? 0 : sum_workers(m, pool, row);
    work.busy += time;
    if (time <= work.time) continue;
    work.row = row;
    work.time = time;
  }
  if (work.time * MOST_WORK < work.busy) work.row = NULL;
  return work;
}

/* Whether the work is a wait, and not for a lock: of locks and CPU time other findings tell. */
static bool rests(const struct work *work) {
  if (work->row == NULL) return false;
  enum activity activity = work->row->activity;
  bool is_lock = work->row->call >= 0 && lock_event_asks((enum event_kind)work->row->call);
  return !is_lock && (activity == ACTIVITY_WAITS || activity == ACTIVITY_SLEEPS ||
                      activity == ACTIVITY_PARKED || activity == ACTIVITY_IO);
}

static void add_work(const struct finder *f, const struct bounds_pool *pool,
                     const struct work *work, struct found_rows *out) {
  struct found_rest *rest = work->row == NULL ? NULL : FINDINGS_PART(f->out, out, rest);
  if (rest == NULL) return;
  int call = work->row->activity == ACTIVITY_IO ? CALL_IO : work->row->call;
  *rest = (struct found_rest){.threads = name_threads(f, &pool->workers, 0),
                              .num_threads = count_threads(&pool->workers, 0),
                              .does = name_rest(work->row->activity),
                              .call = name_call(f, call, work->row->stack),
                              .place = name_place(f, work->row->place),
                              .total = found_ns(work->time)};
}

/* --- its tasks ------------------------------------------------------------------------------ */

/* Adds the places where tasks were queued, if there are several. */
static void add_groups(const struct finder *f, const struct bounds_pool *pool,
                       struct found_rows *out) {
  struct tally places = {0};
  size_t num;
  const struct tally_row *rows = tally_of(&pool->queued_at, 0, &num);
  for (size_t i = 0; i < num; i++) {
    place_t place = rows[i].key == 0 ? 0 : stacks_place(&f->m->stacks, (stack_id_t)rows[i].key);
    f->out->failed |=
        !tally_add_sum(&places, 0, place, rows[i].count, rows[i].total, rows[i].largest);
  }
  tally_sort(&places);
  rows = tally_of(&places, 0, &num);
  for (size_t i = 0; num > 1 && i < num && i < GROUPS_TOLD; i++) {
    struct found_task_group *group = FINDINGS_PART(f->out, out, task_group);
    if (group == NULL) break;
    *group = (struct found_task_group){.place = name_place(f, rows[i].key),
                                       .tasks = rows[i].count,
                                       .queued = found_ns(rows[i].total),
                                       .longest = found_ns(rows[i].largest)};
  }
  tally_free(&places);
}

/* --- the finding ---------------------------------------------------------------------------- */

static void add_pool(const struct finder *f, const struct bounds_pool *pool) {
  const struct bounds *b = &f->answer->bounds;
  struct work work = find_work(f->m, pool);
  bool is_crowded = pool->is_crowded && rests(&work), has_gain = pool->gain.known;
  bool is_on_path = pool->path > 0 && (has_gain || !(pool->has_io || has_other_limit(b)));
  if (!is_crowded && !is_on_path) return;
  struct found_pool out = {.name = pool->title,
                           .threads = pool->threads,
                           .tasks = pool->tasks,
                           .queued = found_ns(pool->queued),
                           .longest_queued = found_ns(pool->longest),
                           .ran = found_ns(pool->ran),
                           .waiting = found_ns(pool->waiting),
                           .full = found_ns(pool->full),
                           .is_crowded = is_crowded,
                           .path = is_on_path ? found_ns(pool->path) : 0,
                           .whole_path = is_on_path ? found_ns(b->work) : 0,
                           .has_io = pool->has_io};
  if (is_crowded) {
    out.busy = found_ns(work.busy);
    add_work(f, pool, &work, &out.work);
    add_groups(f, pool, &out.groups);
  }
  out.takes_from_others = has_gain && takes_from_others(&pool->gain);
  if (has_gain && is_on_path && !out.takes_from_others) find_gain(f, &pool->gain, &out.gain);
  bool is_reason = is_crowded || gains(b, pool);
  FINDINGS_ADD(f->out, pool, is_reason ? pool->queued : 0, &out);
}

void find_pools(const struct finder *f) {
  const struct bounds *b = &f->answer->bounds;
  if (b->pool.known) add_pool(f, &b->pool);
  for (size_t i = 0; i < b->num_crowded; i++) add_pool(f, &b->crowded[i]);
}
