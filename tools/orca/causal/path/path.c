#include "tools/orca/causal/path/path.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"

const char *const path_reason_keys[NUM_PATH_REASONS] = {
#define PATH(id, key, words) [PATH_##id] = key,
#include "tools/orca/causal/path/path_reason.def"
};

const char *const path_reason_words[NUM_PATH_REASONS] = {
#define PATH(id, key, words) [PATH_##id] = words,
#include "tools/orca/causal/path/path_reason.def"
};

/* --- turns and messages ------------------------------------------------------------------- */

/* A semaphore whose permits are returned by who took them, nearly always, is a lock. */
#define RETURNED_BY_TAKER 0.9

/* Finds for each semaphore whether it is a turn. A monitor or lock always is. */
static bool find_turns(struct path *p) {
  const struct trace *t = p->trace;
  struct hashmap taken = {0}; /* thread and lock -> permits */
  uint64_t *returns = calloc(t->num_locks + 1, sizeof *returns);
  uint64_t *own = calloc(t->num_locks + 1, sizeof *own);
  bool good = returns != NULL && own != NULL;
  for (size_t i = 0; good && i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    bool takes = op->kind == TRACE_TAKE_PERMIT && !op->failed,
         gives = op->kind == TRACE_RETURN_PERMIT;
    if (!takes && !gives) continue;
    uint64_t *have = hashmap_at(&taken, (uint64_t)op->thread << 32 | op->lock);
    good = have != NULL;
    if (!good) break;
    returns[op->lock - 1] += gives;
    own[op->lock - 1] += gives && *have > 0;
    if (takes) (*have)++;
    if (gives && *have > 0) (*have)--;
  }
  for (size_t i = 0; good && i < t->num_locks; i++) {
    p->turns[i] = t->locks[i].sort != LOCK_SEMAPHORE ||
                  (double)own[i] >= RETURNED_BY_TAKER * (double)returns[i];
  }
  hashmap_free(&taken);
  free(returns);
  free(own);
  return good;
}

bool path_start(struct path *p, const struct trace *t) {
  *p = (struct path){.trace = t};
  p->at = calloc(t->num_threads + 1, sizeof *p->at);
  p->turns = calloc(t->num_locks + 1, sizeof *p->turns);
  return p->at != NULL && p->turns != NULL && find_turns(p);
}

/* --- the walk ----------------------------------------------------------------------------- */

#define NO_THREAD UINT32_MAX
#define LONG (TICKS_PER_S / 1000) /* shorter stretches are not idle time that matters */
#define DEEPEST 64                /* threads that wait for each other's turn at a time */

/* A thread that waits for its turn: the path returns to it where its wait began. Up to there the
   path is with the owners of the lock, one after the other. */
struct turn {
  uint32_t thread, lock;
  uint32_t op;      /* the wait, plus one */
  ticks_t floor;    /* of the thread that waits */
  uint32_t owner;   /* thread; the walk is with it, or with a thread that it waited for */
  stack_id_t stack; /* of the owner, from the frame that acquired the lock; 0: not known */
};

struct walk {
  struct path *path;
  ticks_t floor; /* where the work or the innermost turn began */
  ticks_t time;
  uint32_t thread;
  struct turn turns[DEEPEST];
  unsigned depth;
  /* The wait that led the path to this thread by a message; thread UINT32_MAX: none. */
  struct {
    uint32_t thread;
    ticks_t begin;
  } message;
  uint64_t steps; /* of the walk, so that files with impossible times cannot make it endless */
  bool failed;
};

static const struct trace_op *op_at(const struct walk *w, uint32_t number) {
  return &w->path->trace->ops[number - 1];
}

/* Returns the operation in which a signal was sent, if it is still under way then; else the signal
   itself. The thread goes on in that operation after the signal. */
static uint32_t find_outer(const struct walk *w, uint32_t number) {
  uint32_t outer = number;
  while (outer != 0 && op_at(w, outer)->kind == TRACE_SIGNAL &&
         op_at(w, outer)->since == op_at(w, outer)->begin) {
    outer = op_at(w, outer)->before;
  }
  return outer != 0 && op_at(w, outer)->end > op_at(w, number)->begin ? outer : number;
}

/* Returns the last operation (plus one) of the thread that began before the time, without signals
   inside of it; 0: none. */
static uint32_t seek(const struct walk *w) {
  const struct trace *t = w->path->trace;
  uint32_t *at = &w->path->at[w->thread];
  if (*at == 0) *at = t->threads[w->thread].last;
  while (t->ops[*at - 1].next != 0 && t->ops[t->ops[*at - 1].next - 1].begin < w->time) {
    *at = t->ops[*at - 1].next;
  }
  while (t->ops[*at - 1].begin >= w->time && t->ops[*at - 1].before != 0) {
    *at = t->ops[*at - 1].before;
  }
  return t->ops[*at - 1].begin < w->time ? find_outer(w, *at) : 0;
}

