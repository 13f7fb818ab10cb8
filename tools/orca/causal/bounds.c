#include "tools/orca/causal/bounds.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/causal/path/path_clock.h"
#include "tools/orca/causal/path/path_stretches.h"
#include "tools/orca/causal/path/path_table.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"

/* The bounds are unknown if so much of the paths has an unknown cause. I/O is one, too: who sent
   what a thread read, or what another process did meanwhile, has no events. */
#define MOST_UNKNOWN 0.2

/* A thread of a service counts if it worked for this part of the recording. */
#define LEAST_WORK 0.1

/* Only these many threads, those that worked most. */
#define MOST_THREADS 16

/* What has less of the path than this is not worth a simulation. */
#define LEAST_ON_PATH 0.1

/* A pool is crowded if tasks waited while all its threads were busy for this part of the recording,
   and if this part of the time of its tasks is in the queue. */
#define MUCH_FULL 0.25
#define MUCH_QUEUED 0.2
#define MOST_UNQUEUED 0.1 /* of its tasks */

/* --- which paths -------------------------------------------------------------------------- */

/* A thread that no sample saw has at least its CPU time. */
static ticks_t worked(const struct thread *t, ticks_t cpu) {
  ticks_t runs = t->in_activity[ACTIVITY_RUNS] + t->in_activity[ACTIVITY_RUNNABLE];
  return (runs > cpu ? runs : cpu) + t->in_activity[ACTIVITY_BLOCKED] + t->in_activity[ACTIVITY_IO];
}

struct worker {
  uint32_t row; /* in the trace */
  ticks_t worked;
};

static int compare_workers(const void *left, const void *right) {
  const struct worker *a = left, *b = right;
  return a->worked != b->worked ? compare_numbers(b->worked, a->worked)
                                : compare_numbers(a->row, b->row);
}

static bool add_path(struct path *p, struct path_table *table, const struct path_work *work) {
  return path_find(p, work) && path_table_add(table, p);
}

static bool add_paths_of_workers(struct bounds *b, struct path *p, struct path_table *table) {
  const struct trace *t = p->trace;
  struct worker *workers = calloc(t->num_threads + 1, sizeof *workers);
  size_t num = 0;
  if (workers == NULL) return false;
  for (size_t i = 0; i < t->num_threads; i++) {
    const struct thread *thread = threads_find(&t->model->threads, t->threads[i].hash);
    if (thread == NULL) continue;
    ticks_t time = worked(thread, t->threads[i].cpu);
    if ((double)time < LEAST_WORK * (double)(t->end - t->begin)) continue;
    workers[num++] = (struct worker){(uint32_t)i, time};
  }
  qsort(workers, num, sizeof *workers, compare_workers);
  bool good = true;
  for (size_t i = 0; good && i < num && i < MOST_THREADS; i++) {
    const struct trace_thread *thread = &t->threads[workers[i].row];
    struct path_work work = {workers[i].row, thread->begin, thread->end, 0};
    good = add_path(p, table, &work);
    b->threads++;
  }
  free(workers);
  return good;
}

static bool add_paths(struct bounds *b, struct path *p, struct path_table *table) {
  struct path_work work;
  if (!path_main_work(p->trace, &work)) return true;
  b->of_run = path_is_of_main(p->trace, &work);
  if (!b->of_run) {
    p->stops_at_idle = true;
    return add_paths_of_workers(b, p, table);
  }
  b->threads = 1;
  return add_path(p, table, &work);
}

/* --- results ------------------------------------------------------------------------------ */

/* Returns the lock of the model for one of the trace; NULL: it has no row. Both sides of a lock for
   reading and writing are one lock of the trace: the side that threads waited for longer. */
static struct lock *find_lock(const struct model *m, const struct trace_lock *lock) {
  struct lock *best = NULL;
  for (size_t i = 0; i < m->locks.num; i++) {
    struct lock *row = &m->locks.rows[i];
    enum lock_sort sort = lock_sort_is_side(row->sort) ? LOCK_LOCK : row->sort;
    if (row->object != lock->object || sort != lock->sort) continue;
    if (best == NULL || row->blocked > best->blocked) best = row;
  }
  return best;
}

