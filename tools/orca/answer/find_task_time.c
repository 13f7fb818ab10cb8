/* Threads whose tasks hold up others: of a timer, of a ForkJoinPool, and those that run the tasks
   of a full pool themselves. */
#include <string.h>

#include "tools/orca/answer/find.h"

#define BUSY_PERCENT 25   /* of the recording, and of the life of a thread: a timer in its tasks */
#define FULL_PERCENT 75   /* of the lives of all workers of a ForkJoinPool */
#define CALLER_PERCENT 25 /* of the recording: a thread in tasks of a full pool */
#define WAIT_PERCENT 10   /* of the recording: a thread that waits for the result of a task */
#define MOST_WORK 2       /* the work that is named is at least one part in so many */
#define TIMERS_TOLD 2

/* --- time in tasks -------------------------------------------------------------------------- */

/* What some threads did in tasks that a kind of runner ran. */
struct task_time {
  enum task_runner runner;
  struct tally threads;           /* group 0: thread; its time in tasks */
  ticks_t total;                  /* of them all */
  const struct spending_row *row; /* with most of it; NULL: there is none with much of it */
  ticks_t row_time;
};

/* `belongs` returns whether a thread counts. */
typedef bool belongs_t(const struct model *m, uint32_t thread, const void *arg);

static const struct spending_row *find_row(const struct spending *s, uint32_t id) {
  for (size_t i = 0; i < s->num; i++) {
    if (s->rows[i].id == id) return &s->rows[i];
  }
  return NULL;
}

static void find_task_times(const struct finder *f, enum task_runner runner, belongs_t *belongs,
                            const void *arg, struct task_time *out) {
  const struct spending *s = &f->m->spending;
  struct tally rows = {0}; /* group 0: row; its time in these tasks */
  size_t num;
  const struct tally_row *tasks = tally_of(&s->tasks, runner, &num);
  for (size_t i = 0; i < num; i++) {
    uint32_t row = (uint32_t)(tasks[i].key >> 32), thread = (uint32_t)tasks[i].key;
    if (!belongs(f->m, thread, arg)) continue;
    out->total += tasks[i].total;
    f->out->failed |= !tally_add(&out->threads, 0, thread, 1, tasks[i].total) ||
                      !tally_add(&rows, 0, row, 1, tasks[i].total);
  }
  tally_sort(&out->threads);
  tally_sort(&rows);
  const struct tally_row *most = tally_of(&rows, 0, &num);
  out->runner = runner;
  out->row_time = num == 0 ? 0 : most->total;
  if (num > 0 && out->row_time * MOST_WORK >= out->total)
    out->row = find_row(s, (uint32_t)most->key);
  tally_free(&rows);
}

static void free_task_time(struct task_time *t) { tally_free(&t->threads); }

static bool is_any(const struct model *m, uint32_t thread, const void *arg) {
  (void)m, (void)thread, (void)arg;
  return true;
}

static bool is_thread(const struct model *m, uint32_t thread, const void *arg) {
  (void)m;
  return thread == *(const uint32_t *)arg;
}

/* Whether the threads waited, and not for a lock: of locks and CPU time other findings tell. */
static bool rests(const struct task_time *t) {
  if (t->row == NULL) return false;
  enum activity activity = t->row->activity;
  bool is_lock = t->row->call >= 0 && lock_event_asks((enum event_kind)t->row->call);
  return !is_lock && (activity == ACTIVITY_WAITS || activity == ACTIVITY_SLEEPS ||
                      activity == ACTIVITY_PARKED || activity == ACTIVITY_IO);
}

/* A stack of such a task at the place of the row. */
static stack_id_t find_stack(const struct model *m, const struct task_time *t) {
  for (stack_id_t id = 1; id <= m->stacks.num; id++) {
    if (stacks_place(&m->stacks, id) == t->row->place &&
        stacks_activity(&m->stacks, id) == t->row->activity &&
        task_runner_of_stack(&m->stacks, m->dump, id) == t->runner) {
      return id;
    }
  }
  return t->row->stack;
}

static void add_work(const struct finder *f, const struct task_time *t, struct found_rows *out) {
  struct found_rest *rest = rests(t) ? FINDINGS_PART(f->out, out, rest) : NULL;
  if (rest == NULL) return;
  *rest = find_rest(f, t->row);
  rest->threads = name_threads(f, &t->threads, 0);
  rest->num_threads = count_threads(&t->threads, 0);
  rest->total = found_ns(t->row_time);
  rest->calls = 0; /* they may be those of other threads, too */
  rest->caller = name_caller(f, find_stack(f->m, t));
}

