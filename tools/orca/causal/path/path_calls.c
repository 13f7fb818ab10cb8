#include "tools/orca/causal/path/path_calls.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"

/* --- the calls ---------------------------------------------------------------------------- */

static bool matches(const struct trace *t, const struct trace_op *op, const char *pattern) {
  size_t depth;
  const struct frame *frames = stacks_frames(&t->model->stacks, op->stack, &depth);
  return depth > 0 && names_method_matches(t->model->dump, frames[0].method, pattern);
}

static bool add_work(struct path_calls *c, const struct trace_op *entry,
                     const struct trace_op *exit, ticks_t queued) {
  struct path_work *works = grow(c->works, c->num, &c->capacity, sizeof *works);
  if (works == NULL) return false;
  c->works = works;
  works[c->num++] = (struct path_work){entry->thread, entry->begin, exit->begin, queued};
  return true;
}

static bool find_in_thread(struct path_calls *c, const struct trace *t, uint32_t first,
                           const char *pattern) {
  const struct trace_op *entry = NULL;
  unsigned depth = 0; /* of matching calls */
  for (uint32_t at = first; at != 0; at = t->ops[at - 1].next) {
    const struct trace_op *op = &t->ops[at - 1];
    bool is_entry = op->kind == TRACE_ENTRY, is_exit = op->kind == TRACE_EXIT;
    if ((!is_entry && !is_exit) || !matches(t, op, pattern)) continue;
    if (is_entry && depth++ == 0) entry = op;
    if (is_exit && depth > 0 && --depth == 0 && !add_work(c, entry, op, 0)) return false;
  }
  return true;
}

static ticks_t length_of(const struct path_work *work) {
  return work->end - (work->queued != 0 ? work->queued : work->begin);
}

static int compare_path_works(const void *left, const void *right) {
  const struct path_work *a = left, *b = right;
  ticks_t mine = length_of(a), other = length_of(b);
  return mine != other ? compare_numbers(mine, other) : compare_numbers(a->begin, b->begin);
}

bool path_calls_find(struct path_calls *c, const struct trace *t, const char *pattern) {
  bool good = true;
  for (size_t i = 0; good && i < t->num_threads; i++) {
    good = find_in_thread(c, t, t->threads[i].first, pattern);
  }
  if (c->num > 0) qsort(c->works, c->num, sizeof *c->works, compare_path_works);
  return good;
}

/* --- tasks -------------------------------------------------------------------------------- */

bool path_tasks_find(struct path_calls *c, const struct trace *t) {
  bool good = trace_pools_find(&c->pools, t);
  for (size_t i = 0; good && i < c->pools.num_tasks; i++) {
    const struct trace_task *task = &c->pools.tasks[i];
    const struct thread *thread = threads_find(&t->model->threads, t->threads[task->thread].hash);
    if (task->queue_op == 0 || task->end_op == 0 || thread == NULL || !thread->matches) continue;
    good = add_work(c, &t->ops[task->first_op - 1], &t->ops[task->end_op - 1], task->queued);
  }
  if (c->num > 0) qsort(c->works, c->num, sizeof *c->works, compare_path_works);
  return good;
}

/* --- the paths ---------------------------------------------------------------------------- */

static bool is_in_group(const struct path_calls *c, enum path_group_id id, size_t call) {
  switch (id) {
    case PATH_TYPICAL_CALLS:
      return call >= c->num * 2 / 5 && call <= c->num * 3 / 5;
    case PATH_SLOWEST_CALLS:
      return call + (c->num < 100 ? 1 : c->num / 100) >= c->num;
    default:
      return true;
  }
}

static bool add_to_group(struct path_group *g, const struct path *p, const struct path_work *work) {
  ticks_t time = length_of(work);
  if (g->calls++ == 0) g->shortest = time;
  g->longest = time;
  return path_table_add(&g->table, p);
}

bool path_calls_walk(struct path_calls *c, struct path *p) {
  for (size_t i = 0; i < c->num; i++) {
    if (!path_find(p, &c->works[i])) return false;
    for (int id = 0; id < NUM_PATH_GROUPS; id++) {
      if (is_in_group(c, (enum path_group_id)id, i) &&
          !add_to_group(&c->groups[id], p, &c->works[i])) {
        return false;
      }
    }
  }
  bool good = true;
  for (int id = 0; good && id < NUM_PATH_GROUPS; id++) good = path_table_end(&c->groups[id].table);
  return good;
}

const struct trace_pool *path_tasks_pool(const struct path_calls *c, enum path_group_id id) {
  uint32_t pool = 0;
  for (size_t i = 0; i < c->num; i++) {
    if (!is_in_group(c, id, i)) continue;
    uint32_t mine = c->pools.of_thread[c->works[i].thread];
    if (mine == 0 || (pool != 0 && pool != mine)) return NULL;
    pool = mine;
  }
  return pool == 0 ? NULL : &c->pools.pools[pool - 1];
}

void path_calls_free(struct path_calls *c) {
  for (int id = 0; id < NUM_PATH_GROUPS; id++) path_table_free(&c->groups[id].table);
  free(c->works);
  trace_pools_free(&c->pools);
  *c = (struct path_calls){0};
}