static bool add_locks(struct bounds *b, const struct path *p) {
  const struct trace *t = p->trace;
  for (size_t i = 0; i < p->locks.num; i++) {
    const struct tally_row *row = &p->locks.rows[i];
    const struct lock *lock = find_lock(t->model, &t->locks[row->key - 1]);
    if (lock != NULL && !tally_add(&b->locks, lock->id, 0, 1, row->total)) return false;
  }
  tally_sort(&b->locks);
  return true;
}

static bool add_nested(struct bounds *b, const struct path *p) {
  const struct trace *t = p->trace;
  b->nested = calloc(p->num_nested + 1, sizeof *b->nested);
  for (size_t i = 0; b->nested != NULL && i < p->num_nested; i++) {
    const struct path_nested *row = &p->nested[i];
    const struct path_piece *piece = &p->pieces[row->piece];
    const struct lock *lock = find_lock(t->model, &t->locks[row->lock - 1]);
    if (lock == NULL) continue;
    b->nested[b->num_nested++] =
        (struct bounds_nested){row->piece, lock->id, piece->end - piece->begin};
  }
  return b->nested != NULL;
}

/* Whether two rows are one part: lines of one method in which a thread does the same. */
static bool is_same_part(const struct path_row *a, const struct path_row *b) {
  return a->reason == b->reason && a->lock == b->lock &&
         place_method(a->place) == place_method(b->place);
}

static int compare_parts(const void *left, const void *right) {
  const struct bounds_part *a = left, *b = right;
  return compare_numbers(b->time, a->time);
}

static void add_parts(struct bounds *b, const struct path_table *table) {
  const struct path_row *rows[BOUNDS_PARTS]; /* the first row of each part */
  for (size_t i = 0; i < table->num; i++) {
    const struct path_row *row = &table->rows[i];
    size_t at = 0;
    if (row->reason == PATH_IDLE) continue;
    while (at < b->num_parts && !is_same_part(rows[at], row)) at++;
    if (at < b->num_parts) {
      b->parts[at].time += row->time;
      continue;
    }
    if (b->num_parts == BOUNDS_PARTS) continue;
    rows[b->num_parts] = row;
    b->parts[b->num_parts++] =
        (struct bounds_part){row->reason, row->lock != 0, row->place, row->time};
  }
  qsort(b->parts, b->num_parts, sizeof *b->parts, compare_parts);
}

static bool add_stretches(struct bounds *b, const struct path *p) {
  const struct trace *t = p->trace;
  struct path_stretch *rows;
  size_t num;
  if (!path_stretches(p, BOUNDS_STRETCHES, &rows, &num)) return false;
  b->stretches = calloc(num + 1, sizeof *b->stretches);
  for (size_t i = 0; b->stretches != NULL && i < num; i++) {
    const struct path_piece *piece = &p->pieces[rows[i].piece];
    b->stretches[b->num_stretches++] =
        (struct bounds_stretch){.begin = rows[i].begin,
                                .end = rows[i].end,
                                .reason = piece->reason,
                                .thread = t->threads[piece->thread].hash,
                                .lock = piece->lock == 0 ? 0 : t->locks[piece->lock - 1].object,
                                .stack = piece->stack};
  }
  free(rows);
  return b->stretches != NULL;
}

/* --- pools ----------------------------------------------------------------------------------- */

/* The tasks of each thread, for a walk backward in time. */
struct task_walk {
  const struct trace_pools *pools;
  uint32_t *at;     /* by thread: its last task that may be under way, plus one; 0: none */
  uint32_t *before; /* by task: the task of its thread before it, plus one */
};

