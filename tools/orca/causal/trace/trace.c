#include "tools/orca/causal/trace/trace.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/causal/trace/trace_internal.h"
#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"

/* A call that is not about a lock and took less did not wait. */
#define SHORT (30 * 1000 * TICKS_PER_NS)

/* The part of the recording that may follow the end of the program: its shutdown. */
#define LONGEST_TAIL 10

/* A thread repeats a wait if it does nearly nothing before it: this part of the wait. */
#define POLL_PART 20
/* Repeated waits do not matter for a smaller part of its life. */
#define MOST_POLLED 5

/* --- rows --------------------------------------------------------------------------------- */

uint32_t trace_find_thread(const struct trace *t, uint32_t hash) {
  uint64_t row = 0;
  hashmap_get(&t->thread_rows, hash, &row);
  return (uint32_t)row;
}

/* Whether the operation is a sleep, or another wait that ended by time, which the thread did again
   at once. */
static bool is_repeated(const struct trace *t, const struct trace_op *op) {
  const struct trace_op *before = op->before == 0 ? NULL : &t->ops[op->before - 1];
  return before != NULL && op->cause == TRACE_TIME && before->cause == TRACE_TIME &&
         op->stack == before->stack && op->begin - before->end <= (op->end - op->begin) / POLL_PART;
}

bool trace_polls(const struct trace *t, const struct trace_thread *thread) {
  ticks_t polled = 0, life = thread->end - thread->begin;
  for (uint32_t at = thread->first; at != 0; at = t->ops[at - 1].next) {
    const struct trace_op *op = &t->ops[at - 1];
    bool is_most_of_life = op->cause == TRACE_TIME && op->end - op->begin > life / 2;
    if (is_most_of_life || is_repeated(t, op)) polled += op->end - op->begin;
  }
  return polled > life / MOST_POLLED;
}

bool trace_serves(const struct trace *t, const struct trace_thread *thread) {
  const struct recording *r = &t->model->recording;
  ticks_t from = thread->begin > r->from ? thread->begin : r->from;
  ticks_t to = thread->end < r->to ? thread->end : r->to;
  if (to <= from) return false;
  return spending_waited_for_work(&t->model->spending, thread->hash) > (to - from) / 2;
}

bool trace_ends_with(const struct trace *t, const struct trace_thread *thread) {
  return thread->ended && t->end - thread->end <= (t->end - t->begin) / LONGEST_TAIL &&
         !trace_polls(t, thread) && !trace_serves(t, thread);
}

/* Adds an operation to the end of a thread. Returns it plus one; 0: memory ran out, or the trace is
   too long. */
static uint32_t add_op(struct trace *t, uint32_t thread, const struct trace_op *op) {
  if (t->num_ops >= t->max_ops) {
    t->is_too_long = true;
    return 0;
  }
  struct trace_op *ops = grow(t->ops, t->num_ops, &t->ops_capacity, sizeof *ops);
  if (ops == NULL) return 0;
  t->ops = ops;
  struct trace_thread *row = &t->threads[thread - 1];
  ops[t->num_ops] = *op;
  ops[t->num_ops].thread = thread - 1;
  ops[t->num_ops].before = row->last;
  uint32_t number = (uint32_t)++t->num_ops;
  if (row->last != 0) ops[row->last - 1].next = number;
  if (row->first == 0) row->first = number;
  row->last = number;
  row->num_ops++;
  return number;
}

/* Finds or adds the row of a thread. Every thread begins with a TRACE_STARTED. Returns the row plus
   one; 0: as add_op. */