static bool add_nested(struct path *p, uint32_t lock) {
  struct path_nested *rows = grow(p->nested, p->num_nested, &p->nested_capacity, sizeof *rows);
  if (rows == NULL) return false;
  p->nested = rows;
  rows[p->num_nested++] = (struct path_nested){p->num_pieces, lock};
  return true;
}

/* Of the piece that follows. */
static bool add_lock_times(struct walk *w, ticks_t time) {
  struct path *p = w->path;
  size_t before = p->num_nested;
  for (unsigned i = 0; i < w->depth; i++) {
    bool is_first = true;
    uint32_t lock = w->turns[i].lock;
    for (unsigned k = 0; k < i; k++) is_first &= w->turns[k].lock != lock;
    if (!is_first) continue;
    if (!tally_add(&p->locks, 0, lock, 1, time) || !add_nested(p, lock)) return false;
  }
  if (p->num_nested == before + 1) p->num_nested = before; /* it is the only one */
  return true;
}

/* Charges the time from `from` up to the current one to a reason, and goes to `from`. */
static void charge(struct walk *w, ticks_t from, enum path_reason reason, uint32_t op) {
  struct path *p = w->path;
  if (from < w->floor) from = w->floor;
  if (from >= w->time) return;
  struct path_piece *pieces = grow(p->pieces, p->num_pieces, &p->capacity, sizeof *pieces);
  if (pieces != NULL) p->pieces = pieces;
  w->failed |= pieces == NULL || !add_lock_times(w, w->time - from);
  if (w->failed) return;
  pieces[p->num_pieces++] =
      (struct path_piece){.begin = from,
                          .end = w->time,
                          .thread = w->thread,
                          .lock = w->depth == 0 ? 0 : w->turns[w->depth - 1].lock,
                          .op = op,
                          .reason = reason,
                          .stack = op == 0 ? 0 : op_at(w, op)->stack};
  p->times[reason] += w->time - from;
  p->total += w->time - from;
  w->time = from;
}

/* Whether a sample saw the thread wait for work or for requests, in a call that has no events. */
static bool was_idle(const struct walk *w, ticks_t from) {
  const struct trace *t = w->path->trace;
  for (size_t i = trace_first_sample(t, from); i < t->num_samples; i++) {
    const struct trace_sample *s = &t->samples[i];
    if (s->time > w->time) break;
    if (s->thread != w->thread || s->cpu > 0) continue;
    return spending_is_idle(&t->model->spending, s->stack);
  }
  return false;
}

/* The thread was idle, as the acceptor of a server is. No event tells what ended that, such as the
   end of the server; and its time is not why the work took long. If the path came here because a
   thread waited for this one, it goes on before that wait. */
static void walk_idle(struct walk *w, ticks_t from, uint32_t after) {
  bool has_message =
      w->message.thread != NO_THREAD && w->message.begin < w->time && w->message.begin > w->floor;
  enum path_reason reason = w->path->stops_at_idle ? PATH_IDLE : PATH_EXTERNAL;
  if (!has_message) {
    charge(w, from, reason, after);
    return;
  }
  charge(w, w->message.begin, reason, after);
  w->thread = w->message.thread;
  w->message.thread = NO_THREAD;
}

/* The thread was between two operations. Its CPU time and its time on the run queue are known only
   as sums of the whole stretch, so the part on the path gets its share of each. */
static void walk_stretch(struct walk *w, uint32_t before) {
  const struct trace_op *op = op_at(w, before);
  uint32_t after = op->next;
  while (after != 0 && op_at(w, after)->begin < op->end) after = op_at(w, after)->next;
  ticks_t from = op->end > w->floor ? op->end : w->floor;
  ticks_t cpu = 0, queued = 0, here = w->time - from;
  if (after != 0) {
    const struct trace_op *next = op_at(w, after);
    ticks_t all = next->begin > next->since ? next->begin - next->since : 0;
    cpu = all == 0 ? 0 : (ticks_t)((unsigned __int128)next->cpu * here / all);
    queued = all == 0 ? 0 : (ticks_t)((unsigned __int128)next->queued * here / all);
  }
  if (cpu > here) cpu = here;
  if (here > LONG && cpu + queued < here / 10 && was_idle(w, from)) {
    walk_idle(w, from, after);
    return;
  }
  if (queued > here - cpu) queued = here - cpu;
  charge(w, w->time - cpu, PATH_RUNS, after);
  charge(w, w->time - queued, PATH_QUEUED, after);
  charge(w, from, PATH_OFF_CPU, after);
}

