#include "tools/orca/causal/bounds.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_ON_PATH 0.1

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

static void end_walk(struct task_walk *w) {
  free(w->at);
  free(w->before);
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

bool bounds_pools_time(const struct trace_pools *pools, const struct path *p, ticks_t *times) {
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
  end_walk(&walk);
  return good;
}

static bool set_pool(struct bounds *b, const struct trace_pool *pool, ticks_t path) {
  char *title = strdup(pool->title);
  if (title == NULL) return false;
  b->pool = (struct bounds_pool){.known = true,
                                 .title = title,
                                 .threads = pool->threads,
                                 .queued = pool->queued,
                                 .ran = pool->ran,
                                 .waiting = pool->waiting,
                                 .full = pool->full,
                                 .path = path};
  return true;
}

static bool find_best(struct bounds *b, const struct trace_pools *pools, const ticks_t *times) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < pools->num; i++) {
    if (pools->pools[i].is_timed || !trace_pool_is_full(&pools->pools[i])) continue;
    if (best == UINT32_MAX || times[i] > times[best]) best = i;
  }
  if (best == UINT32_MAX || (double)times[best] < LEAST_ON_PATH * (double)b->work) return true;
  return set_pool(b, &pools->pools[best], times[best]);
}

bool bounds_pools_find(struct bounds *b, const struct path *p) {
  struct trace_pools pools = {0};
  bool good = trace_pools_find(&pools, p->trace);
  ticks_t *times = calloc(pools.num + 1, sizeof *times);
  good =
      good && times != NULL && bounds_pools_time(&pools, p, times) && find_best(b, &pools, times);
  free(times);
  trace_pools_free(&pools);
  return good;
}
