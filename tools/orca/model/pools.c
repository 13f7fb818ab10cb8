#include "tools/orca/model/pools.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"

static struct pool *get_pool(struct pools *p, uint32_t executor) {
  bool is_new;
  struct pool *pool = rows_at(&p->pool_ids, executor, &p->pools, &p->num_pools, &p->pools_capacity,
                              sizeof *pool, &is_new);
  if (pool != NULL) pool->executor = executor;
  return pool;
}

const struct pool *pools_find(const struct pools *p, uint32_t executor) {
  uint64_t at = 0;
  hashmap_get(&p->pool_ids, executor, &at);
  return at == 0 ? NULL : &p->pools[at - 1];
}

bool pool_is_complete(const struct pools *p, const struct pool *pool) {
  const struct pool_size *size = &pool->size;
  bool is_endless = size->capacity == POOL_ENDLESS;
  int32_t least = size->core > 0 ? size->core : 1;
  bool is_known = size->maximum > 0 && size->capacity >= 0;
  bool may_refuse = !is_endless && (pool->may_refuse || p->has_older_calls);
  return is_known && !may_refuse && !pool->is_shared &&
         pool->num_workers >= (size_t)(is_endless ? least : size->maximum);
}

uint32_t pools_task_of(const struct pools *p, uint32_t future) {
  uint64_t task = future;
  hashmap_get(&p->futures, future, &task);
  return (uint32_t)task;
}

bool pools_has_taken(const struct pools *p, uint32_t thread, uint32_t future) {
  uint64_t at = 0;
  hashmap_get(&p->worker_ids, thread, &at);
  uint32_t task = at == 0 ? 0 : p->workers[at - 1].task;
  return task != 0 && task == pools_task_of(p, future);
}

const struct pool *pools_of_worker(const struct pools *p, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&p->worker_ids, thread, &at);
  return at == 0 ? NULL : pools_find(p, p->workers[at - 1].executor);
}

/* A ScheduledThreadPoolExecutor has no maximum. */
bool pool_has_waiting(const struct pools *p, const struct pool *pool) {
  return pool->num_queued > 0 && pool->size.maximum != INT32_MAX && pool_is_complete(p, pool);
}

/* --- workers -------------------------------------------------------------------------------- */

static struct pool_worker *get_worker(struct pools *p, uint32_t thread) {
  struct pool_worker *worker = rows_at(&p->worker_ids, thread, &p->workers, &p->num_workers,
                                       &p->workers_capacity, sizeof *worker, NULL);
  if (worker != NULL) worker->thread = thread;
  return worker;
}

static bool move_worker(struct pools *p, struct pool_worker *worker, uint32_t executor) {
  if (worker->executor == executor) return true;
  struct pool *after = executor == 0 ? NULL : get_pool(p, executor);
  struct pool *before = worker->executor == 0 ? NULL : get_pool(p, worker->executor);
  if (executor != 0 && after == NULL) return false;
  if (before != NULL) before->num_workers--;
  if (after != NULL) after->num_workers++;
  if (before != NULL && after != NULL) before->is_shared = after->is_shared = true;
  worker->executor = executor;
  return true;
}

static void remove_task(struct pools *p, uint32_t executor) {
  struct pool *pool = executor == 0 ? NULL : get_pool(p, executor);
  if (pool != NULL && pool->num_queued > 0) pool->num_queued--;
}

/* --- events --------------------------------------------------------------------------------- */

static bool queue_task(struct pools *p, const struct event_line *line) {
  struct pool *pool = line->executor == 0 ? NULL : get_pool(p, line->executor);
  if (line->executor == 0) return true;
  if (pool == NULL) return false;
  pool->num_queued++;
  pool->may_refuse |= pool->num_queued > (uint64_t)pool->size.capacity;
  return hashmap_put(&p->last_queued, line->thread, (uint64_t)line->executor << 32 | line->object);
}

