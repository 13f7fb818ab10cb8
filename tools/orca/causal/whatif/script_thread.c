/* What a thread does, as acts. */
#include <ctype.h>
#include <string.h>

#include "tools/orca/causal/whatif/script_internal.h"
#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/cost.h"
#include "tools/orca/model/names.h"

#define LEAST_WORK 0.0005 /* CPU time of a worker, as part of the recording */

/* --- acts ------------------------------------------------------------------------------------ */

struct act *script_put_act(struct script_writer *w, enum act_kind kind, uint32_t object) {
  struct script *s = w->script;
  struct act *acts = grow(s->acts, s->num_acts, &s->acts_capacity, sizeof *acts);
  if (acts == NULL) {
    w->failed = true;
    static struct act nowhere;
    return &nowhere;
  }
  s->acts = acts;
  acts[s->num_acts] = (struct act){.kind = (uint8_t)kind, .object = object};
  return &acts[s->num_acts++];
}

void script_put_time(struct script_writer *w, enum act_kind kind, ticks_t time,
                     const struct trace_op *op) {
  if (time == 0) return;
  struct act *a = script_put_act(w, kind, 0);
  a->time = (double)time;
  a->place = op->stack;
  struct script_group *g = &w->script->groups[w->thread->group];
  *(kind == ACT_SLEEP ? &g->slept : &g->external) += (double)time;
}

void script_put_lock(struct script_writer *w, enum act_kind kind, uint32_t lock, bool is_read,
                     stack_id_t stack) {
  struct act *a = script_put_act(w, kind, lock - 1);
  a->is_read = is_read;
  a->place = stack;
}

static uint32_t find_site(struct script_writer *w, const struct trace_op *op) {
  stack_id_t before = op->before == 0 ? 0 : w->trace->ops[op->before - 1].stack;
  struct script *s = w->script;
  bool is_new;
  size_t row = rows_number(&w->site_ids, (uint64_t)before << 32 | op->stack, &s->sites,
                           &s->num_sites, &s->sites_capacity, sizeof *s->sites, &is_new);
  if (row == 0) {
    w->failed = true;
    return 0;
  }
  if (is_new) s->sites[row - 1] = (struct script_site){.before = before, .after = op->stack};
  s->sites[row - 1].cpu += (double)op->cpu;
  return (uint32_t)row - 1;
}

/* --- running ------------------------------------------------------------------------------ */

/* Returns the CPU time of recording in the stretch before an operation, in nanoseconds: the stack
   of this operation is taken before its time. */
static double estimate_cost(const struct script_writer *w, const struct trace_op *op) {
  size_t depth;
  if (w->frame_cost <= 0 || op->stack == 0) return 0;
  stacks_frames(&w->trace->model->stacks, op->stack, &depth);
  return (COST_LINE_NS + COST_STACK_NS + (double)depth * w->frame_cost) * w->cost_scale;
}

/* Writes the part of a stretch between two moments. */
static void put_run(struct script_writer *w, const struct trace_op *op, ticks_t from, ticks_t to,
                    uint32_t site, double cost) {
  ticks_t length = op->begin - op->since;
  if (to <= from) return;
  double part = (double)(to - from) / (double)length;
  ticks_t queued = w->script->capacity.cpus > 0 ? op->queued : 0;
  ticks_t busy = op->cpu + queued;
  struct act *a = script_put_act(w, ACT_RUN, 0);
  a->cpu = (double)w->need[op - w->trace->ops] * part;
  a->count = (uint32_t)(cost * part);
  a->time = busy < length ? (double)(length - busy) * part : 0;
  a->place = site;
}

static void put_stretch(struct script_writer *w, const struct trace_op *op) {
  if (op->begin <= op->since) return;
  ticks_t at = op->since;
  uint32_t site = find_site(w, op);
  double cost = estimate_cost(w, op);
  while (w->next_bound < w->num_bounds && w->bounds[w->next_bound].time <= op->begin) {
    const struct script_bound *b = &w->bounds[w->next_bound++];
    ticks_t time = b->time < at ? at : b->time;
    put_run(w, op, at, time, site, cost);
    script_put_bound(w, b);
    at = time;
  }
  put_run(w, op, at, op->begin, site, cost);
}

