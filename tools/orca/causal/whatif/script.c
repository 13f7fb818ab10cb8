#include "tools/orca/causal/whatif/script.h"

#include <stdlib.h>

#include "tools/orca/causal/whatif/script_internal.h"
#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/cost.h"
#include "tools/orca/model/names.h"

#define MAX_HELD 32       /* locks that a thread holds at once; others do not count */
#define LEAST_WORK 0.0005 /* CPU time of a worker, as part of the recording */
#define LONGEST_TAIL 0.2  /* of the recording: for so long main may do nothing before its end */

/* A lock with lines for its releases that the thread holds at this point of the script. */
struct held {
  uint32_t lock; /* plus one */
  unsigned depth;
  bool is_read;
  uint32_t hold; /* the inferred hold plus one; 0: its release has a line, or is not known */
};

/* The writing of a thread. */
struct writer {
  struct script *script;
  const struct trace *trace;
  struct script_marks marks;
  struct known_holds holds;
  float *need; /* CPU time, by operation */
  struct hashmap site_ids, group_ids;
  const char *work;
  double frame_cost; /* CPU time of recording a frame of a stack, in nanoseconds; 0: not known */
  double cost_scale; /* as cost_scale returns it */
  bool failed;       /* memory ran out */

  struct script_thread *thread;
  struct held held[MAX_HELD];
  size_t num_held;
  const struct known_hold *thread_holds; /* inferred ones; their bounds are cut into the acts */
  size_t num_thread_holds;
  struct bound *bounds;
  size_t num_bounds, next_bound, bounds_capacity;
  ticks_t early_until; /* signals inside the last operation up to here are written */

  /* Of a thread of a known pool. */
  bool works;    /* its ACT_WORK is written */
  uint32_t task; /* that it runs, plus one; 0: none */
  size_t after;  /* the act after its last task */
};

/* The beginning or the end of an inferred hold. */
struct bound {
  ticks_t time;
  uint32_t hold;
  bool is_end;
};

/* --- acts --------------------------------------------------------------------------------- */

