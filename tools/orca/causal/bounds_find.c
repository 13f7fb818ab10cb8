#include "tools/orca/causal/bounds_find.h"

#include <stdlib.h>

#include "tools/orca/causal/bounds_gain.h"
#include "tools/orca/causal/bounds_pools.h"
#include "tools/orca/causal/path/path_stretches.h"
#include "tools/orca/causal/path/path_table.h"
#include "tools/orca/model/base/sorting.h"

/* The bounds are unknown if so much of the paths has an unknown cause. I/O is one, too: who sent
   what a thread read, or what another process did meanwhile, has no events. */
#define MOST_UNKNOWN 0.2

/* A thread of a service counts if it worked for this part of the recording. */
#define LEAST_WORK 0.1

/* Only these many threads, those that worked most. */
#define MOST_THREADS 16

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
  const struct trace *t = table->trace;
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
    const struct lock *lock = row->lock == 0 ? NULL : find_lock(t->model, &t->locks[row->lock - 1]);
    rows[b->num_parts] = row;
    b->parts[b->num_parts++] =
        (struct bounds_part){.words = path_reason_words[row->reason],
                             .runs = row->reason == PATH_RUNS,
                             .queues = row->reason == PATH_QUEUED,
                             .sleeps = row->reason == PATH_SLEEPS || row->reason == PATH_TIMEOUT,
                             .lock_id = lock == NULL ? BOUNDS_NO_LOCK : lock->id,
                             .place = row->place,
                             .time = row->time};
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
                                .reason = (int)piece->reason,
                                .thread = t->threads[piece->thread].hash,
                                .lock = piece->lock == 0 ? 0 : t->locks[piece->lock - 1].object,
                                .stack = piece->stack};
  }
  free(rows);
  return b->stretches != NULL;
}

static double find_cpu_part(const struct trace *t) {
  const struct model *m = t->model;
  uint64_t ns = m->process.known ? m->process.cpu_ns : m->cpu.total_ns;
  double time = (double)recording_time(&m->recording) / TICKS_PER_NS;
  return t->cpus <= 0 || time <= 0 ? 0 : (double)ns / (time * t->cpus);
}

struct ranked {
  struct lock lock;
  ticks_t on_path;
};

static int compare_ranked(const void *left, const void *right) {
  const struct ranked *a = left, *b = right;
  if (a->on_path != b->on_path) return compare_numbers(b->on_path, a->on_path);
  return a->lock.blocked != b->lock.blocked ? compare_numbers(b->lock.blocked, a->lock.blocked)
                                            : compare_numbers(a->lock.id, b->lock.id);
}

static bool rank_locks(struct locks *locks, const struct bounds *b) {
  struct ranked *ranked = calloc(locks->num + 1, sizeof *ranked);
  if (ranked == NULL) return false;
  for (size_t i = 0; i < locks->num; i++) {
    const struct lock *lock = &locks->rows[i];
    ranked[i] = (struct ranked){*lock, bounds_lock_time(&b->locks, lock->id)};
  }
  qsort(ranked, locks->num, sizeof *ranked, compare_ranked);
  for (size_t i = 0; i < locks->num; i++) locks->rows[i] = ranked[i].lock;
  free(ranked);
  return true;
}

static bool fill(struct bounds *b, struct path *p, struct path_table *table) {
  struct model *m = p->trace->model;
  if (!add_paths(b, p, table) || !path_table_end(table)) return false;
  b->work = p->total - p->times[PATH_IDLE];
  double most = MOST_UNKNOWN * (double)b->work;
  if (b->work == 0 || (double)p->times[PATH_EXTERNAL] > most) return true;
  if (b->of_run && !bounds_pools_find(b, p)) return false;
  b->pool.has_io = (double)(p->times[PATH_EXTERNAL] + p->times[PATH_OFF_CPU]) > most;
  if (b->pool.has_io) return true;
  if (!add_locks(b, p)) return false;
  if (b->of_run && !add_stretches(b, p)) return false;
  add_parts(b, table);
  b->cpu_part = find_cpu_part(p->trace);
  b->known = true;
  return rank_locks(&m->locks, b);
}

bool bounds_find(struct model *m) {
  struct span threshold;
  bool is_complete = !m->matcher.active && !dump_is_lossy(m->dump) &&
                     !dump_threshold(m->dump, &threshold) &&
                     m->recording.all_events + m->recording.all_samples <= BOUNDS_LINES;
  if (!is_complete) return true;
  struct trace t;
  struct path p = {0};
  struct path_table table = {0};
  bool good = trace_read(&t, m, BOUNDS_LINES);
  if (good && !t.is_too_long) {
    good = path_start(&p, &t) && fill(&m->bounds, &p, &table);
  }
  path_table_free(&table);
  path_free(&p);
  trace_free(&t);
  return good && bounds_gain_find(m);
}