static uint32_t thread_of(struct trace *t, const struct event_line *line) {
  bool is_new;
  size_t row = rows_number(&t->thread_rows, line->thread, &t->threads, &t->num_threads,
                           &t->threads_capacity, sizeof *t->threads, &is_new);
  if (row == 0 || !is_new) return (uint32_t)row;
  struct trace_thread_state *states =
      grow(t->thread_states, row - 1, &t->thread_states_capacity, sizeof *states);
  if (states == NULL) return 0;
  t->thread_states = states;
  t->threads[row - 1] =
      (struct trace_thread){.hash = line->thread, .begin = line->time, .end = line->time};
  states[row - 1] = (struct trace_thread_state){
      .clock = line->time, .cpu_until = line->time, .queued_until = line->time};
  struct trace_op op = {.since = line->time,
                        .begin = line->time,
                        .end = line->time,
                        .kind = TRACE_STARTED,
                        .event = EVENT_THREAD_STARTED,
                        .older = 1};
  return add_op(t, (uint32_t)row, &op) == 0 ? 0 : (uint32_t)row;
}

/* Finds or adds the row of a lock. Returns the row plus one; 0: memory ran out. */
static uint32_t lock_of(struct trace *t, enum lock_sort sort, uint32_t object) {
  bool is_new;
  if (lock_sort_is_side(sort)) sort = LOCK_LOCK;
  size_t row = rows_number(&t->lock_rows, (uint64_t)sort << 32 | object, &t->locks, &t->num_locks,
                           &t->locks_capacity, sizeof *t->locks, &is_new);
  if (row == 0 || !is_new) return (uint32_t)row;
  struct trace_lock_state *states =
      grow(t->lock_states, row - 1, &t->lock_states_capacity, sizeof *states);
  if (states == NULL) return 0;
  t->lock_states = states;
  t->locks[row - 1] = (struct trace_lock){.sort = sort, .object = object};
  states[row - 1] = (struct trace_lock_state){0};
  return (uint32_t)row;
}

/* --- kinds -------------------------------------------------------------------------------- */

#define NO_KIND (-1)

static int kind_of_lock_event(const struct lock_event *lock) {
  bool is_permit = lock->sort == LOCK_SEMAPHORE;
  switch (lock->act) {
    case LOCK_ACT_WAITS:
    case LOCK_ACT_TRIES:
      return is_permit ? TRACE_TAKE_PERMIT : TRACE_ACQUIRE;
    case LOCK_ACT_LEFT:
      return is_permit ? TRACE_RETURN_PERMIT : TRACE_RELEASE;
    default:
      return NO_KIND;
  }
}

static int kind_of_wake_event(enum event_kind event) {
  switch (wake_events[event].act) {
    case WAKE_ACT_MEETS:
      return TRACE_MEET;
    case WAKE_ACT_ENDED:
      return TRACE_ENDED;
    case WAKE_ACT_STARTED:
      return event_has(event, TRAIT_NAMES_TASK) ? TRACE_SIGNAL : TRACE_STARTED;
    case WAKE_ACT_STARTS:
      return TRACE_SIGNAL;
    default:
      return wake_event_signals(event) ? TRACE_SIGNAL : NO_KIND;
  }
}

static int kind_of_other_event(enum event_kind event) {
  const struct event_info *info = &event_infos[event];
  if (event_has(event, TRAIT_INSERTS)) return TRACE_INSERT;
  if (event_has(event, TRAIT_REMOVES)) return TRACE_REMOVE;
  if (event_has(event, TRAIT_HANDS_OVER)) return TRACE_SIGNAL;
  if (info->role == ROLE_BEGIN) return info->group == GROUP_SLEEP ? TRACE_SLEEP : TRACE_AWAIT;
  if (info->role == ROLE_ENTER) return TRACE_ENTRY;
  return info->role == ROLE_LEAVE ? TRACE_EXIT : NO_KIND;
}

/* The kind of the operation that an event begins, or NO_KIND. */
static int8_t kinds[NUM_EVENTS];

__attribute__((constructor)) static void fill_kinds(void) {
  for (int i = 0; i < NUM_EVENTS; i++) {
    enum event_kind event = (enum event_kind)i;
    int kind = kind_of_lock_event(&lock_events[event]);
    if (kind == NO_KIND) kind = kind_of_wake_event(event);
    kinds[i] = (int8_t)(kind == NO_KIND ? kind_of_other_event(event) : kind);
  }
}

/* --- beginnings --------------------------------------------------------------------------- */