/* --- operations --------------------------------------------------------------------------- */

static void put_reach(struct script_writer *w, const struct trace_op *op) {
  uint32_t point = w->marks.of_op[op - w->trace->ops];
  if (point != 0 && op->kind != TRACE_MEET) script_put_act(w, ACT_REACH, point - 1);
}

/* A TaskQueued lets the pool run the task. Other signals end waits. */
static void put_signal(struct script_writer *w, const struct trace_op *op) {
  uint32_t number = (uint32_t)(op - w->trace->ops) + 1;
  uint32_t task = op->event == EVENT_TASK_QUEUED ? trace_pools_task(&w->script->found, number) : 0;
  bool is_known = task != 0 && w->script->pools[w->script->tasks[task - 1].pool].is_known;
  if (is_known) script_put_act(w, ACT_QUEUE, task - 1);
  put_reach(w, op);
}

/* A signal inside of an operation belongs to its beginning or to its end, whichever is nearer: the
   release within the await of a condition, the unpark at the end of a put. */
static bool is_early(const struct trace_op *signal, const struct trace_op *op) {
  return signal->begin - op->begin < op->end - signal->begin;
}

static void put_early_signals(struct script_writer *w, const struct trace_op *op) {
  for (uint32_t at = op->next; at != 0; at = w->trace->ops[at - 1].next) {
    const struct trace_op *signal = &w->trace->ops[at - 1];
    if (signal->kind != TRACE_SIGNAL || signal->begin >= op->end || !is_early(signal, op)) break;
    put_signal(w, signal);
    w->early_until = signal->begin;
  }
}

static void put_await(struct script_writer *w, const struct trace_op *op, uint32_t point,
                      uint32_t count, ticks_t latency) {
  struct act *a = script_put_act(w, ACT_AWAIT, point - 1);
  a->count = count;
  a->time = (double)latency;
  a->place = op->stack;
}

/* A wait that another operation ended. Returns false if the script does not know when that happens.
 */
static bool put_await_cause(struct script_writer *w, const struct trace_op *op) {
  if (op->cause != TRACE_BY_OP) return false;
  const struct trace_op *cause = &w->trace->ops[op->cause_op - 1];
  uint32_t point = w->marks.of_op[op->cause_op - 1];
  bool is_counted = cause->event == EVENT_LATCH_COUNT_DOWN;
  if (point == 0 || is_counted || cause->kind == TRACE_MEET) return false;
  put_await(w, op, point, 1, op->end > cause->begin ? op->end - cause->begin : 0);
  return true;
}

/* A latch opens when it was counted down as often as in the recording. */
static bool put_latch(struct script_writer *w, const struct trace_op *op) {
  uint64_t row = 0;
  if (op->event != EVENT_LATCH_AWAIT || op->failed) return false;
  hashmap_get(&w->marks.latch_ids, op->object, &row);
  if (row == 0 || w->marks.latches[row - 1].last > op->end) return false;
  const struct script_latch *latch = &w->marks.latches[row - 1];
  put_await(w, op, latch->point, latch->count, latch->last > op->begin ? op->end - latch->last : 0);
  return true;
}

static bool put_join(struct script_writer *w, const struct trace_op *op) {
  uint32_t row =
      op->event == EVENT_THREAD_JOIN && !op->failed ? trace_find_thread(w->trace, op->object) : 0;
  if (row == 0 || !w->trace->threads[row - 1].ended) return false;
  const struct trace_op *end = &w->trace->ops[w->trace->threads[row - 1].last - 1];
  uint32_t point = w->marks.of_op[end - w->trace->ops];
  if (point == 0 || end->begin > op->end) return false;
  put_await(w, op, point, 1, end->begin > op->begin ? op->end - end->begin : 0);
  return true;
}