/* Whether an operation of the owner is outside of the frame that acquired the lock. */
static bool is_outside(const struct walk *w, const struct trace_op *op, stack_id_t frame) {
  const struct model *m = w->path->trace->model;
  return frame != 0 && op->stack != 0 &&
         stacks_find_frame(&m->stacks, m->dump, op->stack, frame) < 0;
}

/* The owner may have released the lock before the waiter ran. Goes back to the last time when it
   may have owned the lock. */
static ticks_t find_release(const struct walk *w, const struct trace_op *wait) {
  struct walk owner = *w;
  owner.thread = wait->cause_thread - 1;
  while (owner.time > wait->begin) {
    uint32_t number = seek(&owner);
    if (number == 0) break;
    const struct trace_op *op = op_at(w, number);
    if (op->begin <= wait->begin || !is_outside(w, op, wait->cause_stack)) break;
    owner.time = op->begin;
  }
  return owner.time;
}

/* When the cause of a wait, or of a hand-over, happened. */
static ticks_t moment_of(const struct walk *w, const struct trace_op *op) {
  ticks_t moment = op->cause_op != 0 ? op_at(w, op->cause_op)->begin : find_release(w, op);
  return moment < w->time ? moment : w->time; /* the path came here in the middle of the wait */
}

/* The thread that the path is with does not own the lock of the innermost turn. So the wait is on
   account of the lock, and its place is where the waiter is. */
static void charge_unknown_owner(struct walk *w) {
  const struct turn *turn = &w->turns[w->depth - 1];
  w->thread = turn->thread;
  charge(w, w->floor, PATH_BLOCKED, turn->op);
}

/* The owner of the innermost turn acquired the lock here. Before that the lock had another owner.
   Returns false if this is no such operation. */
static bool walk_to_owner_before(struct walk *w, uint32_t number) {
  const struct trace_op *op = op_at(w, number);
  struct turn *turn = w->depth == 0 ? NULL : &w->turns[w->depth - 1];
  if (turn == NULL || w->thread != turn->owner) return false;
  bool acquires = op->kind == TRACE_ACQUIRE && op->lock == turn->lock && !op->failed;
  if (!acquires || op->end > w->time) {
    bool is_idle = turn->stack == 0 && op->cause != TRACE_NOTHING &&
                   spending_is_idle(&w->path->trace->model->spending, op->stack);
    if (is_idle) { /* who waits for work has no lock: the named owner is a former one */
      charge_unknown_owner(w);
      return true;
    }
    if (!is_outside(w, op, turn->stack)) return false;
    charge_unknown_owner(w); /* the acquisition of the owner has no event */
    return true;
  }
  if (op->cause_thread == 0) return false;
  charge(w, moment_of(w, op), PATH_HANDOFF, number);
  w->thread = turn->owner = op->cause_thread - 1;
  turn->stack = op->cause_stack;
  return true;
}

static bool waits_in_turn(const struct walk *w, uint32_t thread) {
  bool found = w->thread == thread;
  for (unsigned i = 0; i < w->depth; i++) found |= w->turns[i].thread == thread;
  return found;
}

/* The thread waited for a lock, and it is not known for whom. So the path stays with the thread,
   but on account of the lock. */
static void walk_blocked(struct walk *w, uint32_t number) {
  const struct trace_op *op = op_at(w, number);
  if (w->depth == DEEPEST) {
    charge(w, op->begin, PATH_BLOCKED, number);
    return;
  }
  w->turns[w->depth++] = (struct turn){w->thread, op->lock, number, w->floor, w->thread, 0};
  charge(w, op->begin, PATH_BLOCKED, number);
  w->depth--;
}

/* Whether the path is in the middle of a wait because the thread did something there: it sent a
   signal, or gave a lock away. What ended the wait later is not the cause of that. Two threads that
   wait for each other in turn would else be a ring. */
static bool has_acted(const struct walk *w, const struct trace_op *op) {
  bool is_at_end_of_work = w->steps == 1;
  return op->cause_op != 0 && op_at(w, op->cause_op)->begin > w->time && op->begin < w->time &&
         !is_at_end_of_work;
}

/* The operation waited for another thread. */
static void walk_wait(struct walk *w, uint32_t number) {
  const struct trace_op *op = op_at(w, number);
  uint32_t cause = op->cause_thread - 1;
  bool is_lock = op->kind == TRACE_ACQUIRE || op->kind == TRACE_TAKE_PERMIT;
  ticks_t moment = moment_of(w, op);
  if (is_lock && moment < op->begin) moment = op->begin;
  if (!is_lock || !w->path->turns[op->lock - 1]) {
    if (has_acted(w, op)) {
      charge(w, op->begin, PATH_EXTERNAL, number);
      return;
    }
    w->message.thread = op->kind == TRACE_STARTED ? NO_THREAD : w->thread;
    w->message.begin = op->begin;
    charge(w, moment, PATH_HANDOFF, number);
    w->thread = cause;
    return;
  }
  if (waits_in_turn(w, cause) || w->depth == DEEPEST) {
    walk_blocked(w, number);
    return;
  }
  w->turns[w->depth++] =
      (struct turn){w->thread, op->lock, number, w->floor, cause, op->cause_stack};
  charge(w, moment, PATH_HANDOFF, number);
  if (op->begin > w->floor) w->floor = op->begin;
  w->thread = cause;
}