static ticks_t find_lived(const struct model *m, uint32_t thread) {
  const struct thread *t = threads_find(&m->threads, thread);
  return t == NULL ? 0 : t->last - t->first;
}

/* --- timers --------------------------------------------------------------------------------- */

/* Whether only this thread took tasks from the queue of a ScheduledThreadPoolExecutor. */
static bool is_only_scheduler(const struct model *m, uint32_t thread) {
  const struct stalls *stalls = &m->stalls;
  for (size_t i = 0; i < stalls->num; i++) {
    const struct stall *s = &stalls->rows[i];
    const struct class_line *class = dump_class(m->dump, s->class_id);
    bool is_queue =
        s->kind == EVENT_QUEUE_REMOVE && s->object != 0 && class != NULL &&
        place_is_class(class->signature,
                       "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue");
    size_t num = 0;
    const struct tally_row *rows = is_queue ? tally_of(&stalls->threads, s->id, &num) : NULL;
    if (num == 1 && rows[0].key == thread) return true;
  }
  return false;
}

/* A task holds up the others of its timer. Other threads at the same place wait for the same. */
static bool add_timer(const struct finder *f, enum task_runner runner, uint32_t thread) {
  struct task_time t = {0};
  find_task_times(f, runner, is_thread, &thread, &t);
  ticks_t lived = find_lived(f->m, thread), recorded = recording_time(&f->m->recording);
  bool is_busy = t.total * 100 >= lived * BUSY_PERCENT &&
                 t.total * 100 >= recorded * BUSY_PERCENT && rests(&t);
  bool is_told = is_busy && (runner == RUNNER_TIMER || is_only_scheduler(f->m, thread));
  if (is_told) {
    struct found_timer out = {.thread = name_thread(f, thread),
                              .is_executor = runner == RUNNER_SCHEDULER,
                              .busy = found_ns(t.total),
                              .lived = found_ns(lived)};
    add_work(f, &t, &out.work);
    FINDINGS_ADD(f->out, timer, t.total > t.row->total ? t.total : t.row->total, &out);
  }
  free_task_time(&t);
  return is_told;
}

static void find_timers(const struct finder *f, enum task_runner runner) {
  struct task_time all = {0};
  size_t num, told = 0;
  find_task_times(f, runner, is_any, NULL, &all);
  const struct tally_row *threads = tally_of(&all.threads, 0, &num);
  for (size_t i = 0; i < num && told < TIMERS_TOLD; i++) {
    told += add_timer(f, runner, (uint32_t)threads[i].key);
  }
  free_task_time(&all);
}

/* --- workers of a ForkJoinPool -------------------------------------------------------------- */

/* "ForkJoinPool.commonPool" of its worker, by the name of the thread. Returns its length; 0: the
   thread has another name. */
static size_t find_pool_name(const struct model *m, uint32_t thread, const char **out) {
  const struct thread *t = threads_find(&m->threads, thread);
  const char *end = t == NULL || t->name == NULL ? NULL : strstr(t->name, "-worker-");
  *out = end == NULL ? NULL : t->name;
  return end == NULL ? 0 : (size_t)(end - t->name);
}

struct pool_name {
  const char *text;
  size_t length;
};

static bool is_worker(const struct model *m, uint32_t thread, const void *arg) {
  const struct pool_name *pool = arg;
  const char *name;
  size_t length = find_pool_name(m, thread, &name);
  return length != 0 && length == pool->length && memcmp(name, pool->text, length) == 0;
}

/* Returns the sum of the lives of all workers. */
static ticks_t find_workers(const struct model *m, const struct pool_name *pool,
                            uint64_t *out_num) {
  ticks_t lived = 0;
  *out_num = 0;
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    if (!is_worker(m, t->hash, pool)) continue;
    lived += t->last - t->first;
    ++*out_num;
  }
  return lived;
}