/* The future of a task whose end nobody had to wait for in the recording. */
static bool put_future(struct script_writer *w, const struct trace_op *op) {
  uint64_t point = 0;
  hashmap_get(&w->marks.futures, (uint32_t)(op - w->trace->ops) + 1, &point);
  if (point == 0) return false;
  put_await(w, op, (uint32_t)point, 1, 0);
  return true;
}

static void put_wait(struct script_writer *w, const struct trace_op *op) {
  if (op->open) {
    script_put_act(w, ACT_STOP, 0);
  } else if (op->cause == TRACE_TIME) {
    script_put_time(w, ACT_SLEEP, op->end - op->begin, op);
  } else if (!put_latch(w, op) && !put_join(w, op) && !put_future(w, op) &&
             !put_await_cause(w, op) && op->cause != TRACE_NOTHING) {
    script_put_time(w, ACT_EXTERNAL, op->end - op->begin, op);
  }
}

static void put_wait_inside(struct script_writer *w, const struct trace_op *op) {
  struct script_held *given = script_find_given(w, op);
  struct script_held lock = given == NULL ? (struct script_held){0} : *given;
  if (given != NULL) script_put_lock(w, ACT_RELEASE, lock.lock, lock.is_read, 0);
  put_wait(w, op);
  if (given != NULL) script_put_lock(w, ACT_ACQUIRE, lock.lock, lock.is_read, op->stack);
}

static void put_permit(struct script_writer *w, const struct trace_op *op) {
  if (op->failed) {
    script_put_time(w, ACT_SLEEP, op->end - op->begin, op);
  } else if (op->open) {
    script_put_act(w, ACT_STOP, 0);
  } else {
    script_put_lock(w, ACT_TAKE, op->lock, false, op->stack);
  }
}

static void put_queue(struct script_writer *w, const struct trace_op *op) {
  uint64_t row = 0;
  hashmap_get(&w->marks.queues, op->object, &row);
  if (op->failed || op->open || op->runs || row == 0) {
    put_wait(w, op);
  } else {
    script_put_act(w, op->kind == TRACE_INSERT ? ACT_INSERT : ACT_REMOVE, (uint32_t)row - 1)
        ->place = op->stack;
  }
}

static void put_meeting(struct script_writer *w, const struct trace_op *op) {
  uint32_t generation = w->marks.of_op[op - w->trace->ops];
  if (generation == 0) {
    put_wait(w, op);
  } else {
    ticks_t tripped = w->script->generations[generation - 1].tripped;
    struct act *a = script_put_act(w, ACT_MEET, generation - 1);
    a->place = op->stack;
    a->time = op->end > tripped ? (double)(op->end - tripped) : 0;
  }
}

static void put_call(struct script_writer *w, const struct trace_op *op) {
  size_t depth;
  const struct frame *frames = stacks_frames(&w->trace->model->stacks, op->stack, &depth);
  if (depth == 0) return;
  struct act *a =
      script_put_act(w, op->kind == TRACE_ENTRY ? ACT_ENTRY : ACT_EXIT, frames[0].method);
  if (w->work == NULL || !names_method_matches(w->trace->model->dump, frames[0].method, w->work)) {
    return;
  }
  a->is_start = op->kind == TRACE_ENTRY;
  a->is_goal = op->kind == TRACE_EXIT;
  w->script->num_goals += a->is_goal;
}

static void put_start(struct script_writer *w, const struct trace_op *op) {
  if (!op->older && put_await_cause(w, op)) return;
  w->thread->start = (double)(op->begin - w->trace->begin);
}

static void put_end(struct script_writer *w, const struct trace_op *op) {
  script_leave_all(w);
  put_reach(w, op);
  w->thread->ended = !op->open;
}

