#include <stdlib.h>

#include "tools/orca/causal/whatif/script_internal.h"

#define MOST_ASKED 0.9 /* of the tasks that are not the first of a thread */

/* --- pools ----------------------------------------------------------------------------------- */

/* Counts the tasks before which the thread is seen to ask for them. If the queue of a pool has no
   events, it is not known how long its threads have no task. */
static void count_asked(const struct script *s, size_t *asked, size_t *taken) {
  const struct trace *t = s->trace;
  for (size_t i = 0; i < s->found.num_tasks; i++) {
    const struct trace_task *task = &s->found.tasks[i];
    const struct trace_op *first = &t->ops[task->first_op - 1];
    if (first->event != EVENT_TASK_TAKEN) continue;
    taken[task->pool]++;
    const struct trace_op *before = first->before == 0 ? NULL : &t->ops[first->before - 1];
    asked[task->pool] += before != NULL && before->event != EVENT_TASK_TAKEN &&
                         trace_pools_place(&s->found, before) == TRACE_POOL_ASKS;
  }
}

static void set_pool(struct script *s, size_t row, bool is_asked) {
  const struct trace_pool *pool = &s->found.pools[row];
  s->pools[row] =
      (struct script_pool){.title = pool->title,
                           .threads = pool->threads,
                           .tasks = pool->tasks,
                           .hand_off = pool->hand_off,
                           .is_known = !s->ignores_pools && is_asked && pool->tasks > 0 &&
                                       pool->threads > 0 && !pool->is_timed && pool->is_in_order,
                           .is_full = trace_pool_is_full(pool),
                           .queued = (double)pool->queued};
}

static void set_threads(struct script *s) {
  const struct trace *t = s->trace;
  for (uint32_t i = 0; i < t->num_threads; i++) {
    uint32_t row = s->found.of_thread[i];
    if (row == 0 || !s->pools[row - 1].is_known) continue;
    struct script_pool *pool = &s->pools[row - 1];
    s->threads[i].pool = row;
    bool is_later = s->threads[pool->pattern].pool != row ||
                    t->threads[i].begin >= t->threads[pool->pattern].begin;
    if (is_later) pool->pattern = i;
  }
}

static bool set_tasks(struct script *s) {
  s->num_tasks = s->found.num_tasks;
  s->tasks = calloc(s->num_tasks + 1, sizeof *s->tasks);
  if (s->tasks == NULL) return false;
  for (size_t i = 0; i < s->num_tasks; i++) {
    const struct trace_task *task = &s->found.tasks[i];
    s->tasks[i] = (struct script_task){.pool = task->pool, .is_waiting = task->queue_op == 0};
  }
  return true;
}

bool script_add_pools(struct script *s) {
  if (!trace_pools_find(&s->found, s->trace)) return false;
  s->num_pools = s->found.num;
  s->pools = calloc(s->num_pools + 1, sizeof *s->pools);
  size_t *asked = calloc(s->num_pools + 1, sizeof *asked);
  size_t *taken = calloc(s->num_pools + 1, sizeof *taken);
  bool good = s->pools != NULL && asked != NULL && taken != NULL;
  if (good) count_asked(s, asked, taken);
  for (size_t i = 0; good && i < s->num_pools; i++) {
    set_pool(s, i, (double)asked[i] >= MOST_ASKED * (double)taken[i]);
  }
  free(asked);
  free(taken);
  if (good) set_threads(s);
  return good && set_tasks(s);
}

/* --- tasks ----------------------------------------------------------------------------------- */

/* What follows is not part of the task. A thread that asks for a task holds no lock. */
static void end_task(struct script_writer *w) {
  uint32_t point = w->marks.of_task[w->task - 1];
  script_leave_all(w);
  if (point != 0) script_put_act(w, ACT_REACH, point - 1);
  script_put_act(w, ACT_TASK_DONE, w->task - 1);
  w->task = 0;
  w->after = w->script->num_acts;
}

static void begin_work(struct script_writer *w) {
  script_leave_all(w);
  w->works = true;
  w->thread->work = w->script->num_acts;
  script_put_act(w, ACT_WORK, w->thread->pool - 1);
  w->after = w->script->num_acts;
}

void script_divide_tasks(struct script_writer *w, const struct trace_op *op) {
  const struct trace_pools *pools = &w->script->found;
  uint32_t number = (uint32_t)(op - w->trace->ops) + 1, task = trace_pools_task(pools, number);
  bool begins_task = task != 0 && pools->tasks[task - 1].first_op == number;
  bool is_end = op->kind == TRACE_ENDED;
  bool is_outside = trace_pools_place(pools, op) != TRACE_POOL_TASK || is_end;
  if (is_outside && w->task != 0) end_task(w);
  if ((is_outside || begins_task) && !w->works) begin_work(w);
  if (begins_task) {
    w->script->tasks[task - 1].first = w->after;
    w->task = task;
  }
  if (is_end) w->thread->leave = w->after;
}

bool script_waits_for_task(const struct script_writer *w, const struct trace_op *op) {
  return w->thread->pool != 0 && trace_can_wait(op->kind) &&
         trace_pools_place(&w->script->found, op) == TRACE_POOL_ASKS;
}
