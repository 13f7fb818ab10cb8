#include "tools/orca/causal/trace/trace_pools.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/names.h"

#define NEAR 16          /* operations between the TaskQueued and the ThreadStart of one execute */
#define LEAST_LIVING 0.9 /* of the threads of a pool, while tasks are in its queue */
#define MOST_FULL 0.9    /* of the time in which tasks wait, so that all threads were busy */
#define DISORDER 0.02    /* tasks that overtake others, as part of all */
#define SLACK                                                                        \
  (TICKS_PER_S / 1000) /* threads that queue tasks at the same time are in any order \
                        */
#define LONGEST_HAND_OFF (50 * 1000 * 1000 * TICKS_PER_NS)

/* --- places ------------------------------------------------------------------------------- */

static bool has_method(const struct trace *t, stack_id_t stack, const char *pattern) {
  return names_stack_matches(t->model->dump, &t->model->stacks, stack, pattern);
}

enum trace_pool_place trace_pools_place(const struct trace_pools *p, const struct trace_op *op) {
  unsigned char *place = &p->places[op->stack];
  if (op->stack == 0) return TRACE_POOL_TASK;
  if (*place == TRACE_POOL_UNKNOWN) {
    *place = TRACE_POOL_TASK;
    if (has_method(p->trace, op->stack, "ThreadPoolExecutor.getTask")) *place = TRACE_POOL_ASKS;
    if (has_method(p->trace, op->stack, "ThreadPoolExecutor.processWorkerExit"))
      *place = TRACE_POOL_EXITS;
  }
  return *place;
}

/* --- threads ------------------------------------------------------------------------------ */

static size_t stem_length(const char *name) {
  size_t length = strlen(name), end = length;
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') end--;
  return end == 0 ? length : end;
}

static const char *name_of(const struct trace *t, uint32_t row) {
  const struct thread *thread = threads_find(&t->model->threads, t->threads[row].hash);
  return thread == NULL || thread->name == NULL ? "" : thread->name;
}

/* "pool-2-thread-" is the pool-2, "worker-" the pool worker-…, "mailer" the pool mailer. */
static char *make_title(const char *name, size_t stem) {
  static const char tail[] = "-thread-";
  struct builder b = {0};
  size_t length = stem;
  bool has_number = name[stem] != '\0';
  bool is_default =
      stem > sizeof tail - 1 && memcmp(name + stem - (sizeof tail - 1), tail, sizeof tail - 1) == 0;
  if (is_default) length -= sizeof tail - 1;
  builder_bytes(&b, name, length);
  if (stem == 0) builder_string(&b, "(no name)");
  if (has_number && !is_default) builder_string(&b, "…");
  builder_char(&b, '\0');
  if (!b.failed) return b.data;
  builder_free(&b);
  return NULL;
}

/* Whether the pool started the thread. `*out_task`: for a task. */
static bool is_started_by_pool(const struct trace *t, const struct trace_op *start,
                               bool *out_task) {
  if (start->kind != TRACE_STARTED || start->cause != TRACE_BY_OP) return false;
  stack_id_t stack = t->ops[start->cause_op - 1].stack;
  if (!has_method(t, stack, "ThreadPoolExecutor.addWorker")) return false;
  *out_task = has_method(t, stack, "ThreadPoolExecutor.execute");
  return true;
}

struct worker {
  bool is_worker;
  uint32_t queue;
};

static void note_worker(const struct trace_pools *p, struct worker *workers,
                        const struct trace_op *op) {
  struct worker *w = &workers[op->thread];
  bool asks = trace_pools_place(p, op) == TRACE_POOL_ASKS, has_task;
  w->is_worker |=
      asks || op->event == EVENT_TASK_TAKEN || is_started_by_pool(p->trace, op, &has_task);
  if (asks && op->kind == TRACE_REMOVE && w->queue == 0) w->queue = op->object;
}