static bool start_walk(struct task_walk *w, const struct trace_pools *pools) {
  *w = (struct task_walk){.pools = pools};
  w->at = calloc(pools->trace->num_threads + 1, sizeof *w->at);
  w->before = calloc(pools->num_tasks + 1, sizeof *w->before);
  for (uint32_t i = 0; w->at != NULL && w->before != NULL && i < pools->num_tasks; i++) {
    uint32_t *at = &w->at[pools->tasks[i].thread];
    w->before[i] = *at;
    *at = i + 1;
  }
  return w->at != NULL && w->before != NULL;
}

/* The task of a thread at a time, which no later call exceeds; NULL: none. */
static const struct trace_task *find_task(struct task_walk *w, uint32_t thread, ticks_t time) {
  uint32_t *at = &w->at[thread];
  while (*at != 0 && w->pools->tasks[*at - 1].begin >= time) *at = w->before[*at - 1];
  const struct trace_task *task = *at == 0 ? NULL : &w->pools->tasks[*at - 1];
  return task != NULL && time <= task->end ? task : NULL;
}

/* The length of the part of a piece in which a task was in the queue. */
static ticks_t time_in_queue(const struct path_piece *piece, const struct trace_task *task) {
  ticks_t from = piece->begin > task->queued ? piece->begin : task->queued;
  ticks_t to = piece->end < task->begin ? piece->end : task->begin;
  return to > from ? to - from : 0;
}

/* Adds to `times`, by row of the pool, for how long the last path led through threads of the pool
   while its next task on the path was in the queue. Returns false when memory ran out. */
static bool add_queue_times(const struct trace_pools *pools, const struct path *p, ticks_t *times) {
  const struct trace_task *task = NULL; /* the last one for which the path waited */
  struct task_walk walk;
  bool good = start_walk(&walk, pools);
  for (size_t i = 0; good && i < p->num_pieces; i++) { /* backward */
    const struct path_piece *piece = &p->pieces[i];
    uint32_t pool = pools->of_thread[piece->thread];
    bool is_in_pool = task != NULL && pool == task->pool + 1;
    /* The path left the pool, and not only for a lock that a thread of it waited for. */
    if (task != NULL && !is_in_pool && piece->lock == 0) task = NULL;
    bool is_over = task == NULL || piece->end <= task->queued;
    if (pool != 0 && is_over) task = find_task(&walk, piece->thread, piece->end);
    if (task != NULL) times[task->pool] += time_in_queue(piece, task);
  }
  free(walk.at);
  free(walk.before);
  return good;
}

/* Whether tasks waited for the threads of the pool for a large part of the recording, and for a
   large part of their own time. */
static bool is_crowded(const struct trace *t, const struct trace_pool *pool) {
  return (double)pool->unqueued <= MOST_UNQUEUED * (double)pool->tasks &&
         (double)pool->full >= MUCH_FULL * (double)(t->end - t->begin) &&
         (double)pool->queued >= MUCH_QUEUED * (double)(pool->queued + pool->ran);
}

static bool add_workers(struct bounds_pool *out, const struct trace_pools *pools) {
  const struct trace *t = pools->trace;
  for (size_t i = 0; i < t->num_threads; i++) {
    bool is_worker = pools->of_thread[i] == out->row + 1;
    if (is_worker && !tally_add(&out->workers, 0, t->threads[i].hash, 1, 0)) return false;
  }
  tally_sort(&out->workers);
  return true;
}

static bool add_queue_stacks(struct bounds_pool *out, const struct trace_pools *pools) {
  for (size_t i = 0; i < pools->num_tasks; i++) {
    const struct trace_task *task = &pools->tasks[i];
    if (task->pool != out->row || task->queue_op == 0) continue;
    ticks_t queued = task->begin > task->queued ? task->begin - task->queued : 0;
    stack_id_t stack = pools->trace->ops[task->queue_op - 1].stack;
    if (!tally_add(&out->queued_at, 0, stack, 1, queued)) return false;
  }
  tally_sort(&out->queued_at);
  return true;
}