/* The innermost operation of the thread is no wait if an operation other than a signal begins in
   it: code of the program runs there. */
static void note_inner(struct trace *t, const struct trace_thread_state *s) {
  for (unsigned i = 0; i < s->num_nested; i++) t->ops[s->nested[i] - 1].runs = 1;
}

static uint32_t begin_op(struct trace *t, const struct step *step, uint32_t thread, int kind) {
  const struct event_line *line = step->event;
  struct trace_thread_state *s = &t->thread_states[thread - 1];
  bool is_inside = s->num_nested > 0 && kind == TRACE_SIGNAL;
  if (s->num_nested > 0 && kind != TRACE_SIGNAL) note_inner(t, s);
  struct trace_op op = {.since = is_inside ? line->time : s->clock,
                        .begin = line->time,
                        .end = line->time,
                        .object = line->object,
                        .stack = step->stack,
                        .kind = (unsigned)kind & 0xFF,
                        .event = (unsigned)line->kind & 0xFF,
                        .older = step->origin == STEP_OLDER};
  const struct lock_event *lock = &lock_events[line->kind];
  if (kind >= TRACE_ACQUIRE && kind <= TRACE_RETURN_PERMIT) {
    op.is_read = lock->sort == LOCK_READ_SIDE;
    op.lock = lock_of(t, lock->sort, line->object);
    if (op.lock == 0) return 0;
  }
  if (!is_inside) {
    op.cpu = s->cpu;
    op.queued = s->queued;
    s->cpu = s->queued = 0;
    s->clock = line->time;
  }
  return add_op(t, thread, &op);
}

static void open_op(struct trace_thread_state *s, uint32_t op) {
  if (s->num_nested == TRACE_NESTED) s->num_nested = 0; /* their ends are lost */
  s->nested[s->num_nested++] = op;
}

/* --- locks -------------------------------------------------------------------------------- */

static void got_lock(struct trace *t, const struct trace_op *op) {
  if (op->lock == 0 || op->failed) return;
  struct trace_lock_state *lock = &t->lock_states[op->lock - 1];
  lock->owner = op->thread + 1;
  lock->got = op->end;
  lock->acquired = op->stack;
}

/* A MonitorHeld tells where a thread acquired a monitor that it had got without waiting. */
static bool note_held(struct trace *t, const struct step *step, uint32_t thread) {
  uint32_t row = lock_of(t, LOCK_MONITOR, step->event->object);
  if (row == 0) return false;
  if (t->threads[thread - 1].ended) return true; /* the line came late; the monitor is free */
  struct trace_lock_state *lock = &t->lock_states[row - 1];
  if (lock->owner != thread) lock->got = 0;
  lock->owner = thread;
  lock->acquired = step->stack;
  return true;
}

static void note_release(struct trace *t, const struct step *step, uint32_t op) {
  const struct trace_op *o = &t->ops[op - 1];
  t->locks[o->lock - 1].has_releases = true;
  if (o->kind == TRACE_RETURN_PERMIT || step->released) t->lock_states[o->lock - 1].release = op;
}

/* The lock was free: notes who had released it. Not if the thread already had the lock. */
static void note_last_release(const struct trace *t, struct trace_op *op) {
  const struct trace_lock_state *lock = &t->lock_states[op->lock - 1];
  if (lock->release == 0 || t->ops[lock->release - 1].begin < lock->got) return;
  op->cause_op = lock->release;
  op->cause_thread = t->ops[lock->release - 1].thread + 1;
}

/* monitors=all: the acquisition of a monitor, contended or not, is over. */
static bool monitor_entered(struct trace *t, const struct step *step, uint32_t thread) {
  struct trace_thread_state *s = &t->thread_states[thread - 1];
  const struct event_line *line = step->event;
  uint32_t contended = s->contended;
  s->contended = 0;
  if (contended != 0 && t->ops[contended - 1].object == line->object) {
    t->ops[contended - 1].end = s->clock = line->time;
    return true;
  }
  uint32_t op = begin_op(t, step, thread, TRACE_ACQUIRE);
  if (op == 0) return false;
  if (s->enter_object == line->object && s->enter_time >= t->ops[op - 1].since) {
    t->ops[op - 1].begin = s->enter_time;
  }
  s->enter_object = 0;
  note_last_release(t, &t->ops[op - 1]);
  got_lock(t, &t->ops[op - 1]);
  return true;
}

