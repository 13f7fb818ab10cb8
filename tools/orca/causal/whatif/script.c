#include "tools/orca/causal/whatif/script.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/causal/whatif/script_internal.h"
#include "tools/orca/model/cost.h"

#define LONGEST_TAIL 0.2 /* of the recording: for so long main may do nothing before its end */

/* --- the goal ----------------------------------------------------------------------------- */

static uint32_t find_main(const struct script *s) {
  for (size_t i = 0; i < s->num_threads; i++) {
    const struct thread *thread = threads_find(&s->trace->model->threads, s->threads[i].hash);
    if (thread != NULL && thread->name != NULL && strcmp(thread->name, "main") == 0)
      return (uint32_t)i + 1;
  }
  return 0;
}

/* Whether the program ended because main did, also by System.exit: then main has no end of its own,
   but it did not wait when the recording ended. */
static bool ends_program(const struct script *s, uint32_t row) {
  const struct trace *t = s->trace;
  if (row == 0) return false;
  const struct trace_thread *thread = &t->threads[row - 1];
  if (thread->ended) return trace_ends_with(t, thread);
  struct span reason;
  const struct trace_op *last = thread->last == 0 ? NULL : &t->ops[thread->last - 1];
  bool is_known = dump_info(t->model->dump, INFO_END_REASON, &reason);
  if (last == NULL || !is_known || !span_is(reason, "exit") || trace_polls(t, thread)) return false;
  const struct trace_op *before = last->before == 0 ? NULL : &t->ops[last->before - 1];
  ticks_t tail = last->begin - last->since;
  bool is_idle = tail > last->cpu + last->queued && (double)(tail - last->cpu - last->queued) >
                                                        LONGEST_TAIL * (double)(t->end - t->begin);
  return (before == NULL || !before->open) && !is_idle;
}

static void set_recorded(struct script *s, ticks_t from, ticks_t to) {
  s->recorded = to > from ? (double)(to - from) : 0;
  s->paused = to > from ? (double)(trace_paused(s->trace, to) - trace_paused(s->trace, from)) : 0;
}

static void measure_calls(struct script *s) {
  const struct trace *t = s->trace;
  ticks_t first = 0, last = 0;
  for (size_t i = 0; i < s->num_threads; i++) {
    size_t act = s->threads[i].first, end = act + s->threads[i].num;
    for (uint32_t at = t->threads[i].first; at != 0; at = t->ops[at - 1].next) {
      const struct trace_op *op = &t->ops[at - 1];
      if (op->kind != TRACE_ENTRY && op->kind != TRACE_EXIT) continue;
      while (act < end && s->acts[act].kind != ACT_ENTRY && s->acts[act].kind != ACT_EXIT) act++;
      if (act == end) break;
      if (s->acts[act].is_start && (first == 0 || op->begin < first)) first = op->begin;
      if (s->acts[act].is_goal && op->begin > last) last = op->begin;
      act++;
    }
  }
  set_recorded(s, first, last);
}

/* A task counts as work if a thread of its pool is a worker: any of its threads may run it. */
static void share_work(struct script *s) {
  for (size_t i = 0; i < s->num_threads; i++) {
    const struct script_thread *t = &s->threads[i];
    if (t->pool != 0 && t->is_worker) s->pools[t->pool - 1].is_worker = true;
  }
  for (size_t i = 0; i < s->num_threads; i++) {
    struct script_thread *t = &s->threads[i];
    if (t->pool != 0) t->is_worker = s->pools[t->pool - 1].is_worker;
  }
}

static void set_goal(struct script *s, const char *work) {
  const struct trace *t = s->trace;
  uint32_t main_row = find_main(s);
  set_recorded(s, t->begin, t->end);
  if (work != NULL && s->num_goals > 0) {
    s->goal = GOAL_CALLS;
    measure_calls(s);
  } else if (ends_program(s, main_row)) {
    const struct script_thread *m = &s->threads[main_row - 1];
    s->goal = GOAL_MAIN;
    s->num_goals = m->num > 0;
    if (m->num > 0) s->acts[m->first + m->num - 1].is_goal = 1;
    set_recorded(s, t->begin, t->ops[t->threads[main_row - 1].last - 1].begin);
  } else {
    s->goal = GOAL_WORK;
    share_work(s);
    for (size_t i = 0; i < s->num_threads; i++) {
      const struct script_thread *thread = &s->threads[i];
      if (thread->is_worker) s->work += thread->num - (thread->pool != 0); /* not its ACT_WORK */
    }
  }
}

/* --- the script ------------------------------------------------------------------------------ */

bool script_write(struct script *s, const struct trace *t, const char *work) {
  struct script_writer w = {.script = s, .trace = t, .work = work};
  w.frame_cost = cost_frame_ns(t->model->dump);
  w.cost_scale = cost_scale(&t->model->cost, t->model->dump);
  s->trace = t;
  s->threads = calloc(t->num_threads + 1, sizeof *s->threads);
  s->num_threads = t->num_threads;
  w.need = malloc((t->num_ops + 1) * sizeof *w.need);
  bool good = s->threads != NULL && w.need != NULL && capacity_measure(&s->capacity, t, w.need) &&
              script_add_locks(s, w.need) && script_add_pools(s) && script_mark(&w.marks, s) &&
              known_holds_infer(&w.holds, t);
  for (uint32_t i = 0; good && i < t->num_threads; i++) {
    script_write_thread(&w, i);
    good = !w.failed;
  }
  if (good) set_goal(s, work);
  script_unmark(&w.marks);
  known_holds_free(&w.holds);
  hashmap_free(&w.site_ids);
  hashmap_free(&w.group_ids);
  free(w.bounds);
  free(w.need);
  return good;
}

void script_free(struct script *s) {
  for (size_t i = 0; i < s->num_groups; i++) free(s->groups[i].name);
  free(s->groups);
  free(s->acts);
  free(s->threads);
  free(s->locks);
  free(s->queues);
  free(s->generations);
  free(s->sites);
  free(s->pools);
  free(s->tasks);
  trace_pools_free(&s->found);
  *s = (struct script){0};
}
