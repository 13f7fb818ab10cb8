#include "tools/orca/model/queued_tasks.h"

#include "agent/event/meaning.h"
#include "tools/orca/model/model.h"
#include "tools/orca/model/names.h"

bool queued_tasks_method_is_timed(const struct dump *d, uint32_t method) {
  return names_method_matches(d, method, "ScheduledThreadPoolExecutor.*");
}

/* Only the top frame tells: a task that runs in such an executor can queue others elsewhere. */
static bool find_if_timed(struct queued_tasks *q, const struct dump *d, struct span stack,
                          bool *out) {
  struct span rest = stack_frames(stack);
  struct frame top;
  *out = false;
  if (!stack_next(&rest, &top)) return true;
  uint64_t *timed = hashmap_at(&q->timed, top.method);
  if (timed == NULL) return false;
  if (*timed == 0) *timed = queued_tasks_method_is_timed(d, top.method) ? 2 : 1;
  *out = *timed == 2;
  return true;
}

static void add_task(struct queued_tasks *q, ticks_t took) {
  q->num++;
  q->total += took;
  if (took > q->longest) q->longest = took;
  if (took < q->threshold) return;
  q->long_num++;
  q->long_total += took;
}

static bool queue_task(struct queued_tasks *q, const struct dump *d,
                       const struct event_line *line) {
  bool is_timed;
  if (!find_if_timed(q, d, line->stack, &is_timed)) return false;
  struct wake_signal queued = {line->time, line->thread, line->kind, is_timed};
  return task_queues_put(&q->waiting, line->object, line->executor, &queued);
}

/* Takes each TaskQueued, TaskTaken and ThreadStart, whose time is clipped to the filter's range.
   `counts`: a TaskTaken matches the filter. */
static bool queued_tasks_event(struct queued_tasks *q, const struct dump *d,
                               const struct event_line *line, bool counts) {
  if (line->kind == EVENT_TASK_QUEUED) return queue_task(q, d, line);
  if (task_queues_starts_worker(d, line)) task_queues_withdraw(&q->waiting, line->thread);
  struct wake_signal queued;
  bool is_certain, is_known = line->kind == EVENT_TASK_TAKEN &&
                              task_queues_take(&q->waiting, line->object, &queued, &is_certain);
  bool is_timed = is_known && queued.mark != 0;
  if (is_known && !is_timed && counts && line->time >= queued.time)
    add_task(q, line->time - queued.time);
  return true;
}

/* Takes a sum of short calls that matches the filter. It ignores sums of other calls. */
static bool queued_tasks_short_calls(struct queued_tasks *q, const struct dump *d,
                                     const struct count_line *line) {
  bool is_timed;
  if (line->kind != EVENT_TASK_QUEUED) return true;
  if (!find_if_timed(q, d, line->stack, &is_timed)) return false;
  if (is_timed) return true;
  struct short_calls calls = short_calls_read(line);
  short_calls_add(&q->short_calls, &calls);
  q->num += calls.num;
  q->total += calls.total;
  if (calls.longest > q->longest) q->longest = calls.longest;
  return true;
}

void queued_tasks_free(struct queued_tasks *q) {
  task_queues_free(&q->waiting);
  hashmap_free(&q->timed);
  *q = (struct queued_tasks){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

static bool is_task_event(enum event_kind kind) {
  return event_has(kind, TRAIT_NAMES_TASK) || kind == EVENT_THREAD_START;
}

static bool take_queued_task(void *arg, const struct step *step) {
  struct model *m = arg;
  if (step->event != NULL)
    return queued_tasks_event(&m->queued_tasks, m->dump, step->clipped, step_counts(step));
  return !step_is_short_sum(step) ||
         queued_tasks_short_calls(&m->queued_tasks, m->dump, step->count);
}

static void start_queued_tasks(struct model *m) { m->queued_tasks.threshold = m->locks.threshold; }

const struct analysis analysis_queued_tasks = {
    .listener = {"queued tasks", PASS_EVENTS | PASS_COUNTS, is_task_event,
                 .take = take_queued_task},
    .start = start_queued_tasks};
