#include "tools/orca/model/replay/contention_state.h"

/* The owner watch of the agent names another owner only for a wait of this age. In the lines of
   younger waits, the owner had the monitor since the wait began. */
#define LATER_OWNER TICKS_PER_S

/* A woken thread runs within the longest hand-off so far, and at least within this time. */
#define LEAST_WAKING (TICKS_PER_S / 1000)

static void unlink_from_holder(struct contention *c, struct contention_lock *lock) {
  size_t number = (size_t)(lock - c->lock_states) + 1;
  size_t *at = &c->threads[lock->holder - 1].first_lock;
  while (*at != number) at = &c->lock_states[*at - 1].next_held;
  *at = lock->next_held;
}

/* Does the acquisition of the thread have a line? */
static bool has_line(const struct contention *c, const struct contention_lock *lock,
                     uint32_t thread) {
  return c->holders != NULL && holders_find(c->holders, lock->sort, lock->object, thread) != NULL;
}

static bool set_holder(struct contention *c, struct contention_lock *lock, size_t holder,
                       stack_id_t acquired, ticks_t now) {
  if (lock->holder != 0 && lock->holder != holder) {
    for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
      struct contention_wait *wait = &c->waits[at - 1];
      if (wait->charged > 0 && !contention_end_part(c, wait, lock->holder)) return false;
    }
    unlink_from_holder(c, lock);
    lock->holder = 0;
  }
  if (lock->holder == 0 && holder != 0) {
    lock->next_held = c->threads[holder - 1].first_lock;
    c->threads[holder - 1].first_lock = (size_t)(lock - c->lock_states) + 1;
    lock->holder = holder;
  }
  lock->acquired = lock->sort == LOCK_MONITOR ? contention_acquiring_stack(c, acquired) : 0;
  lock->held_since = lock->seen_since = now;
  lock->is_recorded = holder != 0 && has_line(c, lock, c->threads[holder - 1].hash);
  lock->is_named = lock->is_reader = lock->is_left = false;
  lock->free_since = 0;
  return true;
}

bool contention_change_holder(struct contention *c, struct contention_lock *lock, size_t holder,
                              stack_id_t acquired, ticks_t now) {
  if (!contention_charge_lock(c, lock, now)) return false;
  contention_skip_uncharged(c, lock, now);
  return set_holder(c, lock, holder, acquired, now);
}

bool contention_name_holder(struct contention *c, struct contention_lock *lock, size_t holder,
                            ticks_t now) {
  bool is_news = holder != lock->holder || lock->free_since != 0 || lock->is_left;
  if (!is_news) lock->seen_since = now;
  if (!is_news) return true;
  if (!contention_change_holder(c, lock, holder, 0, now)) return false;
  lock->is_named = true;
  return true;
}

/* The thread held the lock until now. */
static bool release_lock(struct contention *c, struct contention_lock *lock, size_t thread,
                         ticks_t now) {
  bool is_known = !c->is_lossy && (lock->sort != LOCK_MONITOR || lock->has_all_lines);
  bool is_new = lock->holder != thread; /* it is not known since when it held the lock */
  if (is_new) contention_skip_uncharged(c, lock, now);
  if (!contention_change_holder(c, lock, is_known ? thread : 0, 0, now)) return false;
  lock->free_since = is_known ? now : 0;
  return true;
}

/* The thread has released one of its locks of java.util.concurrent, it is not known which one. */
static bool forget_queue_holds(struct contention *c, size_t thread, ticks_t now) {
  size_t next;
  for (size_t at = c->threads[thread - 1].first_lock; at != 0; at = next) {
    struct contention_lock *lock = &c->lock_states[at - 1];
    next = lock->next_held;
    if (lock->sort == LOCK_MONITOR || lock->sort == LOCK_SEMAPHORE) continue;
    if (!contention_change_holder(c, lock, 0, 0, now)) return false;
  }
  return true;
}

/* Is a method of this stack the release of a lock of java.util.concurrent? An unpark above it lets
   a thread go on that waits for the lock. */
static bool is_in_release(const struct contention *c, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(&c->model->stacks, stack, &depth);
  for (size_t i = 1; i < depth && i < 8 && place_is_platform(c->model->dump, frames[i].method);
       i++) {
    const struct method_line *method = dump_method(c->model->dump, frames[i].method);
    if (method != NULL &&
        (span_starts(method->name, "release") || span_starts(method->name, "unlock"))) {
      return true;
    }
  }
  return false;
}

/* A woken waiter found that this thread had got the lock first, so a release wakes it once more.
   The waiter ran meanwhile. From then on the lock was held; before, that is not known. */
static bool charge_barging(struct contention *c, struct contention_lock *lock, size_t thread,
                           ticks_t now) {
  ticks_t waking = c->longest_handoff > LEAST_WAKING ? c->longest_handoff : LEAST_WAKING;
  bool is_known = c->last_await < lock->free_since && now - lock->free_since > waking;
  contention_skip_uncharged(c, lock, is_known ? lock->free_since + waking : now);
  return set_holder(c, lock, thread, 0, now) && contention_charge_late(c, lock, now);
}

/* Is the thread in a call that waits neither for a lock nor for a condition, such as the take of a
   queue? Then only the lock inside of that object can have been released to it. */
static bool waits_for_no_lock(const struct contention *c, size_t thread) {
  const struct contention_thread *t = thread == 0 ? NULL : &c->threads[thread - 1];
  if (t == NULL || t->num_calls == 0) return false;
  enum event_kind kind = t->calls[t->num_calls - 1].kind;
  return lock_events[kind].act == LOCK_ACT_NONE || lock_events[kind].sort == LOCK_SEMAPHORE;
}