/* Finds or adds the pool of a thread. A thread that never asked for a task has no queue: it belongs
   to the pool with the same names. Returns the pool plus one; 0: memory ran out. */
static uint32_t pool_of(struct trace_pools *p, uint32_t queue, const char *name) {
  size_t stem = stem_length(name);
  for (size_t i = 0; i < p->num; i++) {
    const struct trace_pool *pool = &p->pools[i];
    bool has_name = strncmp(pool->stem, name, stem) == 0 && pool->stem[stem] == '\0';
    if (queue == 0 ? has_name : pool->queue == queue) return (uint32_t)i + 1;
  }
  struct trace_pool *pools = grow(p->pools, p->num, &p->capacity, sizeof *pools);
  if (pools == NULL) return 0;
  p->pools = pools;
  pools[p->num] = (struct trace_pool){.title = make_title(name, stem),
                                      .stem = strndup(name, stem),
                                      .queue = queue,
                                      .is_in_order = true};
  p->num++;
  return pools[p->num - 1].title == NULL || pools[p->num - 1].stem == NULL ? 0 : (uint32_t)p->num;
}

static bool find_workers(struct trace_pools *p) {
  const struct trace *t = p->trace;
  struct worker *workers = calloc(t->num_threads + 1, sizeof *workers);
  bool good = workers != NULL;
  for (size_t i = 0; good && i < t->num_ops; i++) note_worker(p, workers, &t->ops[i]);
  for (int has_queue = 1; good && has_queue >= 0; has_queue--) {
    for (uint32_t i = 0; good && i < t->num_threads; i++) {
      if (!workers[i].is_worker || (workers[i].queue != 0) != (has_queue != 0)) continue;
      p->of_thread[i] = pool_of(p, workers[i].queue, name_of(t, i));
      good = p->of_thread[i] != 0;
    }
  }
  free(workers);
  return good;
}

/* --- tasks -------------------------------------------------------------------------------- */

/* The TaskQueued of the execute that started a thread, as operation plus one; 0: not found. */
static uint32_t find_first_queued(const struct trace *t, const struct trace_op *started) {
  uint32_t at = started->cause_op;
  for (unsigned i = 0; at != 0 && i < NEAR; i++) {
    if (t->ops[at - 1].event == EVENT_TASK_QUEUED) return at;
    at = t->ops[at - 1].before;
  }
  return 0;
}

/* `queued`: when it was queued, if `queue_op` is 0. */
static bool begin_task(struct trace_pools *p, uint32_t op, uint32_t queue_op, ticks_t queued) {
  const struct trace *t = p->trace;
  const struct trace_op *first = &t->ops[op - 1];
  struct trace_task *tasks = grow(p->tasks, p->num_tasks, &p->tasks_capacity, sizeof *tasks);
  if (tasks == NULL) return false;
  p->tasks = tasks;
  tasks[p->num_tasks++] =
      (struct trace_task){.pool = p->of_thread[first->thread] - 1,
                          .thread = first->thread,
                          .queue_op = queue_op,
                          .first_op = op,
                          .queued = queue_op == 0 ? queued : t->ops[queue_op - 1].begin,
                          .begin = first->begin};
  return hashmap_put(&p->of_op, op, p->num_tasks) &&
         (queue_op == 0 || hashmap_put(&p->of_op, queue_op, p->num_tasks));
}

static void end_task(struct trace_pools *p, uint32_t *current, uint32_t op) {
  if (*current == 0) return;
  struct trace_task *task = &p->tasks[*current - 1];
  bool is_open = p->trace->ops[op - 1].open && p->trace->ops[op - 1].kind == TRACE_ENDED;
  task->end = p->trace->ops[op - 1].begin;
  if (!is_open) task->end_op = op;
  *current = 0;
}

/* What find_tasks knows at an operation. */
struct tasks_now {
  uint32_t *current;          /* by thread: its task plus one */
  struct task_queues waiting; /* `mark`: the TaskQueued plus one */
  struct hashmap takers;      /* object of tasks that wait -> the pool that took one, plus one */
};