static struct act *put_act(struct writer *w, enum act_kind kind, uint32_t object) {
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

static void put_time(struct writer *w, enum act_kind kind, ticks_t time,
                     const struct trace_op *op) {
  if (time == 0) return;
  struct act *a = put_act(w, kind, 0);
  a->time = (double)time;
  a->place = op->stack;
  struct script_group *g = &w->script->groups[w->thread->group];
  *(kind == ACT_SLEEP ? &g->slept : &g->external) += (double)time;
}

static void put_lock(struct writer *w, enum act_kind kind, uint32_t lock, bool is_read,
                     stack_id_t stack) {
  struct act *a = put_act(w, kind, lock - 1);
  a->is_read = is_read;
  a->place = stack;
}

static uint32_t find_site(struct writer *w, const struct trace_op *op) {
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

/* --- inferred holds ----------------------------------------------------------------------- */

static int compare_bounds(const void *a, const void *b) {
  const struct bound *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->is_end - y->is_end;
}

static void gather_bounds(struct writer *w, uint32_t thread) {
  w->thread_holds = known_holds_of(&w->holds, thread, &w->num_thread_holds);
  w->num_bounds = w->next_bound = 0;
  for (size_t i = 0; i < w->num_thread_holds; i++) {
    const struct known_hold *h = &w->thread_holds[i];
    for (int is_end = 0; is_end < 2; is_end++) {
      if (is_end == 0 && h->acquire != 0) continue; /* the acquisition itself begins it */
      struct bound *bounds = grow(w->bounds, w->num_bounds, &w->bounds_capacity, sizeof *bounds);
      if (bounds == NULL) {
        w->failed = true;
        return;
      }
      w->bounds = bounds;
      bounds[w->num_bounds++] = (struct bound){is_end ? h->to : h->from, (uint32_t)i, is_end != 0};
    }
  }
  if (w->num_bounds > 0) qsort(w->bounds, w->num_bounds, sizeof *w->bounds, compare_bounds);
}

static struct held *find_held(struct writer *w, uint32_t lock) {
  for (size_t i = w->num_held; i > 0; i--) {
    if (w->held[i - 1].lock == lock) return &w->held[i - 1];
  }
  return NULL;
}

static void remove_held(struct writer *w, struct held *held) {
  size_t at = (size_t)(held - w->held);
  memmove(held, held + 1, (w->num_held - at - 1) * sizeof *held);
  w->num_held--;
}

static void take_lock(struct writer *w, uint32_t lock, bool is_read, stack_id_t stack) {
  struct held *held = find_held(w, lock);
  if (held != NULL) {
    held->depth++;
    return;
  }
  if (w->num_held == MAX_HELD) return;
  w->held[w->num_held++] = (struct held){lock, 1, is_read, 0};
  put_lock(w, ACT_ACQUIRE, lock, is_read, stack);
}

static void leave_lock(struct writer *w, uint32_t lock) {
  struct held *held = find_held(w, lock);
  if (held == NULL || --held->depth > 0) return;
  put_lock(w, ACT_RELEASE, lock, held->is_read, 0);
  remove_held(w, held);
}

static void leave_all(struct writer *w) {
  while (w->num_held > 0) {
    w->held[w->num_held - 1].depth = 1;
    leave_lock(w, w->held[w->num_held - 1].lock);
  }
}

static void take_inferred(struct writer *w, uint32_t lock, uint32_t hold, stack_id_t stack) {
  take_lock(w, lock, false, stack);
  struct held *held = find_held(w, lock);
  if (held != NULL) held->hold = hold;
}

static void put_bound(struct writer *w, const struct bound *b) {
  uint32_t lock = w->thread_holds[b->hold].lock + 1;
  struct held *held = find_held(w, lock);
  if (b->is_end) {
    if (held != NULL && held->hold == b->hold + 1) leave_lock(w, lock);
  } else if (held == NULL) {
    take_inferred(w, lock, b->hold + 1, 0);
  }
}

/* Whether a bound within an operation is written before it. An owner that sleeps or waits holds the
   lock all the time, or not at all: a hold that begins within began before, and one that ends
   within ended before, but the waiter ran later. An operation that gives the lock away, or asks for
   it, is outside of any hold. */
static bool is_before(const struct writer *w, const struct bound *b, const struct trace_op *op) {
  const struct trace_lock *lock = &w->trace->locks[w->thread_holds[b->hold].lock];
  bool is_of_lock = op->lock == w->thread_holds[b->hold].lock + 1 ||
                    (op->event == EVENT_OBJECT_WAIT && op->object == lock->object);
  return b->is_end || !is_of_lock;
}

/* The waiter ran only after the owner had gone on to its next operation. */
static void note_late_waiter(struct writer *w, const struct known_hold *h,
                             const struct trace_op *op) {
  struct script_lock *lock = &w->script->locks[h->lock];
  lock->hand_off += (double)(h->to - op->begin) / (double)(lock->waits == 0 ? 1 : lock->waits);
}

/* Writes the bounds within an operation that precede it, or those that follow it. */
static void put_bounds_in(struct writer *w, const struct trace_op *op, bool before) {
  for (size_t i = w->next_bound; i < w->num_bounds && w->bounds[i].time < op->end; i++) {
    const struct bound *b = &w->bounds[i];
    if (is_before(w, b, op) != before) continue;
    struct held *held = find_held(w, w->thread_holds[b->hold].lock + 1);
    if (b->is_end && held != NULL && held->hold == b->hold + 1) {
      note_late_waiter(w, &w->thread_holds[b->hold], op);
    }
    put_bound(w, b);
  }
}

static void pass_bounds(struct writer *w, ticks_t until) {
  while (w->next_bound < w->num_bounds && w->bounds[w->next_bound].time < until) w->next_bound++;
}

/* --- running ------------------------------------------------------------------------------ */

/* Returns the CPU time of recording in the stretch before an operation, in nanoseconds: the stack
   of this operation is taken before its time. */
static double estimate_cost(const struct writer *w, const struct trace_op *op) {
  size_t depth;
  if (w->frame_cost <= 0 || op->stack == 0) return 0;
  stacks_frames(&w->trace->model->stacks, op->stack, &depth);
  return (COST_LINE_NS + COST_STACK_NS + (double)depth * w->frame_cost) * w->cost_scale;
}

/* Writes the part of a stretch between two moments. */
static void put_run(struct writer *w, const struct trace_op *op, ticks_t from, ticks_t to,
                    uint32_t site, double cost) {
  ticks_t length = op->begin - op->since;
  if (to <= from) return;
  double part = (double)(to - from) / (double)length;
  ticks_t queued = w->script->capacity.cpus > 0 ? op->queued : 0;
  ticks_t busy = op->cpu + queued;
  struct act *a = put_act(w, ACT_RUN, 0);
  a->cpu = (double)w->need[op - w->trace->ops] * part;
  a->count = (uint32_t)(cost * part);
  a->time = busy < length ? (double)(length - busy) * part : 0;
  a->place = site;
}

static void put_stretch(struct writer *w, const struct trace_op *op) {
  if (op->begin <= op->since) return;
  ticks_t at = op->since;
  uint32_t site = find_site(w, op);
  double cost = estimate_cost(w, op);
  while (w->next_bound < w->num_bounds && w->bounds[w->next_bound].time <= op->begin) {
    const struct bound *b = &w->bounds[w->next_bound++];
    ticks_t time = b->time < at ? at : b->time;
    put_run(w, op, at, time, site, cost);
    put_bound(w, b);
    at = time;
  }
  put_run(w, op, at, op->begin, site, cost);
}

/* --- operations --------------------------------------------------------------------------- */

static void put_reach(struct writer *w, const struct trace_op *op) {
  uint32_t point = w->marks.of_op[op - w->trace->ops];
  if (point != 0 && op->kind != TRACE_MEET) put_act(w, ACT_REACH, point - 1);
}

/* A TaskQueued lets the pool run the task. Other signals end waits. */
static void put_signal(struct writer *w, const struct trace_op *op) {
  uint32_t number = (uint32_t)(op - w->trace->ops) + 1;
  uint32_t task = op->event == EVENT_TASK_QUEUED ? trace_pools_task(&w->script->found, number) : 0;
  bool is_known = task != 0 && w->script->pools[w->script->tasks[task - 1].pool].is_known;
  if (is_known) put_act(w, ACT_QUEUE, task - 1);
  put_reach(w, op);
}

/* A signal inside of an operation belongs to its beginning or to its end, whichever is nearer: the
   release within the await of a condition, the unpark at the end of a put. */
static bool is_early(const struct trace_op *signal, const struct trace_op *op) {
  return signal->begin - op->begin < op->end - signal->begin;
}

static void put_early_signals(struct writer *w, const struct trace_op *op) {
  for (uint32_t at = op->next; at != 0; at = w->trace->ops[at - 1].next) {
    const struct trace_op *signal = &w->trace->ops[at - 1];
    if (signal->kind != TRACE_SIGNAL || signal->begin >= op->end || !is_early(signal, op)) break;
    put_signal(w, signal);
    w->early_until = signal->begin;
  }
}

static void put_await(struct writer *w, const struct trace_op *op, uint32_t point, uint32_t count,
                      ticks_t latency) {
  struct act *a = put_act(w, ACT_AWAIT, point - 1);
  a->count = count;
  a->time = (double)latency;
  a->place = op->stack;
}

/* A wait that another operation ended. Returns false if the script does not know when that happens.
 */
static bool put_await_cause(struct writer *w, const struct trace_op *op) {
  if (op->cause != TRACE_BY_OP) return false;
  const struct trace_op *cause = &w->trace->ops[op->cause_op - 1];
  uint32_t point = w->marks.of_op[op->cause_op - 1];
  bool is_counted = cause->event == EVENT_LATCH_COUNT_DOWN;
  if (point == 0 || is_counted || cause->kind == TRACE_MEET) return false;
  put_await(w, op, point, 1, op->end > cause->begin ? op->end - cause->begin : 0);
  return true;
}

/* A latch opens when it was counted down as often as in the recording. */
static bool put_latch(struct writer *w, const struct trace_op *op) {
  uint64_t row = 0;
  if (op->event != EVENT_LATCH_AWAIT || op->failed) return false;
  hashmap_get(&w->marks.latch_ids, op->object, &row);
  if (row == 0 || w->marks.latches[row - 1].last > op->end) return false;
  const struct script_latch *latch = &w->marks.latches[row - 1];
  put_await(w, op, latch->point, latch->count, latch->last > op->begin ? op->end - latch->last : 0);
  return true;
}

static bool put_join(struct writer *w, const struct trace_op *op) {
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
static bool put_future(struct writer *w, const struct trace_op *op) {
  uint64_t point = 0;
  hashmap_get(&w->marks.futures, (uint32_t)(op - w->trace->ops) + 1, &point);
  if (point == 0) return false;
  put_await(w, op, (uint32_t)point, 1, 0);
  return true;
}

static void put_wait(struct writer *w, const struct trace_op *op) {
  if (op->open) {
    put_act(w, ACT_STOP, 0);
  } else if (op->cause == TRACE_TIME) {
    put_time(w, ACT_SLEEP, op->end - op->begin, op);
  } else if (!put_latch(w, op) && !put_join(w, op) && !put_future(w, op) &&
             !put_await_cause(w, op) && op->cause != TRACE_NOTHING) {
    put_time(w, ACT_EXTERNAL, op->end - op->begin, op);
  }
}

/* The lock that a thread gives away while it waits, if the thread holds it. */
static struct held *find_given(struct writer *w, const struct trace_op *op) {
  enum event_kind event = op->event;
  if (lock_events[event].act != LOCK_ACT_GIVES_AWAY) return NULL;
  for (size_t i = w->num_held; i > 0; i--) {
    const struct trace_lock *lock = &w->trace->locks[w->held[i - 1].lock - 1];
    bool is_it = lock_events[event].sort == LOCK_MONITOR
                     ? lock->sort == LOCK_MONITOR && lock->object == op->object
                     : lock->sort == LOCK_LOCK;
    if (is_it) return &w->held[i - 1];
  }
  return NULL;
}

static void put_wait_inside(struct writer *w, const struct trace_op *op) {
  struct held *given = find_given(w, op);
  struct held lock = given == NULL ? (struct held){0} : *given;
  if (given != NULL) put_lock(w, ACT_RELEASE, lock.lock, lock.is_read, 0);
  put_wait(w, op);
  if (given != NULL) put_lock(w, ACT_ACQUIRE, lock.lock, lock.is_read, op->stack);
}

/* Returns the known hold that begins with an acquisition of a lock without releases, plus one; 0:
   none. */
static uint32_t find_hold(const struct writer *w, const struct trace_op *op) {
  uint32_t number = (uint32_t)(op - w->trace->ops) + 1;
  size_t low = 0, high = w->num_thread_holds;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (w->thread_holds[middle].from < op->end) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; low < w->num_thread_holds && w->thread_holds[low].from == op->end; low++) {
    if (w->thread_holds[low].acquire == number) return (uint32_t)low + 1;
  }
  return 0;
}

static void put_unreleased(struct writer *w, const struct trace_op *op) {
  if (op->cause == TRACE_NOTHING) return;
  /* The owner left the lock before it asks for it again; the waiter ran later. */
  struct held *held = find_held(w, op->lock);
  if (held != NULL && held->hold != 0) note_late_waiter(w, &w->thread_holds[held->hold - 1], op);
  if (held != NULL) leave_lock(w, op->lock);
  if (op->cause == TRACE_EXTERNAL) put_time(w, ACT_EXTERNAL, op->end - op->begin, op);
  uint32_t hold = find_hold(w, op);
  take_inferred(w, op->lock, hold, op->stack);
  if (hold == 0) leave_lock(w, op->lock);
}

static void put_acquire(struct writer *w, const struct trace_op *op) {
  bool has_releases = w->trace->locks[op->lock - 1].has_releases;
  if (op->failed) {
    put_time(w, ACT_SLEEP, op->end - op->begin, op);
  } else if (op->open) {
    put_act(w, ACT_STOP, 0);
  } else if (!has_releases) {
    put_unreleased(w, op);
  } else {
    /* A thread that waits does not hold the lock: the line of a release is missing. */
    struct held *held = op->cause == TRACE_NOTHING ? NULL : find_held(w, op->lock);
    if (held != NULL) held->depth = 1;
    if (held != NULL) leave_lock(w, op->lock);
    take_lock(w, op->lock, op->is_read, op->stack);
  }
}

static void put_permit(struct writer *w, const struct trace_op *op) {
  if (op->failed) {
    put_time(w, ACT_SLEEP, op->end - op->begin, op);
  } else if (op->open) {
    put_act(w, ACT_STOP, 0);
  } else {
    put_lock(w, ACT_TAKE, op->lock, false, op->stack);
  }
}

static void put_queue(struct writer *w, const struct trace_op *op) {
  uint64_t row = 0;
  hashmap_get(&w->marks.queues, op->object, &row);
  if (op->failed || op->open || op->runs || row == 0) {
    put_wait(w, op);
  } else {
    put_act(w, op->kind == TRACE_INSERT ? ACT_INSERT : ACT_REMOVE, (uint32_t)row - 1)->place =
        op->stack;
  }
}

static void put_meeting(struct writer *w, const struct trace_op *op) {
  uint32_t generation = w->marks.of_op[op - w->trace->ops];
  if (generation == 0) {
    put_wait(w, op);
  } else {
    ticks_t tripped = w->script->generations[generation - 1].tripped;
    struct act *a = put_act(w, ACT_MEET, generation - 1);
    a->place = op->stack;
    a->time = op->end > tripped ? (double)(op->end - tripped) : 0;
  }
}

static void put_call(struct writer *w, const struct trace_op *op) {
  size_t depth;
  const struct frame *frames = stacks_frames(&w->trace->model->stacks, op->stack, &depth);
  if (depth == 0) return;
  struct act *a = put_act(w, op->kind == TRACE_ENTRY ? ACT_ENTRY : ACT_EXIT, frames[0].method);
  if (w->work == NULL || !names_method_matches(w->trace->model->dump, frames[0].method, w->work)) {
    return;
  }
  a->is_start = op->kind == TRACE_ENTRY;
  a->is_goal = op->kind == TRACE_EXIT;
  w->script->num_goals += a->is_goal;
}

static void put_start(struct writer *w, const struct trace_op *op) {
  if (!op->older && put_await_cause(w, op)) return;
  w->thread->start = (double)(op->begin - w->trace->begin);
}

static void put_end(struct writer *w, const struct trace_op *op) {
  leave_all(w);
  put_reach(w, op);
  w->thread->ended = !op->open;
}

/* A hold that spans a wait for other threads is more likely two, between which the lock was free: a
   thread that acquires a free lock has no line. */
static void leave_inferred(struct writer *w, const struct trace_op *op) {
  for (size_t i = w->num_held; i > 0 && op->end > op->begin; i--) {
    uint32_t lock = w->held[i - 1].lock;
    if (!w->trace->locks[lock - 1].has_releases) leave_lock(w, lock);
  }
}

static void put_op(struct writer *w, const struct trace_op *op) {
  switch ((enum trace_kind)op->kind) {
    case TRACE_STARTED:
      put_start(w, op);
      break;
    case TRACE_ENDED:
      put_end(w, op);
      break;
    case TRACE_ACQUIRE:
      put_acquire(w, op);
      break;
    case TRACE_RELEASE:
      leave_lock(w, op->lock);
      put_reach(w, op);
      break;
    case TRACE_TAKE_PERMIT:
      put_permit(w, op);
      break;
    case TRACE_RETURN_PERMIT:
      put_lock(w, ACT_RETURN, op->lock, false, op->stack);
      put_reach(w, op);
      break;
    case TRACE_INSERT:
    case TRACE_REMOVE:
      leave_inferred(w, op);
      put_reach(w, op);
      put_queue(w, op);
      break;
    case TRACE_MEET:
      leave_inferred(w, op);
      put_meeting(w, op);
      break;
    case TRACE_SLEEP:
      put_time(w, ACT_SLEEP, op->end - op->begin, op);
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

/* --- tasks of pools ----------------------------------------------------------------------- */

/* What follows is not part of the task. A thread that asks for a task holds no lock. */
static void end_task(struct writer *w) {
  uint32_t point = w->marks.of_task[w->task - 1];
  leave_all(w);
  if (point != 0) put_act(w, ACT_REACH, point - 1);
  put_act(w, ACT_TASK_DONE, w->task - 1);
  w->task = 0;
  w->after = w->script->num_acts;
}

static void begin_work(struct writer *w) {
  leave_all(w);
  w->works = true;
  w->thread->work = w->script->num_acts;
  put_act(w, ACT_WORK, w->thread->pool - 1);
  w->after = w->script->num_acts;
}

/* Divides the acts of a thread of a known pool into tasks. What the thread does after a task, such
   as signals to others that wait for the queue, becomes the beginning of its next task. */
static void divide_tasks(struct writer *w, const struct trace_op *op) {
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

/* The wait for a task lasts until there is one. */
static bool waits_for_task(const struct writer *w, const struct trace_op *op) {
  return w->thread->pool != 0 && trace_can_wait(op->kind) &&
         trace_pools_place(&w->script->found, op) == TRACE_POOL_ASKS;
}

/* --- threads ------------------------------------------------------------------------------ */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* FNV-1a. Two names with the same 64 bits do not occur by chance. */
static uint64_t digest_name(const char *name, size_t length) {
  uint64_t digest = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < length; i++) {
    digest = (digest ^ (unsigned char)name[i]) * UINT64_C(0x100000001B3);
  }
  return digest;
}

/* Finds or adds the group of a thread: its name without the number at the end. */
static uint32_t find_group(struct writer *w, uint32_t hash) {
  const struct thread *thread = threads_find(&w->trace->model->threads, hash);
  const char *name = thread == NULL || thread->name == NULL ? "" : thread->name;
  size_t length = strlen(name);
  while (length > 0 && is_digit(name[length - 1])) length--;
  if (length == 0) length = strlen(name);
  struct script *s = w->script;
  bool is_new;
  size_t row = rows_number(&w->group_ids, digest_name(name, length), &s->groups, &s->num_groups,
                           &s->groups_capacity, sizeof *s->groups, &is_new);
  if (row > 0 && is_new) s->groups[row - 1] = (struct script_group){.name = strndup(name, length)};
  w->failed |= row == 0 || s->groups[row - 1].name == NULL;
  return row == 0 ? 0 : (uint32_t)row - 1;
}

static void write_op(struct writer *w, const struct trace_op *op) {
  bool in_pool = w->thread->pool != 0, begins = op->kind == TRACE_STARTED;
  put_stretch(w, op);
  bool is_written = op->kind == TRACE_SIGNAL && op->begin <= w->early_until;
  if (is_written) return;
  if (in_pool && !begins) divide_tasks(w, op);
  if (!waits_for_task(w, op)) {
    put_bounds_in(w, op, true);
    if (op->end > op->begin) put_early_signals(w, op);
    put_op(w, op);
    put_bounds_in(w, op, false);
  }
  if (in_pool && begins) divide_tasks(w, op);
  pass_bounds(w, op->end);
}

static void write_thread(struct writer *w, uint32_t row) {
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
  w->num_held = 0;
  w->early_until = 0;
  w->works = false;
  w->task = 0;
  gather_bounds(w, row);
  for (uint32_t at = t->threads[row].first; at != 0 && !w->failed; at = t->ops[at - 1].next) {
    write_op(w, &t->ops[at - 1]);
  }
  w->thread->num = s->num_acts - w->thread->first;
}

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

bool script_write(struct script *s, const struct trace *t, const char *work) {
  struct writer w = {.script = s, .trace = t, .work = work};
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
    write_thread(&w, i);
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