static bool set_pool(struct bounds_pool *out, const struct trace_pools *pools, uint32_t row) {
  const struct trace_pool *pool = &pools->pools[row];
  char *title = strdup(pool->title);
  if (title == NULL) return false;
  *out = (struct bounds_pool){.known = true,
                              .is_crowded = is_crowded(pools->trace, pool),
                              .row = row,
                              .title = title,
                              .threads = pool->threads,
                              .tasks = pool->tasks,
                              .queued = pool->queued,
                              .ran = pool->ran,
                              .longest = pool->longest,
                              .waiting = pool->waiting,
                              .full = pool->full};
  return add_workers(out, pools) && add_queue_stacks(out, pools);
}

static bool can_be_told(const struct trace_pool *pool) {
  return !pool->is_timed && trace_pool_is_full(pool);
}

/* Fills `b->pool` from the last path of `p`, which must be that of the run. It stays unknown if
   there is no such pool. Returns false when memory ran out. */
static bool find_pool(struct bounds *b, const struct trace_pools *pools, const struct path *p) {
  ticks_t *times = calloc(pools->num + 1, sizeof *times);
  bool good = times != NULL && add_queue_times(pools, p, times);
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; good && i < pools->num; i++) {
    if (!can_be_told(&pools->pools[i])) continue;
    if (best == UINT32_MAX || times[i] > times[best]) best = i;
  }
  bool is_found = best != UINT32_MAX && (double)times[best] >= LEAST_ON_PATH * (double)b->work;
  if (is_found) {
    good = set_pool(&b->pool, pools, best);
    b->pool.path = times[best];
  }
  free(times);
  return good;
}

/* Adds the crowded pools, without the one on the path. */
static bool find_crowded(struct bounds *b, const struct trace_pools *pools) {
  bool good = true;
  for (uint32_t i = 0; good && i < pools->num && b->num_crowded < BOUNDS_POOLS; i++) {
    const struct trace_pool *pool = &pools->pools[i];
    bool is_on_path = b->pool.known && b->pool.row == i;
    if (is_on_path || !can_be_told(pool) || !is_crowded(pools->trace, pool)) continue;
    good = set_pool(&b->crowded[b->num_crowded++], pools, i);
  }
  return good;
}

/* --- all of them -------------------------------------------------------------------------- */

static bool fill(struct bounds *b, const struct trace_pools *pools, struct path *p,
                 struct path_table *table) {
  if (!add_paths(b, p, table) || !path_table_end(table)) return false;
  b->work = p->total - p->times[PATH_IDLE];
  if (b->of_run && !path_is_timed(p, &b->is_timed)) return false;
  if (b->is_timed) return true;
  double most = MOST_UNKNOWN * (double)b->work;
  if (b->work == 0 || (double)p->times[PATH_EXTERNAL] > most) return true;
  if (b->of_run && !find_pool(b, pools, p)) return false;
  b->pool.has_io = (double)(p->times[PATH_EXTERNAL] + p->times[PATH_OFF_CPU]) > most;
  if (b->pool.has_io) return true;
  if (!add_locks(b, p)) return false;
  if (b->of_run && (!add_nested(b, p) || !add_stretches(b, p))) return false;
  add_parts(b, table);
  b->known = true;
  return true;
}

static bool find_paths(struct bounds *b, const struct trace *t) {
  struct path p = {0};
  struct path_table table = {0};
  struct trace_pools pools = {0};
  bool good = trace_pools_find(&pools, t) && path_start(&p, t) && fill(b, &pools, &p, &table) &&
              find_crowded(b, &pools);
  trace_pools_free(&pools);
  path_table_free(&table);
  path_free(&p);
  return good;
}

/* --- gains -------------------------------------------------------------------------------- */