static bool starts_worker(const struct trace *t, const struct trace_op *op) {
  return op->event == EVENT_THREAD_START &&
         has_method(t, op->stack, "ThreadPoolExecutor.addWorker") &&
         has_method(t, op->stack, "ThreadPoolExecutor.execute");
}

static bool queue_task(struct tasks_now *now, const struct trace_op *op, uint32_t number) {
  struct wake_signal queued = {op->begin, op->thread, op->event, number};
  return task_queues_put(&now->waiting, op->object, 0, &queued);
}

/* Finds the TaskQueued (plus one) of the task that a worker takes; 0: not known. If tasks of one
   object wait in several pools, it is not known which one is in which queue. */
static bool take_task(struct trace_pools *p, struct tasks_now *now, const struct trace_op *op,
                      uint32_t *out) {
  struct wake_signal queued;
  bool is_certain;
  uint32_t pool = p->of_thread[op->thread];
  uint64_t *taker = hashmap_at(&now->takers, op->object);
  if (taker == NULL) return false;
  if (*taker != 0 && *taker != pool) {
    p->pools[*taker - 1].is_mixed = p->pools[pool - 1].is_mixed = true;
  }
  bool is_known = task_queues_take(&now->waiting, op->object, &queued, &is_certain);
  *out = is_known ? (uint32_t)queued.mark : 0;
  *taker = task_queues_has(&now->waiting, op->object) ? pool : 0;
  return true;
}

/* Takes the next operation of all threads. */
static bool take_op(struct trace_pools *p, uint32_t number, struct tasks_now *now) {
  const struct trace *t = p->trace;
  const struct trace_op *op = &t->ops[number - 1];
  uint32_t queue_op = 0;
  bool has_task = false;
  if (op->event == EVENT_TASK_QUEUED) return queue_task(now, op, number);
  if (starts_worker(t, op)) task_queues_withdraw(&now->waiting, op->thread);
  if (p->of_thread[op->thread] == 0) return true;
  bool is_taken = op->event == EVENT_TASK_TAKEN;
  bool is_between = trace_pools_place(p, op) != TRACE_POOL_TASK && !is_taken;
  if (is_taken || is_between || op->kind == TRACE_ENDED) {
    end_task(p, &now->current[op->thread], number);
  }
  if (is_taken && !take_task(p, now, op, &queue_op)) return false;
  if (!is_taken && is_started_by_pool(t, op, &has_task) && has_task) {
    queue_op = find_first_queued(t, op);
  }
  if (!is_taken && queue_op == 0) return true;
  /* A worker without a task of its own can take the one for which it was started. */
  bool was_queued = queue_op != 0 || task_queues_had(&now->waiting, op->object);
  if (!was_queued) p->pools[p->of_thread[op->thread] - 1].unqueued++;
  now->current[op->thread] = (uint32_t)p->num_tasks + 1;
  return begin_task(p, number, queue_op, was_queued ? op->begin : t->begin);
}

static bool find_tasks(struct trace_pools *p) {
  const struct trace *t = p->trace;
  struct tasks_now now = {.current = calloc(t->num_threads + 1, sizeof *now.current)};
  bool good = now.current != NULL;
  for (uint32_t i = 1; good && i <= t->num_ops; i++) good = take_op(p, i, &now);
  for (size_t i = 0; good && i < p->num_tasks; i++) {
    if (p->tasks[i].end == 0) p->tasks[i].end = t->end;
  }
  task_queues_free(&now.waiting);
  hashmap_free(&now.takers);
  free(now.current);
  return good;
}

/* --- figures ------------------------------------------------------------------------------ */

/* What happens in a pool while its figures are computed. */
struct pool_now {
  size_t living, idle, waiting; /* threads, threads without a task, tasks in the queue */
  ticks_t since;
  ticks_t last_queued; /* the latest of the tasks that were taken */
  double lived;        /* sum of the times of its threads while tasks were in the queue */
  uint64_t overtaken, hand_offs;
  ticks_t handed;
};