static bool take_task(struct pools *p, const struct task_queues *waiting,
                      const struct event_line *line) {
  struct pool_worker *worker = get_worker(p, line->thread);
  uint32_t executor = task_queues_executor(waiting, line->object);
  if (worker == NULL) return false;
  worker->task = line->object;
  remove_task(p, executor);
  return executor == 0 || move_worker(p, worker, executor);
}

/* A pool starts a worker for the task that its thread has just queued, or in place of one that
   ends. A ScheduledThreadPoolExecutor starts one without a task. */
static bool start_worker(struct pools *p, const struct dump *d, const struct event_line *line) {
  enum worker_start start = task_queues_find_start(d, line);
  uint64_t queued = 0, old = 0;
  if (start == WORKER_START_NONE) return true;
  hashmap_get(&p->last_queued, line->thread, &queued);
  hashmap_get(&p->worker_ids, line->thread, &old);
  struct pool_worker *worker = get_worker(p, line->object);
  if (worker == NULL) return false;
  uint32_t executor = (uint32_t)(queued >> 32);
  if (start == WORKER_START_SUCCESSOR) executor = old == 0 ? 0 : p->workers[old - 1].executor;
  worker->task = start == WORKER_START_WITH_TASK ? (uint32_t)queued : 0;
  if (start == WORKER_START_WITH_TASK) remove_task(p, executor);
  worker->executor = 0; /* of an earlier thread with the same hash, which has ended */
  return move_worker(p, worker, executor);
}

static bool end_worker(struct pools *p, const struct event_line *line) {
  uint64_t at = 0;
  hashmap_get(&p->worker_ids, line->thread, &at);
  if (at == 0) return true;
  p->workers[at - 1].task = 0;
  return move_worker(p, &p->workers[at - 1], 0);
}

static bool set_size(struct pools *p, const struct event_line *line) {
  struct pool *pool = get_pool(p, line->object);
  if (pool != NULL) pool->size = line->size;
  return pool != NULL;
}

/* Threads of the JDK that do something after a time. */
static bool is_delay_thread(struct span name) {
  static const char in_pool[] = "-delayScheduler";
  return span_is(name, "CompletableFutureDelayScheduler") ||
         memmem(name.data, name.len, in_pool, strlen(in_pool)) != NULL;
}

/* Before the task of a TaskTaken leaves its queue. */
static bool take_event(void *arg, const struct step *step) {
  struct model *m = arg;
  struct pools *p = &m->pools;
  const struct event_line *line = step->event;
  switch (line->kind) {
    case EVENT_POOL_SIZE:
      return set_size(p, line);
    case EVENT_TASK_QUEUED:
      return queue_task(p, line);
    case EVENT_TASK_COMPLETES:
      return hashmap_put(&p->futures, line->executor, line->object);
    case EVENT_TASK_TAKEN:
      return take_task(p, &m->queued_tasks.waiting, line);
    case EVENT_THREAD_START:
      return start_worker(p, m->dump, line);
    case EVENT_THREAD_STARTED:
      p->has_delay_thread |= is_delay_thread(line->name);
      return true;
    case EVENT_THREAD_ENDED:
      return end_worker(p, line);
    default:
      p->has_older_calls = true;
      return true;
  }
}

static bool is_of_pool(enum event_kind kind) {
  return kind == EVENT_POOL_SIZE || kind == EVENT_TASK_COMPLETES ||
         event_has(kind, TRAIT_NAMES_TASK) || kind == EVENT_THREAD_START ||
         kind == EVENT_THREAD_STARTED || kind == EVENT_THREAD_ENDED || kind == EVENT_OPEN_CALL;
}

void pools_free(struct pools *p) {
  hashmap_free(&p->pool_ids);
  hashmap_free(&p->worker_ids);
  hashmap_free(&p->last_queued);
  hashmap_free(&p->futures);
  free(p->pools);
  free(p->workers);
  *p = (struct pools){0};
}

const struct analysis analysis_pools = {
    .listener = {"pools", PASS_EVENTS, is_of_pool, .before = take_event},
    .uses = ANALYSES(QUEUED_TASKS)};