static void put_op(struct script_writer *w, const struct trace_op *op) {
  switch ((enum trace_kind)op->kind) {
    case TRACE_STARTED:
      put_start(w, op);
      break;
    case TRACE_ENDED:
      put_end(w, op);
      break;
    case TRACE_ACQUIRE:
      script_put_acquire(w, op);
      break;
    case TRACE_RELEASE:
      script_leave_lock(w, op->lock);
      put_reach(w, op);
      break;
    case TRACE_TAKE_PERMIT:
      put_permit(w, op);
      break;
    case TRACE_RETURN_PERMIT:
      script_put_lock(w, ACT_RETURN, op->lock, false, op->stack);
      put_reach(w, op);
      break;
    case TRACE_INSERT:
    case TRACE_REMOVE:
      script_leave_inferred(w, op);
      put_reach(w, op);
      put_queue(w, op);
      break;
    case TRACE_MEET:
      script_leave_inferred(w, op);
      put_meeting(w, op);
      break;
    case TRACE_SLEEP:
      script_put_time(w, ACT_SLEEP, op->end - op->begin, op);
      break;
    case TRACE_AWAIT:
      put_wait_inside(w, op);
      break;
    case TRACE_SIGNAL:
      put_signal(w, op);
      break;
    case TRACE_ENTRY:
    case TRACE_EXIT:
      put_call(w, op);
      break;
  }
}

/* --- threads ------------------------------------------------------------------------------ */

/* FNV-1a. Two names with the same 64 bits do not occur by chance. */
static uint64_t digest_name(const char *name, size_t length) {
  uint64_t digest = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < length; i++) {
    digest = (digest ^ (unsigned char)name[i]) * UINT64_C(0x100000001B3);
  }
  return digest;
}

/* Finds or adds the group of a thread: its name without the number at the end. */
static uint32_t find_group(struct script_writer *w, uint32_t hash) {
  const struct thread *thread = threads_find(&w->trace->model->threads, hash);
  const char *name = thread == NULL || thread->name == NULL ? "" : thread->name;
  size_t length = strlen(name);
  while (length > 0 && isdigit((unsigned char)name[length - 1])) length--;
  if (length == 0) length = strlen(name);
  struct script *s = w->script;
  bool is_new;
  size_t row = rows_number(&w->group_ids, digest_name(name, length), &s->groups, &s->num_groups,
                           &s->groups_capacity, sizeof *s->groups, &is_new);
  if (row > 0 && is_new) s->groups[row - 1] = (struct script_group){.name = strndup(name, length)};
  w->failed |= row == 0 || s->groups[row - 1].name == NULL;
  return row == 0 ? 0 : (uint32_t)row - 1;
}

static void write_op(struct script_writer *w, const struct trace_op *op) {
  bool in_pool = w->thread->pool != 0, begins = op->kind == TRACE_STARTED;
  put_stretch(w, op);
  bool is_written = op->kind == TRACE_SIGNAL && op->begin <= w->early_until;
  if (is_written) return;
  if (in_pool && !begins) script_divide_tasks(w, op);
  if (!script_waits_for_task(w, op)) {
    script_put_bounds_in(w, op, true);
    if (op->end > op->begin) put_early_signals(w, op);
    put_op(w, op);
    script_put_bounds_in(w, op, false);
  }
  if (in_pool && begins) script_divide_tasks(w, op);
  script_pass_bounds(w, op->end);
}

void script_write_thread(struct script_writer *w, uint32_t row) {
  const struct trace *t = w->trace;
  struct script *s = w->script;
  w->thread = &s->threads[row];
  w->thread->hash = t->threads[row].hash;
  w->thread->first = s->num_acts;
  w->thread->group = find_group(w, w->thread->hash);
  if (w->failed) return;
  w->thread->is_worker = (double)t->threads[row].cpu > LEAST_WORK * (double)(t->end - t->begin) &&
                         !trace_polls(t, &t->threads[row]);
  s->groups[w->thread->group].num_threads++;
  s->groups[w->thread->group].cpu += (double)t->threads[row].cpu;
  w->early_until = 0;
  w->works = false;
  w->task = 0;
  script_start_holds(w, row);
  for (uint32_t at = t->threads[row].first; at != 0 && !w->failed; at = t->ops[at - 1].next) {
    write_op(w, &t->ops[at - 1]);
  }
  w->thread->num = s->num_acts - w->thread->first;
}
