/* The locks that a thread holds. */
#include <stdlib.h>
#include <string.h>

#include "tools/orca/causal/whatif/script_internal.h"
#include "tools/orca/model/base/grow.h"

/* --- held locks ------------------------------------------------------------------------------ */

static struct script_held *find_held(struct script_writer *w, uint32_t lock) {
  for (size_t i = w->num_held; i > 0; i--) {
    if (w->held[i - 1].lock == lock) return &w->held[i - 1];
  }
  return NULL;
}

static void remove_held(struct script_writer *w, struct script_held *held) {
  size_t at = (size_t)(held - w->held);
  memmove(held, held + 1, (w->num_held - at - 1) * sizeof *held);
  w->num_held--;
}

static void take_lock(struct script_writer *w, uint32_t lock, bool is_read, stack_id_t stack) {
  struct script_held *held = find_held(w, lock);
  if (held != NULL) {
    held->depth++;
    return;
  }
  if (w->num_held == SCRIPT_MAX_HELD) return;
  w->held[w->num_held++] = (struct script_held){lock, 1, is_read, 0};
  script_put_lock(w, ACT_ACQUIRE, lock, is_read, stack);
}

void script_leave_lock(struct script_writer *w, uint32_t lock) {
  struct script_held *held = find_held(w, lock);
  if (held == NULL || --held->depth > 0) return;
  script_put_lock(w, ACT_RELEASE, lock, held->is_read, 0);
  remove_held(w, held);
}

void script_leave_all(struct script_writer *w) {
  while (w->num_held > 0) {
    w->held[w->num_held - 1].depth = 1;
    script_leave_lock(w, w->held[w->num_held - 1].lock);
  }
}

/* --- inferred holds -------------------------------------------------------------------------- */

static int compare_bounds(const void *a, const void *b) {
  const struct script_bound *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->is_end - y->is_end;
}

void script_start_holds(struct script_writer *w, uint32_t thread) {
  w->num_held = 0;
  w->thread_holds = known_holds_of(&w->holds, thread, &w->num_thread_holds);
  w->num_bounds = w->next_bound = 0;
  for (size_t i = 0; i < w->num_thread_holds; i++) {
    const struct known_hold *h = &w->thread_holds[i];
    for (int is_end = 0; is_end < 2; is_end++) {
      if (is_end == 0 && h->acquire != 0) continue; /* the acquisition itself begins it */
      struct script_bound *bounds =
          grow(w->bounds, w->num_bounds, &w->bounds_capacity, sizeof *bounds);
      if (bounds == NULL) {
        w->failed = true;
        return;
      }
      w->bounds = bounds;
      bounds[w->num_bounds++] =
          (struct script_bound){is_end ? h->to : h->from, (uint32_t)i, is_end != 0};
    }
  }
  if (w->num_bounds > 0) qsort(w->bounds, w->num_bounds, sizeof *w->bounds, compare_bounds);
}

static void take_inferred(struct script_writer *w, uint32_t lock, uint32_t hold, stack_id_t stack) {
  take_lock(w, lock, false, stack);
  struct script_held *held = find_held(w, lock);
  if (held != NULL) held->hold = hold;
}

void script_put_bound(struct script_writer *w, const struct script_bound *b) {
  uint32_t lock = w->thread_holds[b->hold].lock + 1;
  struct script_held *held = find_held(w, lock);
  if (b->is_end) {
    if (held != NULL && held->hold == b->hold + 1) script_leave_lock(w, lock);
  } else if (held == NULL) {
    take_inferred(w, lock, b->hold + 1, 0);
  }
}

/* Whether a bound within an operation is written before it. An owner that sleeps or waits holds the
   lock all the time, or not at all: a hold that begins within began before, and one that ends
   within ended before, but the waiter ran later. An operation that gives the lock away, or asks for
   it, is outside of any hold. */