struct thread_now {
  bool is_in, is_idle; /* in the pool; without a task */
  ticks_t idle_since;
};

static void pass_time(struct trace_pool *pool, struct pool_now *now, ticks_t time) {
  ticks_t passed = time > now->since ? time - now->since : 0;
  if (now->waiting > 0) pool->waiting += passed;
  if (now->waiting > 0) now->lived += (double)passed * (double)now->living;
  if (now->waiting > 0 && now->idle == 0 && now->living > 0) pool->full += passed;
  if (time > now->since) now->since = time;
}

static void set_idle(struct pool_now *now, struct thread_now *thread, bool is_idle, ticks_t time) {
  if (is_idle && !thread->is_idle) thread->idle_since = time;
  now->idle += is_idle && !thread->is_idle;
  now->idle -= !is_idle && thread->is_idle;
  thread->is_idle = is_idle;
}

static void set_in(struct trace_pool *pool, struct pool_now *now, struct thread_now *thread,
                   bool is_in) {
  now->living += is_in && !thread->is_in;
  now->living -= !is_in && thread->is_in;
  if (now->living > pool->threads) pool->threads = now->living;
  thread->is_in = is_in;
}

static void note_taken(struct trace_pool *pool, struct pool_now *now, struct thread_now *thread,
                       const struct trace_task *task) {
  ticks_t from = task->queued > thread->idle_since ? task->queued : thread->idle_since;
  ticks_t hand_off = task->begin > from ? task->begin - from : 0;
  bool waited = thread->is_idle && task->queued > thread->idle_since;
  if (task->queue_op != 0 && task->queued + SLACK < now->last_queued) now->overtaken++;
  if (task->queued > now->last_queued) now->last_queued = task->queued;
  if (waited) {
    now->handed += hand_off < LONGEST_HAND_OFF ? hand_off : LONGEST_HAND_OFF;
    now->hand_offs++;
  }
  ticks_t queued = task->begin > task->queued ? task->begin - task->queued : 0;
  pool->tasks++;
  pool->queued += queued;
  if (queued > pool->longest) pool->longest = queued;
  pool->ran += task->end > task->begin ? task->end - task->begin : 0;
  if (now->waiting > 0) now->waiting--;
}

enum { NOT_TIMED = 1, TIMED }; /* in `timed` */

static bool is_timed(const struct trace_pools *p, const struct trace_op *queued) {
  unsigned char *timed = &p->timed[queued->stack];
  if (*timed == 0) {
    size_t depth = 0;
    const struct model *m = p->trace->model;
    const struct frame *frames =
        queued->stack == 0 ? NULL : stacks_frames(&m->stacks, queued->stack, &depth);
    bool is = depth > 0 && queued_tasks_method_is_timed(m->dump, frames[0].method);
    *timed = is ? TIMED : NOT_TIMED;
  }
  return *timed == TIMED;
}

static void count_queued(struct trace_pools *p, struct pool_now *nows, uint32_t number) {
  uint32_t task = trace_pools_task(p, number);
  if (task == 0) return;
  const struct trace_op *op = &p->trace->ops[number - 1];
  uint32_t row = p->tasks[task - 1].pool;
  pass_time(&p->pools[row], &nows[row], op->begin);
  nows[row].waiting++;
  p->pools[row].is_timed = p->pools[row].is_timed || is_timed(p, op);
}

