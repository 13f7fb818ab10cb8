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

static bool add_work(struct path_calls *c, const struct path_work *work) {
  struct path_work *works = grow(c->works, c->num, &c->capacity, sizeof *works);
  if (works == NULL) return false;
  c->works = works;
  works[c->num++] = *work;
  return true;
}

static struct path_work make_work(const struct trace_op *entry, const struct trace_op *exit) {
  return (struct path_work){entry->thread, entry->begin, exit->begin, 0};
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
    if (!is_exit || depth == 0 || --depth > 0) continue;
    struct path_work work = make_work(entry, op);
    if (!add_work(c, &work)) return false;
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

#define MOST_INSIDE 16 /* recorded operations of execute before it starts a worker */

/* --- tasks -------------------------------------------------------------------------------- */

/* A worker is done with a task when it asks for the next one, or ends. */
static bool ends_task(const struct trace *t, const struct trace_op *op) {
  if (op->kind == TRACE_ENDED) return !op->open;
  bool is_taken = op->event == EVENT_TASK_TAKEN;
  return is_taken || (op->kind == TRACE_REMOVE && spending_is_idle(&t->model->spending, op->stack));
}

static bool is_named(const struct trace *t, const struct frame *frame, const char *name) {
  const struct method_line *method = dump_method(t->model->dump, frame->method);
  return method != NULL && span_is(method->name, name);
}

/* Whether `start` is the start of a worker in the execute of a ThreadPoolExecutor that got a task:
   in its addWorker, and not in the thread factory that the constructor of the worker calls. */
static bool starts_worker(const struct trace *t, const struct trace_op *start,
                          const struct trace_op *queued) {
  const struct model *m = t->model;
  size_t depth = 0;
  if (start->stack == 0 || queued->stack == 0) return false;
  const struct frame *frames = stacks_frames(&m->stacks, start->stack, &depth);
  long at = stacks_find_frame(&m->stacks, m->dump, start->stack, queued->stack);
  return at >= 2 && is_named(t, &frames[at], "execute") &&
         is_named(t, &frames[at - 1], "addWorker") && !is_named(t, &frames[at - 2], "<init>");
}

/* Returns the TaskQueued of the first task of a worker, plus one: the pool starts the worker in the
   same call. 0: it has none, because the task went through the queue, or it is not known. */
static uint32_t find_first_task(const struct trace *t, const struct trace_thread *worker,
                                const bool *went_through_queue) {
  const struct trace_op *started = worker->first == 0 ? NULL : &t->ops[worker->first - 1];
  if (started == NULL || started->kind != TRACE_STARTED || started->cause_op == 0) return 0;
  const struct trace_op *start = &t->ops[started->cause_op - 1];
  uint32_t at = start->before;
  for (int i = 0; i < MOST_INSIDE && at != 0 && t->ops[at - 1].event != EVENT_TASK_QUEUED; i++) {
    at = t->ops[at - 1].before;
  }
  if (at == 0 || t->ops[at - 1].event != EVENT_TASK_QUEUED || went_through_queue[at - 1]) return 0;
  return starts_worker(t, start, &t->ops[at - 1]) ? at : 0;
}

/* `first_task` is the TaskQueued of the first task, plus one; 0: none. It was in no queue: its path
   goes from the worker to the thread that started the worker. */
static bool find_tasks_in_thread(struct path_calls *c, const struct trace *t, uint32_t first,
                                 uint32_t first_task) {
  const struct trace_op *taken = first_task == 0 ? NULL : &t->ops[first - 1];
  for (uint32_t at = first; at != 0; at = t->ops[at - 1].next) {
    const struct trace_op *op = &t->ops[at - 1];
    if (taken != NULL && ends_task(t, op)) {
      bool is_first = taken->kind == TRACE_STARTED;
      ticks_t queued = t->ops[(is_first ? first_task : taken->cause_op) - 1].begin;
      struct path_work work = {op->thread, is_first ? queued : taken->begin, op->begin,
                               is_first ? 0 : queued};
      if (!add_work(c, &work)) return false;
      taken = NULL;
    }
    if (op->event == EVENT_TASK_TAKEN && op->cause_op != 0) taken = op;
  }
  return true;
}

bool path_tasks_find(struct path_calls *c, const struct trace *t) {
  bool *went_through_queue = calloc(t->num_ops + 1, sizeof *went_through_queue);
  bool good = went_through_queue != NULL;
  for (size_t i = 0; good && i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    if (op->event == EVENT_TASK_TAKEN && op->cause_op != 0)
      went_through_queue[op->cause_op - 1] = true;
  }
  for (size_t i = 0; good && i < t->num_threads; i++) {
    const struct thread *thread = threads_find(&t->model->threads, t->threads[i].hash);
    if (thread == NULL || !thread->matches) continue;
    uint32_t first_task = find_first_task(t, &t->threads[i], went_through_queue);
    good = find_tasks_in_thread(c, t, t->threads[i].first, first_task);
  }
  free(went_through_queue);
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

void path_calls_free(struct path_calls *c) {
  for (int id = 0; id < NUM_PATH_GROUPS; id++) path_table_free(&c->groups[id].table);
  free(c->works);
  *c = (struct path_calls){0};
}