static void take(struct bounds_gain *gain, const struct whatif *w, const struct prediction *p) {
  *gain = (struct bounds_gain){.known = true,
                               .gain = p->gain,
                               .work = (ticks_t)(w->recorded + 0.5),
                               .time = (ticks_t)(p->time + 0.5),
                               .limit = p->next.kind,
                               .next_lock = p->next.lock,
                               .place = p->next.place,
                               .shares_cpus = capacity_is_shared(&w->script.capacity)};
}

/* Fills `gain` unless the edit is of several pools or the simulation refuses. Frees the text. */
static bool predict(struct whatif *w, enum edit_kind kind, struct builder *text,
                    struct bounds_gain *gain) {
  struct edited edited = {0};
  struct edit edit = {0};
  struct prediction prediction;
  struct builder why = {0};
  builder_char(text, '\0');
  bool good =
      !text->failed && edit_parse(&edit, kind, text->data) && edited_start(&edited, &w->script);
  enum edit_result result = good ? edited_add(&edited, &w->script, &edit, &why) : EDIT_NO_MEMORY;
  good = result != EDIT_NO_MEMORY;
  if (result == EDIT_DONE && edit.num_pools < 2) {
    good = whatif_predict(w, &edited.changes, true, &prediction);
    if (good && prediction.refusal == REFUSAL_NONE) take(gain, w, &prediction);
  }
  builder_free(&why);
  edited_free(&edited);
  edit_free(&edit);
  builder_free(text);
  return good;
}

static bool is_much(const struct bounds *b, ticks_t time) {
  return b->known && time > 0 && (double)time >= LEAST_ON_PATH * (double)b->work;
}

/* Without a semaphore whose permits other threads hand out, a limit of a rate or of work under way
   would be gone, too: that is no gain. */
static bool can_drop(const struct lock *lock, const struct model *m) {
  return lock->sort != LOCK_SEMAPHORE || holders_own_permits(&m->pass.holders, lock->object);
}

/* The lock with most time on the path; of equal ones, the one with more blocked time. */
static const struct lock *find_main_lock(const struct bounds *b, const struct model *m) {
  const struct lock *best = NULL;
  ticks_t most = 0;
  for (size_t i = 0; i < m->locks.num; i++) {
    ticks_t time = bounds_lock_time(&b->locks, m->locks.rows[i].id);
    if (time <= most) continue;
    best = &m->locks.rows[i];
    most = time;
  }
  return is_much(b, most) ? best : NULL;
}

/* The method of the program that uses the most CPU time; 0: another speed of it would not matter.
 */
static uint32_t find_main_method(const struct bounds *b, const struct trace *t) {
  const struct cpu_method *hot = cpu_hottest(&t->model->cpu);
  uint32_t method = hot == NULL ? 0 : place_method(hot->place);
  ticks_t time = method == 0 ? 0 : bounds_method_time(b, method) + bounds_method_wait(b, method);
  bool can_change = method != 0 && !pseudo_is(method) && !trace_waits_in(t, method);
  return can_change && is_much(b, time) ? method : 0;
}

static bool find_gains(struct bounds *b, struct trace *t) {
  struct model *m = t->model;
  const struct lock *lock = find_main_lock(b, m);
  uint32_t method = find_main_method(b, t);
  struct whatif w;
  struct builder text = {0};
  uint64_t lines = m->recording.all_events + m->recording.all_samples;
  if (lines > BOUNDS_GAIN_LINES || (lock == NULL && method == 0 && !b->pool.known)) return true;
  bool good = whatif_start_on(&w, t, NULL), is_refused = w.refusal != REFUSAL_NONE;
  if (good && !is_refused && lock != NULL && can_drop(lock, m)) {
    b->lock_id = lock->id;
    text_hash(&text, lock->object);
    good = predict(&w, EDIT_DROP, &text, &b->without_lock);
  }
  if (good && !is_refused && method != 0) {
    names_full_method(&text, m->dump, method);
    builder_string(&text, "=50%");
    good = predict(&w, EDIT_FASTER, &text, &b->faster_method);
  }
  if (good && !is_refused && b->pool.known) {
    builder_format(&text, "%s=2x", b->pool.title);
    good = predict(&w, EDIT_POOL, &text, &b->pool.gain);
  }
  whatif_free(&w);
  return good;
}