/* --- causes ------------------------------------------------------------------------------- */

static void caused_by_op(const struct trace *t, struct trace_op *op, size_t cause) {
  op->cause = TRACE_BY_OP;
  op->cause_op = (uint32_t)cause;
  op->cause_thread = t->ops[cause - 1].thread + 1;
}

/* The thread that had a lock last, if it released it while this one waited. */
static uint32_t owner_of(const struct trace *t, const struct trace_op *op,
                         const struct step *step) {
  const struct trace_lock_state *lock = &t->lock_states[op->lock - 1];
  if (lock->owner != 0 && lock->got > op->begin && lock->owner != op->thread + 1)
    return lock->owner;
  uint32_t named = step->pair->last_owner != 0 ? step->pair->last_owner : step->pair->owner;
  uint32_t owner = named == 0 ? 0 : trace_find_thread(t, named);
  return owner == op->thread + 1 ? 0 : owner;
}

static void find_lock_cause(const struct trace *t, struct trace_op *op, const struct step *step) {
  const struct trace_lock_state *lock = &t->lock_states[op->lock - 1];
  const struct trace_op *release = lock->release == 0 ? NULL : &t->ops[lock->release - 1];
  if (release != NULL && release->begin > op->begin && release->thread != op->thread) {
    caused_by_op(t, op, lock->release);
    return;
  }
  uint32_t owner = op->kind == TRACE_ACQUIRE ? owner_of(t, op, step) : 0;
  op->cause = owner == 0 ? TRACE_EXTERNAL : TRACE_BY_OWNER;
  op->cause_thread = owner;
  op->cause_stack = owner != 0 && owner == lock->owner ? lock->acquired : 0;
}

/* Whether the call was LockSupport.parkNanos or parkUntil. */
static bool is_timed_park(const struct trace *t, const struct trace_op *op) {
  size_t depth;
  const struct frame *frames = stacks_frames(&t->model->stacks, op->stack, &depth);
  const struct method_line *method =
      depth == 0 ? NULL : dump_method(t->model->dump, frames[0].method);
  return method != NULL && !span_is(method->name, "park");
}

static bool ended_by_time(const struct trace *t, const struct trace_op *op) {
  if (op->failed || op->kind == TRACE_SLEEP) return true;
  /* Object.wait has no event of its own for a timeout: nobody notified it. */
  if (op->event == EVENT_OBJECT_WAIT) return t->wakes.in_turn;
  return op->event == EVENT_THREAD_PARK && is_timed_park(t, op);
}

static void find_cause(struct trace *t, struct trace_op *op, const struct step *step,
                       const struct wake *wake) {
  bool is_lock = op->kind == TRACE_ACQUIRE || op->kind == TRACE_TAKE_PERMIT;
  if (op->kind == TRACE_ACQUIRE && !step->had_to_wait && !op->failed) note_last_release(t, op);
  if (op->runs || (is_lock && !step->had_to_wait)) return;
  if (!op->failed && wake->woken && wake->by.mark != 0) {
    caused_by_op(t, op, wake->by.mark);
  } else if (!op->failed && is_lock) {
    find_lock_cause(t, op, step);
  } else if (ended_by_time(t, op)) {
    op->cause = TRACE_TIME;
  } else if (op->end - op->begin > SHORT) {
    op->cause = TRACE_EXTERNAL;
  }
  if (op->cause == TRACE_EXTERNAL) {
    t->external++;
    t->external_time += op->end - op->begin;
  }
  if (is_lock) {
    t->locks[op->lock - 1].waits++;
    t->locks[op->lock - 1].waited += op->end - op->begin;
  }
}

/* --- ends --------------------------------------------------------------------------------- */