static void count_op(struct trace_pools *p, struct pool_now *nows, struct thread_now *threads,
                     uint32_t number) {
  const struct trace_op *op = &p->trace->ops[number - 1];
  if (op->event == EVENT_TASK_QUEUED) count_queued(p, nows, number);
  if (p->of_thread[op->thread] == 0) return;
  uint32_t row = p->of_thread[op->thread] - 1, task = trace_pools_task(p, number);
  struct trace_pool *pool = &p->pools[row];
  struct pool_now *now = &nows[row];
  struct thread_now *thread = &threads[op->thread];
  pass_time(pool, now, op->begin);
  bool begins_task = task != 0 && p->tasks[task - 1].first_op == number;
  enum trace_pool_place place = trace_pools_place(p, op);
  bool leaves = place == TRACE_POOL_EXITS || op->kind == TRACE_ENDED;
  if (begins_task) note_taken(pool, now, thread, &p->tasks[task - 1]);
  bool asks = place == TRACE_POOL_ASKS && op->event != EVENT_TASK_TAKEN;
  set_idle(now, thread, asks || (thread->is_idle && !begins_task && !leaves), op->begin);
  set_in(pool, now, thread, !leaves);
}

static bool count(struct trace_pools *p) {
  const struct trace *t = p->trace;
  struct pool_now *nows = calloc(p->num + 1, sizeof *nows);
  struct thread_now *threads = calloc(t->num_threads + 1, sizeof *threads);
  bool good = nows != NULL && threads != NULL;
  for (size_t i = 0; good && i < p->num_tasks; i++) {
    if (p->tasks[i].queue_op == 0) nows[p->tasks[i].pool].waiting++;
  }
  for (size_t i = 0; good && i < p->num; i++) nows[i].since = t->begin;
  for (uint32_t i = 1; good && i <= t->num_ops; i++) count_op(p, nows, threads, i);
  for (size_t i = 0; good && i < p->num; i++) {
    struct trace_pool *pool = &p->pools[i];
    pool->is_in_order =
        !pool->is_mixed && (double)nows[i].overtaken <= DISORDER * (double)pool->tasks;
    if (pool->waiting > 0) pool->living = nows[i].lived / (double)pool->waiting;
    if (nows[i].hand_offs > 0) pool->hand_off = (double)nows[i].handed / (double)nows[i].hand_offs;
  }
  free(nows);
  free(threads);
  return good;
}

bool trace_pools_find(struct trace_pools *p, const struct trace *t) {
  *p = (struct trace_pools){.trace = t};
  p->of_thread = calloc(t->num_threads + 1, sizeof *p->of_thread);
  p->places = calloc(t->model->stacks.num + 1, sizeof *p->places);
  p->timed = calloc(t->model->stacks.num + 1, sizeof *p->timed);
  return p->of_thread != NULL && p->places != NULL && p->timed != NULL && find_workers(p) &&
         find_tasks(p) && count(p);
}

/* --- questions ---------------------------------------------------------------------------- */

uint32_t trace_pools_task(const struct trace_pools *p, uint32_t op) {
  uint64_t task = 0;
  hashmap_get(&p->of_op, op, &task);
  return (uint32_t)task;
}

bool trace_pool_matches(const struct trace_pool *pool, const char *pattern) {
  size_t length = strlen(pattern);
  if (length >= 3 && strcmp(pattern + length - 3, "...") == 0) length -= 3;
  bool is_stem = strncmp(pool->stem, pattern, length) == 0 && pool->stem[length] == '\0';
  return is_stem || strcmp(pool->title, pattern) == 0 || fnmatch(pattern, pool->title, 0) == 0 ||
         fnmatch(pattern, pool->stem, 0) == 0;
}

bool trace_pool_is_full(const struct trace_pool *pool) {
  return pool->waiting > 0 && !pool->is_mixed &&
         pool->living >= LEAST_LIVING * (double)pool->threads &&
         (double)pool->full >= MOST_FULL * (double)pool->waiting;
}

void trace_pools_free(struct trace_pools *p) {
  for (size_t i = 0; i < p->num; i++) {
    free(p->pools[i].title);
    free(p->pools[i].stem);
  }
  free(p->pools);
  free(p->of_thread);
  free(p->tasks);
  free(p->places);
  free(p->timed);
  hashmap_free(&p->of_op);
  *p = (struct trace_pools){0};
}