/* The thread was in this operation. */
static void walk_op(struct walk *w, uint32_t number) {
  const struct trace_op *op = op_at(w, number);
  static const enum path_reason reasons[] = {
      [TRACE_NOTHING] = PATH_RUNS, [TRACE_TIME] = PATH_TIMEOUT, [TRACE_EXTERNAL] = PATH_EXTERNAL};
  const struct model *m = w->path->trace->model;
  if (w->path->stops_at_idle && op->cause != TRACE_NOTHING &&
      spending_is_idle(&m->spending, op->stack)) {
    charge(w, op->begin, PATH_IDLE, number);
  } else if (op->cause == TRACE_BY_OP || op->cause == TRACE_BY_OWNER) {
    walk_wait(w, number);
  } else if (op->lock != 0 && op->cause != TRACE_NOTHING) {
    walk_blocked(w, number);
  } else {
    charge(w, op->begin, op->kind == TRACE_SLEEP ? PATH_SLEEPS : reasons[op->cause], number);
  }
}

/* The thread began here. Another thread started it, or it ran before the recording. */
static void walk_start(struct walk *w) {
  uint32_t first = w->path->trace->threads[w->thread].first;
  if (op_at(w, first)->cause == TRACE_BY_OP && op_at(w, first)->begin >= w->time) {
    walk_wait(w, first);
  } else {
    charge(w, w->floor, PATH_EXTERNAL, first);
  }
}

/* Returns false at the beginning of the work. */
static bool return_to_turn(struct walk *w) {
  if (w->depth == 0) return false;
  const struct turn *turn = &w->turns[--w->depth];
  w->thread = turn->thread;
  w->floor = turn->floor;
  return true;
}

bool path_find(struct path *p, const struct path_work *work) {
  struct walk w = {.path = p,
                   .floor = work->begin,
                   .time = work->end,
                   .thread = work->thread,
                   .message = {.thread = NO_THREAD}};
  p->num_pieces = p->num_nested = 0;
  uint64_t most = 4 * (uint64_t)p->trace->num_ops + 64;
  while (!w.failed && w.steps++ < most) {
    if (w.time <= w.floor) {
      if (!return_to_turn(&w)) break;
      continue;
    }
    uint32_t number = seek(&w);
    if (number == 0) {
      walk_start(&w);
    } else if (op_at(&w, number)->end < w.time) {
      walk_stretch(&w, number);
    } else if (!walk_to_owner_before(&w, number)) {
      walk_op(&w, number);
    }
  }
  /* Impossible times: the rest is not known. */
  w.depth = 0;
  w.thread = work->thread;
  w.floor = work->begin;
  if (!w.failed && w.steps > most) charge(&w, work->begin, PATH_EXTERNAL, 0);
  if (work->queued != 0 && !w.failed) { /* no thread was at work on it */
    w.floor = work->queued;
    w.time = work->begin;
    w.thread = work->thread;
    w.depth = 0;
    charge(&w, work->queued, PATH_IN_QUEUE, 0);
  }
  return !w.failed;
}

/* --- the main work ------------------------------------------------------------------------ */

static bool is_main(const struct trace *t, const struct trace_thread *thread) {
  const struct thread *named = threads_find(&t->model->threads, thread->hash);
  return named != NULL && named->name != NULL && strcmp(named->name, "main") == 0;
}

bool path_is_of_main(const struct trace *t, const struct path_work *work) {
  const struct trace_thread *thread = &t->threads[work->thread];
  return trace_ends_with(t, thread) && is_main(t, thread) && work->end == thread->end;
}

bool path_main_work(const struct trace *t, struct path_work *out) {
  const struct trace_thread *best = NULL;
  for (size_t i = 0; i < t->num_threads; i++) {
    const struct trace_thread *thread = &t->threads[i];
    if (trace_ends_with(t, thread) && is_main(t, thread)) {
      best = thread;
      break;
    }
    if (best == NULL || thread->cpu > best->cpu) best = thread;
  }
  if (best == NULL) return false;
  *out = (struct path_work){(uint32_t)(best - t->threads), best->begin, best->end, 0};
  return true;
}

void path_free(struct path *p) {
  free(p->pieces);
  free(p->nested);
  tally_free(&p->locks);
  free(p->at);
  free(p->turns);
  *p = (struct path){0};
}