static void end_op(struct trace *t, const struct step *step, uint32_t thread,
                   const struct wake *wake) {
  struct trace_thread_state *s = &t->thread_states[thread - 1];
  unsigned at = s->num_nested;
  if (step->pair == NULL) return;
  while (at > 0 && t->ops[s->nested[at - 1] - 1].event != (unsigned)step->pair->kind) at--;
  if (at == 0) return;
  uint32_t number = s->nested[at - 1];
  struct trace_op *op = &t->ops[number - 1];
  s->num_nested = at - 1;
  op->failed = step->pair->failed;
  if (op->runs) {
    got_lock(t, op);
    return;
  }
  if (step->event->time > op->begin) op->end = s->clock = step->event->time;
  find_cause(t, op, step, wake);
  got_lock(t, op);
  if (op->event == EVENT_MONITOR_CONTENDED_ENTER) s->contended = number;
}

/* A thread begins: another thread started it, or it ran already. */
static void start_thread(struct trace *t, const struct step *step, uint32_t thread,
                         const struct wake *wake) {
  struct trace_op *op = &t->ops[t->threads[thread - 1].first - 1];
  op->begin = op->end = op->since = step->event->time;
  t->threads[thread - 1].begin = step->event->time;
  if (!wake->woken || wake->by.mark == 0) return;
  op->older = 0;
  caused_by_op(t, op, wake->by.mark);
}

static void end_thread(struct trace *t, const struct step *step, uint32_t thread) {
  t->threads[thread - 1].ended = true;
  t->threads[thread - 1].end = step->event->time;
}

/* --- steps -------------------------------------------------------------------------------- */

static bool take_event(struct trace *t, const struct step *step) {
  const struct event_line *line = step->event;
  int kind = kinds[line->kind];
  uint32_t thread = thread_of(t, line), op = 0;
  if (thread == 0) return false;
  struct trace_thread_state *s = &t->thread_states[thread - 1];
  if (kind != NO_KIND && kind != TRACE_STARTED) {
    op = begin_op(t, step, thread, kind);
    if (op == 0) return false;
    if (event_infos[line->kind].role == ROLE_BEGIN) open_op(s, op);
    if (kind == TRACE_RELEASE || kind == TRACE_RETURN_PERMIT) note_release(t, step, op);
  }
  struct wake wake;
  if (!wakes_event(&t->wakes, line, op, &wake)) return false;
  if (event_is_end(line->kind)) end_op(t, step, thread, &wake);
  if (line->kind == EVENT_TASK_TAKEN && wake.woken)
    t->ops[op - 1].cause_op = (uint32_t)wake.by.mark;
  if (line->kind == EVENT_THREAD_STARTED) start_thread(t, step, thread, &wake);
  if (line->kind == EVENT_THREAD_ENDED) end_thread(t, step, thread);
  if (line->kind == EVENT_MONITOR_HELD) return note_held(t, step, thread);
  if (line->kind == EVENT_MONITOR_ENTERED) return monitor_entered(t, step, thread);
  if (line->kind == EVENT_MONITOR_ENTER) {
    s->enter_time = line->time;
    s->enter_object = line->object;
  }
  return true;
}

static bool add_sample(struct trace *t, const struct step *step, ticks_t cpu) {
  uint32_t thread = trace_find_thread(t, step->sample->thread);
  if (thread == 0 || step->stack == 0) return true;
  struct trace_sample *samples =
      grow(t->samples, t->num_samples, &t->samples_capacity, sizeof *samples);
  if (samples == NULL) return false;
  t->samples = samples;
  samples[t->num_samples++] =
      (struct trace_sample){step->sample->time, cpu, thread - 1, step->stack};
  return true;
}