/* Threads outside of the pool that waited for results. The rows are sorted by their time. */
static void add_result_wait(const struct finder *f, const struct pool_name *pool,
                            struct found_rows *out) {
  const struct spending *s = &f->m->spending;
  for (size_t i = 0; i < s->num; i++) {
    const struct spending_row *row = &s->rows[i];
    bool is_long = row->total * 100 >= recording_time(&f->m->recording) * WAIT_PERCENT;
    bool is_result = row->call >= 0 && event_infos[row->call].group == GROUP_FUTURE;
    size_t num;
    const struct tally_row *threads = tally_of(&s->threads, row->id, &num);
    if (!is_long || !is_result || num == 0 || is_worker(f->m, (uint32_t)threads[0].key, pool)) {
      continue;
    }
    struct found_rest *rest = FINDINGS_PART(f->out, out, rest);
    if (rest != NULL) *rest = find_rest(f, row);
    return;
  }
}

static void add_busy_workers(const struct finder *f, const struct pool_name *pool) {
  struct task_time t = {0};
  find_task_times(f, RUNNER_FORK_JOIN, is_worker, pool, &t);
  uint64_t workers;
  ticks_t lived = find_workers(f->m, pool, &workers), recorded = recording_time(&f->m->recording);
  bool is_full = t.total * 100 >= lived * FULL_PERCENT &&
                 t.total * 100 >= recorded * BUSY_PERCENT && rests(&t);
  if (is_full) {
    struct builder name = {0};
    builder_bytes(&name, pool->text, pool->length);
    struct found_busy_workers out = {.name = findings_text(f->out, &name),
                                     .threads = workers,
                                     .busy = found_ns(t.total),
                                     .lived = found_ns(lived)};
    add_work(f, &t, &out.work);
    add_result_wait(f, pool, &out.waits);
    FINDINGS_ADD(f->out, busy_workers, t.total > t.row->total ? t.total : t.row->total, &out);
  }
  free_task_time(&t);
}

/* The pool whose workers had most time in tasks. What a carrier does is what its virtual threads
   do. */
static void find_busy_workers(const struct finder *f) {
  struct task_time all = {0};
  struct pool_name pool;
  find_task_times(f, RUNNER_FORK_JOIN, is_any, NULL, &all);
  uint32_t worker = (uint32_t)tally_best(&all.threads, 0);
  bool is_of_pool = worker != 0 && !is_carrier(f->m->dump, worker);
  pool.length = !is_of_pool ? 0 : find_pool_name(f->m, worker, &pool.text);
  if (pool.length != 0) add_busy_workers(f, &pool);
  free_task_time(&all);
}

/* --- callers that run tasks ----------------------------------------------------------------- */

/* The place of the program that gave the task to the pool. */
static struct named_place find_submitter(const struct finder *f, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&f->m->stacks, stack, &depth);
  size_t at = 0;
  while (at < depth && task_runner_of_method(f->m->dump, frames[at].method) != RUNNER_CALLER) at++;
  while (at < depth && place_is_platform(f->m->dump, frames[at].method)) at++;
  bool is_known = at < depth && !pseudo_is(frames[at].method);
  return name_place(f, is_known ? place_of_frame(f->m->dump, frames[at]) : 0);
}

/* The queue of the pool is full: that is the reason, and the caller what others wait for. */
static ticks_t find_weight(const struct findings *f, ticks_t time) {
  ticks_t weight = time;
  for (size_t i = 0; i < f->num; i++) {
    bool is_less = f->rows[i].kind == FINDING_pool && f->rows[i].weight >= weight;
    if (is_less) weight = f->rows[i].weight + 1;
  }
  return weight;
}

static void find_callers(const struct finder *f) {
  struct task_time t = {0};
  find_task_times(f, RUNNER_CALLER, is_any, NULL, &t);
  ticks_t recorded = recording_time(&f->m->recording);
  if (t.total > 0 && t.total * 100 >= recorded * CALLER_PERCENT && rests(&t)) {
    struct found_caller_runs out = {.threads = name_threads(f, &t.threads, 0),
                                    .num_threads = count_threads(&t.threads, 0),
                                    .busy = found_ns(t.total),
                                    .submitted_at = find_submitter(f, find_stack(f->m, &t))};
    add_work(f, &t, &out.work);
    FINDINGS_ADD(f->out, caller_runs, find_weight(f->out, t.total), &out);
  }
  free_task_time(&t);
}

/* --- all -------------------------------------------------------------------------------------- */

void find_task_time(const struct finder *f) {
  if (filter_has_patterns(&f->m->matcher.filter)) return;
  find_callers(f);
  find_timers(f, RUNNER_TIMER);
  find_timers(f, RUNNER_SCHEDULER);
  find_busy_workers(f);
}