/* --- all ---------------------------------------------------------------------------------- */

bool bounds_can_be_known(const struct model *m) {
  return !m->matcher.active && coverage_has_whole_pairs(dump_coverage(m->dump)) &&
         m->recording.all_events + m->recording.all_samples <= BOUNDS_LINES;
}

bool bounds_find(struct bounds *b, struct trace *t) {
  bool good = t->is_too_long || (find_paths(b, t) && find_gains(b, t));
  trace_free(t);
  return good;
}

bool bounds_has_path(const struct bounds *b) { return b->known && b->of_run; }

/* Adds, by group, the time that an earlier lock of the same piece and group has already. */
static bool add_twice(const struct bounds *b, const uint32_t *ids, struct tally *twice) {
  for (size_t i = 1; i < b->num_nested; i++) {
    const struct bounds_nested *row = &b->nested[i];
    bool is_twice = false;
    for (size_t k = i; k > 0 && b->nested[k - 1].piece == row->piece; k--) {
      is_twice |= ids[b->nested[k - 1].id] == ids[row->id];
    }
    if (is_twice && !tally_add(twice, ids[row->id], 0, 1, row->time)) return false;
  }
  tally_sort(twice);
  return true;
}

bool bounds_merge_locks(const struct bounds *b, const uint32_t *ids, struct tally *into) {
  struct tally twice = {0};
  bool good = tally_merge(&b->locks, ids, into) && add_twice(b, ids, &twice);
  for (size_t i = 0; good && i < into->num; i++) {
    into->rows[i].total -= bounds_lock_time(&twice, into->rows[i].group);
  }
  tally_sort(into);
  tally_free(&twice);
  return good;
}

ticks_t bounds_lock_time(const struct tally *times, uint32_t id) {
  size_t num;
  const struct tally_row *rows = tally_of(times, id, &num);
  return num == 0 ? 0 : rows[0].total;
}

ticks_t bounds_method_time(const struct bounds *b, uint32_t method) {
  ticks_t time = 0;
  for (size_t i = 0; i < b->num_parts; i++) {
    const struct bounds_part *part = &b->parts[i];
    bool is_here = part->place != 0 && place_method(part->place) == method;
    if (is_here && part->reason == PATH_RUNS) time += part->time;
  }
  return time;
}

/* Who needs less CPU time waits less for a CPU. */
ticks_t bounds_method_wait(const struct bounds *b, uint32_t method) {
  ticks_t ran = 0, queued = 0;
  for (size_t i = 0; i < b->num_parts; i++) {
    if (b->parts[i].reason == PATH_RUNS) ran += b->parts[i].time;
    if (b->parts[i].reason == PATH_QUEUED) queued += b->parts[i].time;
  }
  double part = ran == 0 ? 0 : (double)bounds_method_time(b, method) / (double)ran;
  return (ticks_t)((double)queued * part);
}

bool bounds_is_rest(const struct bounds *b) {
  ticks_t rest = 0;
  for (size_t i = 0; i < b->num_parts; i++) {
    bool sleeps = b->parts[i].reason == PATH_SLEEPS || b->parts[i].reason == PATH_TIMEOUT;
    if (sleeps && !b->parts[i].has_lock) rest += b->parts[i].time;
  }
  return rest * 2 >= b->work;
}

static void free_pool(struct bounds_pool *pool) {
  free(pool->title);
  tally_free(&pool->workers);
  tally_free(&pool->queued_at);
}

void bounds_free(struct bounds *b) {
  tally_free(&b->locks);
  free(b->nested);
  free(b->stretches);
  free_pool(&b->pool);
  for (size_t i = 0; i < b->num_crowded; i++) free_pool(&b->crowded[i]);
  *b = (struct bounds){0};
}