static bool take_sample(struct trace *t, const struct step *step) {
  const struct sample_line *line = step->sample;
  if (line->kind == SAMPLE_PAUSE) return trace_take_pause(t, line);
  if (line->kind == SAMPLE_SCHED) {
    trace_take_queued(t, line->thread, (ticks_t)line->wait_ns * TICKS_PER_NS, line->time);
    return true;
  }
  bool tells_cpu = (line->kind == SAMPLE_CPU) == t->model->recording.by_signal;
  ticks_t cpu = tells_cpu && line->cpu_ns > 0 ? (ticks_t)line->cpu_ns * TICKS_PER_NS : 0;
  if (cpu > 0) trace_take_cpu(t, line->thread, cpu, line->time);
  bool shows_more = step->activity == ACTIVITY_IO || step->activity == ACTIVITY_NO_CALL;
  return (cpu == 0 && (line->kind == SAMPLE_CPU || !shows_more)) || add_sample(t, step, cpu);
}

static bool take_step(void *arg, const struct step *step) {
  struct trace *t = arg;
  if (step->event != NULL) return take_event(t, step);
  return step->sample == NULL || take_sample(t, step);
}

/* --- the end ------------------------------------------------------------------------------ */

/* Ends the open operations of a thread that lives at the end of the recording. */
static bool close_thread(struct trace *t, uint32_t thread) {
  struct trace_thread_state *s = &t->thread_states[thread - 1];
  struct trace_thread *row = &t->threads[thread - 1];
  if (row->ended) return true;
  for (unsigned i = 0; i < s->num_nested; i++) {
    struct trace_op *op = &t->ops[s->nested[i] - 1];
    op->open = 1;
    if (op->runs) continue;
    op->end = s->clock = t->end;
    op->cause = op->kind == TRACE_SLEEP ? TRACE_TIME : TRACE_EXTERNAL;
  }
  row->end = t->end;
  struct trace_op last = {.since = s->clock,
                          .begin = t->end,
                          .end = t->end,
                          .cpu = s->cpu,
                          .queued = s->queued,
                          .kind = TRACE_ENDED,
                          .event = EVENT_THREAD_ENDED,
                          .open = 1};
  return add_op(t, thread, &last) != 0;
}

void trace_start(struct trace *t, struct model *m, size_t max_ops) {
  *t = (struct trace){.model = m,
                      .begin = m->recording.start,
                      .end = m->recording.end,
                      .max_ops = max_ops < TRACE_MAX_OPS ? max_ops : TRACE_MAX_OPS,
                      .cpus = process_cpus(m->dump),
                      .is_lossy = coverage_is_lossy(dump_coverage(m->dump))};
  wakes_start(&t->wakes, m->dump);
}

bool trace_take(struct trace *t, const struct step *step) {
  return t->is_too_long || take_step(t, step) || t->is_too_long;
}

bool trace_finish(struct trace *t) {
  bool good = !t->is_too_long;
  for (uint32_t i = 1; good && i <= t->num_threads; i++) good = close_thread(t, i);
  wakes_free(&t->wakes);
  free(t->thread_states);
  free(t->lock_states);
  t->thread_states = NULL;
  t->lock_states = NULL;
  return good || t->is_too_long;
}

bool trace_read(struct trace *t, struct model *m, size_t max_ops) {
  trace_start(t, m, max_ops);
  bool good = replay(m, TRACE_LINES, take_step, t) || t->is_too_long;
  return trace_finish(t) && good;
}

size_t trace_first_sample(const struct trace *t, ticks_t time) {
  size_t low = 0, high = t->num_samples;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (t->samples[middle].time <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool trace_waits_in(const struct trace *t, uint32_t method) {
  for (size_t i = 0; i < t->num_ops; i++) {
    size_t depth;
    const struct frame *frames = stacks_frames(&t->model->stacks, t->ops[i].stack, &depth);
    if (trace_waited(&t->ops[i]) > 0 && depth > 0 && frames[0].method == method) return true;
  }
  return false;
}

void trace_free(struct trace *t) {
  wakes_free(&t->wakes);
  hashmap_free(&t->thread_rows);
  hashmap_free(&t->lock_rows);
  free(t->thread_states);
  free(t->lock_states);
  free(t->threads);
  free(t->locks);
  free(t->ops);
  free(t->samples);
  free(t->pauses);
  *t = (struct trace){0};
}