/* The thread of an unpark releases a lock, and lets the unparked thread go on. */
bool contention_take_unpark(struct contention *c, const struct step *step, size_t thread) {
  if (!is_in_release(c, step->stack)) return true;
  uint64_t woken = 0;
  hashmap_get(&c->thread_rows, step->event->object, &woken);
  if (waits_for_no_lock(c, woken)) return true;
  size_t at = woken == 0 ? 0 : c->threads[woken - 1].wait;
  struct contention_lock *lock = at == 0 ? NULL : &c->lock_states[c->waits[at - 1].lock - 1];
  bool is_queued = lock != NULL && lock->sort != LOCK_MONITOR && lock->sort != LOCK_SEMAPHORE;
  if (!is_queued) return forget_queue_holds(c, thread, step->time); /* a waiter for a condition */
  bool has_lines =
      coverage_has_releases_at(c->model->pass.holders.coverage, lock->sort, step->time);
  if (lock->free_since != 0 && has_lines) return true; /* the release has a line */
  if (lock->free_since != 0 && !charge_barging(c, lock, thread, step->time)) return false;
  return release_lock(c, lock, thread, step->time);
}

/* The line of a condition does not contain its lock, which the wait releases and gets back. */
static bool take_condition_event(struct contention *c, const struct step *step, size_t thread) {
  c->last_await = step->time;
  bool is_begin = lock_events[step->event->kind].act == LOCK_ACT_GIVES_AWAY;
  return !is_begin || forget_queue_holds(c, thread, step->time);
}

/* A thread got the lock. Threads that still wait did not run while it was free. */
static bool take_acquisition(struct contention *c, struct contention_lock *lock,
                             const struct step *step, size_t thread) {
  bool is_alone = lock_sort_is_exclusive(lock_events[step->event->kind].sort);
  if (lock->holder == thread && lock->free_since == 0 && !lock->is_left) {
    lock->is_recorded = true;
    return true;
  }
  if (lock->free_since != 0) contention_end_free(c, lock, step->time);
  return contention_change_holder(c, lock, is_alone ? thread : 0, step->stack, step->time);
}

/* What an event says about a lock that is no semaphore, apart from its waits. */
bool contention_take_lock_event(struct contention *c, const struct step *step, size_t thread) {
  const struct lock_event *about = &lock_events[step->event->kind];
  bool is_away = about->act == LOCK_ACT_GIVES_AWAY || about->act == LOCK_ACT_GOT_BACK;
  if (is_away && about->sort != LOCK_MONITOR) return take_condition_event(c, step, thread);
  struct contention_lock *lock = contention_find_lock(c, about->sort, step->event->object);
  if (lock == NULL || lock->first_wait == 0) return true;
  if (!is_away) lock->has_all_lines = true;
  switch (about->act) {
    case LOCK_ACT_GOT:
      return take_acquisition(c, lock, step, thread);
    case LOCK_ACT_LEFT:
      if (!step->released) return true;
      if (about->sort != LOCK_READ_SIDE) return release_lock(c, lock, thread, step->time);
      return lock->holder != thread || contention_change_holder(c, lock, 0, 0, step->time);
    case LOCK_ACT_GIVES_AWAY:
      return release_lock(c, lock, thread, step->time);
    case LOCK_ACT_GOT_BACK:
      return contention_change_holder(c, lock, thread, 0, step->time);
    default:
      return true;
  }
}

/* The owner of a monitor at this moment. If the wait is young, the owner had it all the time. */
static bool take_owner(struct contention *c, const struct step *step,
                       struct contention_lock *lock) {
  size_t owner = contention_thread_number(c, step->event->owner);
  size_t thread = contention_thread_number(c, step->event->thread);
  if (owner == 0 || thread == 0) return false;
  size_t at = c->threads[thread - 1].wait;
  struct contention_wait *wait = at == 0 ? NULL : &c->waits[at - 1];
  bool is_young = wait != NULL && &c->lock_states[wait->lock - 1] == lock && lock->holder == 0 &&
                  step->time - wait->begin < LATER_OWNER;
  ticks_t uncharged = is_young ? wait->charged_until : 0;
  if (lock->holder != owner) contention_skip_uncharged(c, lock, step->time);
  if (!contention_name_holder(c, lock, owner, step->time)) return false;
  if (is_young) lock->held_since = wait->begin;
  if (is_young) wait->charged_until = uncharged;
  return true;
}

/* The only reader. A writer waits, so no other thread gets the read side before it has released it,
   and then it wakes the writer. */
static bool take_reader(struct contention *c, const struct step *step) {
  const struct event_line *line = step->event;
  struct contention_lock *lock = contention_find_lock(c, LOCK_READ_SIDE, line->object);
  if (lock == NULL || lock->first_wait == 0) return true;
  size_t reader = contention_thread_number(c, line->thread);
  if (reader == 0 || !contention_name_holder(c, lock, reader, step->time)) return false;
  lock->is_reader = lock->holder == reader;
  return true;
}

bool contention_take_news(struct contention *c, const struct step *step) {
  const struct event_line *line = step->event;
  if (line->kind == EVENT_READ_LOCK_HELD) return take_reader(c, step);
  struct contention_lock *lock = contention_find_lock(c, LOCK_MONITOR, line->object);
  if (lock == NULL || lock->first_wait == 0) return true;
  if (line->kind == EVENT_MONITOR_OWNER) return line->owner == 0 || take_owner(c, step, lock);
  bool is_holder = lock->holder != 0 && c->threads[lock->holder - 1].hash == line->thread;
  if (is_holder) lock->acquired = contention_acquiring_stack(c, step->stack);
  if (is_holder) lock->seen_since = step->time;
  return true;
}