static bool is_before(const struct script_writer *w, const struct script_bound *b,
                      const struct trace_op *op) {
  const struct trace_lock *lock = &w->trace->locks[w->thread_holds[b->hold].lock];
  bool is_of_lock = op->lock == w->thread_holds[b->hold].lock + 1 ||
                    (op->event == EVENT_OBJECT_WAIT && op->object == lock->object);
  return b->is_end || !is_of_lock;
}

/* The waiter ran only after the owner had gone on to its next operation. */
static void note_late_waiter(struct script_writer *w, const struct known_hold *h,
                             const struct trace_op *op) {
  struct script_lock *lock = &w->script->locks[h->lock];
  lock->hand_off += (double)(h->to - op->begin) / (double)(lock->waits == 0 ? 1 : lock->waits);
}

/* Writes the bounds within an operation that precede it, or those that follow it. */
void script_put_bounds_in(struct script_writer *w, const struct trace_op *op, bool before) {
  for (size_t i = w->next_bound; i < w->num_bounds && w->bounds[i].time < op->end; i++) {
    const struct script_bound *b = &w->bounds[i];
    if (is_before(w, b, op) != before) continue;
    struct script_held *held = find_held(w, w->thread_holds[b->hold].lock + 1);
    if (b->is_end && held != NULL && held->hold == b->hold + 1) {
      note_late_waiter(w, &w->thread_holds[b->hold], op);
    }
    script_put_bound(w, b);
  }
}

void script_pass_bounds(struct script_writer *w, ticks_t until) {
  while (w->next_bound < w->num_bounds && w->bounds[w->next_bound].time < until) w->next_bound++;
}

/* --- operations ------------------------------------------------------------------------------ */

struct script_held *script_find_given(struct script_writer *w, const struct trace_op *op) {
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

/* Returns the known hold that begins with an acquisition of a lock without releases, plus one; 0:
   none. */
static uint32_t find_hold(const struct script_writer *w, const struct trace_op *op) {
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

static void put_unreleased(struct script_writer *w, const struct trace_op *op) {
  if (op->cause == TRACE_NOTHING) return;
  /* The owner left the lock before it asks for it again; the waiter ran later. */
  struct script_held *held = find_held(w, op->lock);
  if (held != NULL && held->hold != 0) note_late_waiter(w, &w->thread_holds[held->hold - 1], op);
  if (held != NULL) script_leave_lock(w, op->lock);
  if (op->cause == TRACE_EXTERNAL) script_put_time(w, ACT_EXTERNAL, op->end - op->begin, op);
  uint32_t hold = find_hold(w, op);
  take_inferred(w, op->lock, hold, op->stack);
  if (hold == 0) script_leave_lock(w, op->lock);
}

void script_put_acquire(struct script_writer *w, const struct trace_op *op) {
  bool has_releases = w->trace->locks[op->lock - 1].has_releases;
  if (op->failed) {
    script_put_time(w, ACT_SLEEP, op->end - op->begin, op);
  } else if (op->open) {
    script_put_act(w, ACT_STOP, 0);
  } else if (!has_releases) {
    put_unreleased(w, op);
  } else {
    /* A thread that waits does not hold the lock: the line of a release is missing. */
    struct script_held *held = op->cause == TRACE_NOTHING ? NULL : find_held(w, op->lock);
    if (held != NULL) held->depth = 1;
    if (held != NULL) script_leave_lock(w, op->lock);
    take_lock(w, op->lock, op->is_read, op->stack);
  }
}

/* A hold that spans a wait for other threads is more likely two, between which the lock was free: a
   thread that acquires a free lock has no line. */
void script_leave_inferred(struct script_writer *w, const struct trace_op *op) {
  for (size_t i = w->num_held; i > 0 && op->end > op->begin; i--) {
    uint32_t lock = w->held[i - 1].lock;
    if (!w->trace->locks[lock - 1].has_releases) script_leave_lock(w, lock);
  }
}
