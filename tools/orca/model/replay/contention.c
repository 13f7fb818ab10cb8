#include "tools/orca/model/replay/contention.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

/* Nested calls of one thread that have not ended. */
#define NESTED 8

#define NOT_COUNTED UINT32_MAX /* the id of a wait that does not match the filter */

/* The owner watch of the agent names another owner only for a wait of this age. In the lines of
   younger waits, the owner had the monitor since the wait began. */
#define LATER_OWNER TICKS_PER_S

/* A woken thread runs within the longest hand-off so far, and at least within this time. */
#define LEAST_WAKING (TICKS_PER_S / 1000)

/* If a waiter seems to leave a free permit alone for longer, the permit does not exist:
   Semaphore.drainPermits and reducePermits have no lines. */
#define LONGEST_FREE_PERMIT (TICKS_PER_S / 10)

/* All references to rows are the number of the row plus one; 0: none. */

struct contention_thread {
  uint32_t hash;
  stack_id_t sample_stack; /* of its last Sample line; it still holds at the last tick */
  stack_id_t cpu_stack;    /* of its last CPU sample */
  stack_id_t event_stack;  /* of its last event that has one */
  ticks_t cpu_time, event_time;
  struct {
    enum event_kind kind;
    stack_id_t stack;
    ticks_t begin;
  } calls[NESTED];
  unsigned num_calls;
  size_t wait;       /* its innermost wait for a lock */
  size_t first_lock; /* that it holds, of those that other threads wait for */
};

/* A lock that threads wait for. Without waits only the figures of a semaphore are kept. */
struct contention_lock {
  enum lock_sort sort;
  size_t first_wait;
  size_t holder, next_held; /* the thread that holds it; the next lock of that thread */
  ticks_t held_since;       /* what was seen of the holder before does not show where it is */
  bool is_named;            /* a line names the holder: it got the lock before `held_since` */
  stack_id_t acquired; /* of a monitor: the stack of its holder from the frame on that acquired it;
                          0: not known */
  bool is_left;        /* the holder was seen outside of that frame */
  bool has_all_lines;  /* of a monitor: acquisitions and releases have lines (monitors=all) */
  ticks_t free_since;  /* 0: it is not known to be free */

  /* Of a semaphore. `permits` are releases minus acquisitions. There were no less than 0 permits
     when they were `least`, so more of them are free. */
  int64_t permits, least;
  bool has_bulk;      /* a call is for several permits, whose number the lines do not contain */
  ticks_t more_since; /* `permits` are more than `least` since then; 0: they are not */
  ticks_t last_release;
};

struct contention_wait {
  uint32_t id; /* of the lock in the results, or NOT_COUNTED */
  size_t lock;
  uint32_t thread;
  enum event_kind kind;
  ticks_t begin;
  ticks_t charged_until; /* the time before is in the results */
  ticks_t charged;       /* to the current holder */
  ticks_t handoff;
  size_t before, next; /* waits for the same lock, or the next free row */
  size_t outer;        /* the wait of the same thread around this one */
};

bool contention_start(struct contention *c, struct model *m, const struct locks *locks) {
  struct span value;
  *c = (struct contention){.model = m, .locks = locks, .by_class = locks != &m->locks};
  c->is_lossy = dump_is_lossy(m->dump);
  c->has_permits = !c->is_lossy && !dump_threshold(m->dump, &value);
  for (size_t i = 0; i < locks->num; i++) {
    const struct lock *lock = &locks->rows[i];
    uint64_t key = (uint64_t)lock->sort << 32 | (c->by_class ? lock->class_id : lock->object);
    if (!hashmap_put(&c->ids, key, (uint64_t)lock->id + 1)) return false;
  }
  return true;
}

/* --- rows -------------------------------------------------------------------------- */

/* Returns the number of the row of a thread, 0 when memory ran out. */
static size_t intern_contention_thread(struct contention *c, uint32_t hash) {
  bool is_new;
  size_t at = rows_number(&c->thread_rows, hash, &c->threads, &c->num_threads, &c->threads_capacity,
                          sizeof *c->threads, &is_new);
  if (is_new) c->threads[at - 1].hash = hash;
  return at;
}

/* The sides of a read-write lock are one lock here. */
static uint64_t make_lock_key(enum lock_sort sort, uint32_t object) {
  return (uint64_t)(sort == LOCK_READ ? LOCK_WRITE : sort) << 32 | object;
}

static size_t intern_contention_lock(struct contention *c, enum lock_sort sort, uint32_t object) {
  bool is_new;
  size_t at =
      rows_number(&c->lock_rows, make_lock_key(sort, object), &c->lock_states, &c->num_lock_states,
                  &c->lock_states_capacity, sizeof *c->lock_states, &is_new);
  if (is_new) c->lock_states[at - 1].sort = sort;
  return at;
}

/* Returns NULL if the lock has no row. */
static struct contention_lock *find_contention_lock(const struct contention *c, enum lock_sort sort,
                                                    uint32_t object) {
  uint64_t at = 0;
  hashmap_get(&c->lock_rows, make_lock_key(sort, object), &at);
  return at == 0 ? NULL : &c->lock_states[at - 1];
}

static struct contention_pair *intern_contention_pair(struct contention *c, uint32_t blocked,
                                                      uint32_t holder) {
  bool is_new;
  struct contention_pair *pair = rows_at(&c->pair_rows, (uint64_t)blocked << 32 | holder, &c->pairs,
                                         &c->num_pairs, &c->pairs_capacity, sizeof *pair, &is_new);
  if (is_new) {
    uint32_t id = (uint32_t)c->num_pairs - 1;
    *pair = (struct contention_pair){.id = id, .blocked = blocked, .holder = holder};
  }
  return pair;
}

/* --- charges ----------------------------------------------------------------------- */

/* Returns the part of a time that is in the range of the filter. */
static ticks_t measure_clipped(const struct contention *c, ticks_t from, ticks_t to) {
  const struct matcher *m = c->model->locks.matcher;
  from = matcher_clip(m, from);
  to = matcher_clip(m, to);
  return to > from ? to - from : 0;
}

/* Returns where the holder was when the recording saw it last before `now`, if that was during the
   wait and the hold; 0: it was not seen. `*out_guessed`: by its last event. */
static stack_id_t find_recent_stack(const struct contention *c, const struct contention_wait *wait,
                                    ticks_t now, bool *out_guessed) {
  const struct contention_lock *lock = &c->lock_states[wait->lock - 1];
  const struct contention_thread *t = &c->threads[lock->holder - 1];
  ticks_t since = wait->begin > lock->held_since ? wait->begin : lock->held_since;
  ticks_t tick = c->tick < now ? c->tick : c->tick_before; /* the Sample lines follow their Tick */
  unsigned inner = t->num_calls;
  bool is_in_call = inner > 0 && !c->is_lossy &&
                    (lock->is_named || t->calls[inner - 1].begin >= lock->held_since);
  *out_guessed = false;
  if (is_in_call) return t->calls[inner - 1].stack;
  if (t->cpu_time >= since && t->cpu_time > tick) return t->cpu_stack;
  if (tick >= since && t->sample_stack != 0) return t->sample_stack;
  if (t->event_time < since) return 0;
  *out_guessed = t->event_stack != 0;
  return t->event_stack;
}

/* The holder of a monitor is in the frame that acquired it, whatever was seen last. */
static stack_id_t find_location(const struct contention *c, const struct contention_wait *wait,
                                ticks_t now, bool *out_guessed) {
  const struct model *m = c->model;
  stack_id_t acquired = c->lock_states[wait->lock - 1].acquired;
  stack_id_t stack = find_recent_stack(c, wait, now, out_guessed);
  if (acquired == 0 || stacks_find_frame(&m->stacks, m->dump, stack, acquired) >= 0) return stack;
  *out_guessed = true;
  return acquired;
}

/* Charges the time since the last charge to the holder and its location. If it is late, the holder
   has become known only now, and its location meanwhile is not known. */
static bool charge_wait(struct contention *c, struct contention_wait *wait,
                        const struct contention_thread *holder, ticks_t now, bool is_late) {
  ticks_t time = measure_clipped(c, wait->charged_until, now);
  if (wait->charged_until < now) wait->charged_until = now;
  c->charges++;
  if (wait->id == NOT_COUNTED) return true;
  wait->charged += time;
  struct contention_pair *pair = intern_contention_pair(c, wait->thread, holder->hash);
  if (pair == NULL) return false;
  pair->total += time;
  if (time == 0) return true;
  bool is_guessed = false;
  stack_id_t stack = is_late ? 0 : find_location(c, wait, now, &is_guessed);
  uint64_t flag = is_guessed ? CONTENTION_GUESSED : 0;
  place_t place = stacks_place(&c->model->stacks, stack);
  return tally_add(&c->holder_stacks, wait->id, stack | flag, 1, time) &&
         tally_add(&c->holder_places, wait->id, place | flag, 1, time) &&
         tally_add(&c->held, wait->id, 0, 1, time) &&
         tally_add(&c->pair_locks, pair->id, wait->id, 0, time);
}

/* Charges the waits for a lock up to `now`, if its holder is known. */
static bool charge_lock_as(struct contention *c, const struct contention_lock *lock, ticks_t now,
                           bool is_late) {
  if (lock->holder == 0 || lock->free_since != 0 || lock->is_left) return true;
  const struct contention_thread *holder = &c->threads[lock->holder - 1];
  for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
    if (!charge_wait(c, &c->waits[at - 1], holder, now, is_late)) return false;
  }
  return true;
}

static bool charge_lock(struct contention *c, const struct contention_lock *lock, ticks_t now) {
  return charge_lock_as(c, lock, now, false);
}

/* Counts the wait for its holder, when the wait or the hold ends. */
static bool count_wait(struct contention *c, struct contention_wait *wait, uint32_t holder) {
  if (wait->id == NOT_COUNTED) return true;
  struct contention_pair *pair = intern_contention_pair(c, wait->thread, holder);
  if (pair == NULL) return false;
  pair->times++;
  if (wait->charged > pair->longest) pair->longest = wait->charged;
  wait->charged = 0;
  return true;
}

/* --- free locks -------------------------------------------------------------------- */

/* The time before `now` that is not charged is of no known part. */
static void skip_uncharged(struct contention *c, const struct contention_lock *lock, ticks_t now) {
  for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
    if (c->waits[at - 1].charged_until < now) c->waits[at - 1].charged_until = now;
  }
}

/* A thread got the free lock: the time since it became free was hand-off. But in a wait for a
   condition, a thread gets and releases a lock without lines. */
static void end_free(struct contention *c, struct contention_lock *lock, ticks_t now) {
  bool is_queue = lock->sort != LOCK_MONITOR && lock->sort != LOCK_SEMAPHORE;
  ticks_t length = now - lock->free_since;
  bool is_known = !is_queue || c->last_await < lock->free_since;
  for (size_t at = lock->first_wait; at != 0 && is_known; at = c->waits[at - 1].next) {
    struct contention_wait *wait = &c->waits[at - 1];
    ticks_t from = wait->begin > lock->free_since ? wait->begin : lock->free_since;
    wait->handoff += measure_clipped(c, from, now);
  }
  if (is_queue && is_known && length > c->longest_handoff) c->longest_handoff = length;
  skip_uncharged(c, lock, now);
  lock->free_since = 0;
}

/* --- holders ----------------------------------------------------------------------- */

static void unlink_from_holder(struct contention *c, struct contention_lock *lock) {
  size_t number = (size_t)(lock - c->lock_states) + 1;
  size_t *at = &c->threads[lock->holder - 1].first_lock;
  while (*at != number) at = &c->lock_states[*at - 1].next_held;
  *at = lock->next_held;
}

/* The frame that acquired a monitor. A native frame is none: Object.wait gets its monitor back, and
   native code can hold one after it has returned. */
static stack_id_t find_acquiring_stack(const struct contention *c, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(&c->model->stacks, stack, &depth);
  return depth == 0 || frames[0].location == LOCATION_NATIVE ? 0 : stack;
}

static bool set_holder(struct contention *c, struct contention_lock *lock, size_t holder,
                       stack_id_t acquired, ticks_t now) {
  if (lock->holder != 0 && lock->holder != holder) {
    uint32_t before = c->threads[lock->holder - 1].hash;
    for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
      struct contention_wait *wait = &c->waits[at - 1];
      if (wait->charged > 0 && !count_wait(c, wait, before)) return false;
    }
    unlink_from_holder(c, lock);
    lock->holder = 0;
  }
  if (lock->holder == 0 && holder != 0) {
    lock->next_held = c->threads[holder - 1].first_lock;
    c->threads[holder - 1].first_lock = (size_t)(lock - c->lock_states) + 1;
    lock->holder = holder;
  }
  lock->acquired = lock->sort == LOCK_MONITOR ? find_acquiring_stack(c, acquired) : 0;
  lock->held_since = now;
  lock->is_named = lock->is_left = false;
  lock->free_since = 0;
  return true;
}

/* Charges the waits to the holder until now, and sets another holder; 0: not known. */
static bool change_holder(struct contention *c, struct contention_lock *lock, size_t holder,
                          stack_id_t acquired, ticks_t now) {
  if (!charge_lock(c, lock, now)) return false;
  skip_uncharged(c, lock, now);
  return set_holder(c, lock, holder, acquired, now);
}

/* A line names the holder. It does not contain since when it holds the lock. */
static bool name_holder(struct contention *c, struct contention_lock *lock, size_t holder,
                        ticks_t now) {
  bool is_news = holder != lock->holder || lock->free_since != 0 || lock->is_left;
  if (!is_news) return true;
  if (!change_holder(c, lock, holder, 0, now)) return false;
  lock->is_named = true;
  return true;
}

/* The thread held the lock until now. */
static bool release_lock(struct contention *c, struct contention_lock *lock, size_t thread,
                         ticks_t now) {
  bool is_known = !c->is_lossy && (lock->sort != LOCK_MONITOR || lock->has_all_lines);
  if (lock->holder != thread) skip_uncharged(c, lock, now); /* it is not known since when */
  if (!change_holder(c, lock, is_known ? thread : 0, 0, now)) return false;
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
    if (!change_holder(c, lock, 0, 0, now)) return false;
  }
  return true;
}

/* --- waits ------------------------------------------------------------------------- */

/* Semaphore.acquire(int) and release(int) do not say how many permits. */
static bool is_bulk(const struct contention *c, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(&c->model->stacks, stack, &depth);
  const struct method_line *method =
      depth == 0 ? NULL : dump_method(c->model->dump, frames[0].method);
  return method == NULL || span_starts(method->signature, "(I");
}

static void begin_bulk(struct contention *c, struct contention_lock *lock, ticks_t now) {
  if (lock->free_since != 0) skip_uncharged(c, lock, now);
  lock->free_since = 0;
  lock->has_bulk = true;
}

static bool add_contention_wait(struct contention *c, const struct step *step) {
  const struct event_line *line = step->event;
  enum lock_sort sort = lock_events[line->kind].sort;
  uint32_t id = c->by_class ? locks_class(c->model->dump, line->object) : line->object;
  uint64_t in_results = 0;
  hashmap_get(&c->ids, (uint64_t)sort << 32 | id, &in_results);
  if (in_results == 0) return true;
  size_t lock_at = intern_contention_lock(c, sort, line->object);
  size_t thread = intern_contention_thread(c, line->thread);
  size_t owner = step->owner == 0 ? 0 : intern_contention_thread(c, step->owner);
  size_t at = c->spare;
  if (at != 0) c->spare = c->waits[at - 1].next;
  if (at == 0) at = rows_add(&c->waits, &c->num_waits, &c->waits_capacity, sizeof *c->waits);
  if (lock_at == 0 || thread == 0 || at == 0 || (owner == 0) != (step->owner == 0)) return false;
  struct contention_lock *lock = &c->lock_states[lock_at - 1];
  c->waits[at - 1] =
      (struct contention_wait){.id = step->matches ? (uint32_t)in_results - 1 : NOT_COUNTED,
                               .lock = lock_at,
                               .thread = line->thread,
                               .kind = line->kind,
                               .begin = step->time,
                               .charged_until = step->time,
                               .next = lock->first_wait,
                               .outer = c->threads[thread - 1].wait};
  c->threads[thread - 1].wait = at;
  if (lock->first_wait != 0) c->waits[lock->first_wait - 1].before = at;
  lock->first_wait = at;
  bool is_holder = lock->holder == thread && lock->free_since == 0;
  if (is_holder && !change_holder(c, lock, 0, 0, step->time)) return false;
  bool is_semaphore = sort == LOCK_SEMAPHORE;
  if (is_semaphore && is_bulk(c, step->stack)) begin_bulk(c, lock, step->time);
  /* One holder of a semaphore does not keep others out while a permit is free. */
  if (owner == 0 || (is_semaphore && lock->free_since != 0)) return true;
  return name_holder(c, lock, owner, step->time);
}

/* The acquisition of a semaphore was uncontended if no thread released the semaphore meanwhile. */
static bool is_contended(const struct contention_lock *lock, const struct contention_wait *wait) {
  return lock->sort != LOCK_SEMAPHORE || lock->last_release > wait->begin;
}

static bool finish_wait(struct contention *c, struct contention_lock *lock,
                        struct contention_wait *wait, ticks_t end) {
  bool counts = wait->id != NOT_COUNTED &&
                (measure_clipped(c, wait->begin, end) != 0 || !c->model->locks.matcher->active);
  if (!is_contended(lock, wait) || !counts) return true;
  if (wait->handoff > 0 && !tally_add(&c->handoffs, wait->id, 0, 1, wait->handoff)) return false;
  return lock->holder == 0 || count_wait(c, wait, c->threads[lock->holder - 1].hash);
}

/* Removes the innermost wait of a thread. */
static void remove_wait(struct contention *c, struct contention_thread *t) {
  size_t at = t->wait;
  struct contention_wait *wait = &c->waits[at - 1];
  struct contention_lock *lock = &c->lock_states[wait->lock - 1];
  if (wait->before != 0) c->waits[wait->before - 1].next = wait->next;
  if (wait->next != 0) c->waits[wait->next - 1].before = wait->before;
  if (lock->first_wait == at) lock->first_wait = wait->next;
  t->wait = wait->outer;
  wait->next = c->spare;
  c->spare = at;
}

/* The thread that ended a wait holds the lock now, unless others may hold it too. What is known
   about the holder of a lock without waits grows old. */
static bool set_holder_after_wait(struct contention *c, struct contention_lock *lock,
                                  const struct pair *pair, size_t thread) {
  enum lock_sort sort = lock_events[pair->kind].sort;
  bool is_alone = sort == LOCK_MONITOR || sort == LOCK_LOCK || sort == LOCK_WRITE;
  if (lock->first_wait == 0) return change_holder(c, lock, 0, 0, pair->end);
  if (pair->failed) return true;
  return change_holder(c, lock, is_alone ? thread : 0, pair->stack, pair->end);
}

static bool end_contention_wait(struct contention *c, const struct pair *pair) {
  size_t at = intern_contention_thread(c, pair->thread);
  if (at == 0) return false;
  struct contention_thread *t = &c->threads[at - 1];
  struct contention_wait *wait = t->wait == 0 ? NULL : &c->waits[t->wait - 1];
  if (wait == NULL || wait->begin != pair->begin || wait->kind != pair->kind) return true;
  struct contention_lock *lock = &c->lock_states[wait->lock - 1];
  if (!pair->failed && lock->free_since != 0) end_free(c, lock, pair->end);
  if (!charge_lock(c, lock, pair->end) || !finish_wait(c, lock, wait, pair->end)) return false;
  remove_wait(c, t);
  return set_holder_after_wait(c, lock, pair, at);
}

/* --- releases ---------------------------------------------------------------------- */

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
  skip_uncharged(c, lock, is_known ? lock->free_since + waking : now);
  return set_holder(c, lock, thread, 0, now) && charge_lock_as(c, lock, now, /* is_late */ true);
}

/* The thread of an unpark releases a lock, and lets the unparked thread go on. */
static bool take_unpark(struct contention *c, const struct step *step, size_t thread) {
  if (!is_in_release(c, step->stack)) return true;
  uint64_t woken = 0;
  hashmap_get(&c->thread_rows, step->event->object, &woken);
  size_t at = woken == 0 ? 0 : c->threads[woken - 1].wait;
  struct contention_lock *lock = at == 0 ? NULL : &c->lock_states[c->waits[at - 1].lock - 1];
  bool is_queued = lock != NULL && lock->sort != LOCK_MONITOR && lock->sort != LOCK_SEMAPHORE;
  if (!is_queued) return forget_queue_holds(c, thread, step->time); /* a waiter for a condition */
  if (lock->free_since != 0 && !charge_barging(c, lock, thread, step->time)) return false;
  return release_lock(c, lock, thread, step->time);
}

/* --- permits ----------------------------------------------------------------------- */

/* Returns whether waiters show that no more permits are free than at `least`:
   - A waiter came while more permits were free and nobody else waited, and it still waits.
   - A waiter left them alone for long. */
static bool has_no_more_permits(const struct contention *c, const struct contention_lock *lock,
                                bool is_release, ticks_t now) {
  ticks_t first = UINT64_MAX;
  if (lock->more_since == 0) return false;
  for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
    if (c->waits[at - 1].begin < first) first = c->waits[at - 1].begin;
  }
  if (first == UINT64_MAX) return false;
  ticks_t since = first > lock->more_since ? first : lock->more_since;
  return (is_release && first > lock->more_since) || now - since > LONGEST_FREE_PERMIT;
}

static void count_permit(struct contention *c, struct contention_lock *lock, int change,
                         ticks_t now) {
  if (has_no_more_permits(c, lock, change > 0, now)) {
    skip_uncharged(c, lock, now);
    lock->least = lock->permits;
    lock->free_since = lock->more_since = 0;
  }
  if (lock->free_since != 0) end_free(c, lock, now);
  lock->permits += change;
  if (lock->permits < lock->least) lock->least = lock->permits;
  bool is_more = lock->permits > lock->least;
  if (!is_more || lock->more_since == 0) lock->more_since = is_more ? now : 0;
  if (is_more && !lock->has_bulk && c->has_permits) lock->free_since = now;
}

static bool take_semaphore_event(struct contention *c, const struct step *step) {
  enum lock_act act = lock_events[step->event->kind].act;
  size_t at = intern_contention_lock(c, LOCK_SEMAPHORE, step->event->object);
  if (at == 0) return false;
  struct contention_lock *lock = &c->lock_states[at - 1];
  if (act == LOCK_ACT_LEFT) lock->last_release = step->time;
  if (is_bulk(c, step->stack)) begin_bulk(c, lock, step->time);
  if (act == LOCK_ACT_GOT) count_permit(c, lock, -1, step->time);
  if (act != LOCK_ACT_LEFT) return true;
  if (!charge_lock(c, lock, step->time)) return false;
  count_permit(c, lock, 1, step->time);
  /* Its holder may be the thread that releases it. */
  return lock->free_since != 0 || change_holder(c, lock, 0, 0, step->time);
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
  bool is_reader = lock_events[step->event->kind].sort == LOCK_READ; /* there may be others */
  if (lock->holder == thread && lock->free_since == 0 && !lock->is_left) return true;
  if (lock->free_since != 0) end_free(c, lock, step->time);
  return change_holder(c, lock, is_reader ? 0 : thread, step->stack, step->time);
}

/* What an event says about a lock that is no semaphore, apart from its waits. */
static bool take_lock_event(struct contention *c, const struct step *step, size_t thread) {
  const struct lock_event *about = &lock_events[step->event->kind];
  bool is_away = about->act == LOCK_ACT_GIVES_AWAY || about->act == LOCK_ACT_GOT_BACK;
  if (is_away && about->sort != LOCK_MONITOR) return take_condition_event(c, step, thread);
  struct contention_lock *lock = find_contention_lock(c, about->sort, step->event->object);
  if (lock == NULL || lock->first_wait == 0) return true;
  if (!is_away) lock->has_all_lines = true;
  switch (about->act) {
    case LOCK_ACT_GOT:
      return take_acquisition(c, lock, step, thread);
    case LOCK_ACT_LEFT:
      if (!step->released) return true;
      if (about->sort != LOCK_READ) return release_lock(c, lock, thread, step->time);
      return lock->holder != thread || change_holder(c, lock, 0, 0, step->time);
    case LOCK_ACT_GIVES_AWAY:
      return release_lock(c, lock, thread, step->time);
    case LOCK_ACT_GOT_BACK:
      return change_holder(c, lock, thread, 0, step->time);
    default:
      return true;
  }
}

/* Does a stack that lacks the frame that acquired a monitor show that its thread left the frame? It
   must reach down to the same outermost method. */
static bool is_outside(const struct contention *c, stack_id_t stack, stack_id_t acquired) {
  size_t depth, acquired_depth;
  const struct frame *frames = stacks_frames(&c->model->stacks, stack, &depth);
  const struct frame *outer = stacks_frames(&c->model->stacks, acquired, &acquired_depth);
  return depth > 0 && acquired_depth > 0 &&
         frames[depth - 1].method == outer[acquired_depth - 1].method &&
         frames[depth - 1].method != pseudo_method(PSEUDO_DEEPER);
}

/* Compares the stack of a holder with where it acquired its monitors. A holder that was outside and
   is inside again has acquired the monitor again. */
static void compare_with_acquisitions(struct contention *c, size_t thread, stack_id_t stack,
                                      ticks_t now) {
  size_t next;
  for (size_t at = c->threads[thread - 1].first_lock; at != 0; at = next) {
    struct contention_lock *lock = &c->lock_states[at - 1];
    next = lock->next_held;
    if (lock->acquired == 0 || lock->free_since != 0) continue;
    bool is_inside =
        stacks_find_frame(&c->model->stacks, c->model->dump, stack, lock->acquired) >= 0;
    if (is_inside && lock->is_left) {
      skip_uncharged(c, lock, now);
      lock->held_since = now;
      lock->is_left = false;
    } else if (!is_inside && is_outside(c, stack, lock->acquired)) {
      lock->is_left = true;
    }
  }
}

/* --- steps ----------------------------------------------------------------- */

/* Charges the time since the last line of a holder to the waiters for its locks. */
static bool charge_holder(struct contention *c, size_t thread, ticks_t now) {
  for (size_t at = c->threads[thread - 1].first_lock; at != 0;
       at = c->lock_states[at - 1].next_held) {
    if (!charge_lock(c, &c->lock_states[at - 1], now)) return false;
  }
  return true;
}

static bool has_whole_stack(const struct sample_line *cpu) {
  return cpu->stack_id != 0 && cpu->place != CPU_PLACE_LOST && cpu->place != CPU_PLACE_UNSAMPLED;
}

static bool take_contention_sample(struct contention *c, const struct step *step) {
  enum sample_kind kind = step->sample->kind;
  if (kind == SAMPLE_TICK) {
    c->tick_before = c->tick;
    c->tick = step->time;
    return true;
  }
  bool has_location =
      kind == SAMPLE_THREAD || (kind == SAMPLE_CPU && has_whole_stack(step->sample));
  if (!has_location) return true;
  size_t at = intern_contention_thread(c, step->sample->thread);
  if (at == 0 || !charge_holder(c, at, step->time)) return false;
  struct contention_thread *t = &c->threads[at - 1];
  if (kind == SAMPLE_THREAD) t->sample_stack = step->stack;
  if (kind == SAMPLE_CPU) {
    t->cpu_stack = step->stack;
    t->cpu_time = step->time;
  }
  compare_with_acquisitions(c, at, step->stack, step->time);
  return true;
}

/* The owner of a monitor at this moment. If the wait is young, the owner had it all the time. */
static bool take_owner(struct contention *c, const struct step *step,
                       struct contention_lock *lock) {
  size_t owner = intern_contention_thread(c, step->event->owner);
  size_t thread = intern_contention_thread(c, step->event->thread);
  if (owner == 0 || thread == 0) return false;
  size_t at = c->threads[thread - 1].wait;
  struct contention_wait *wait = at == 0 ? NULL : &c->waits[at - 1];
  bool is_young = wait != NULL && &c->lock_states[wait->lock - 1] == lock && lock->holder == 0 &&
                  step->time - wait->begin < LATER_OWNER;
  ticks_t uncharged = is_young ? wait->charged_until : 0;
  if (lock->holder != owner) skip_uncharged(c, lock, step->time);
  if (!name_holder(c, lock, owner, step->time)) return false;
  if (is_young) lock->held_since = wait->begin;
  if (is_young) wait->charged_until = uncharged;
  return true;
}

/* Other threads record these. A MonitorOwner is about the lock of its thread's wait, a MonitorHeld
   about a monitor of its thread. */
static bool take_news(struct contention *c, const struct step *step) {
  const struct event_line *line = step->event;
  struct contention_lock *lock = find_contention_lock(c, LOCK_MONITOR, line->object);
  if (lock == NULL || lock->first_wait == 0) return true;
  if (line->kind == EVENT_MONITOR_OWNER) return line->owner == 0 || take_owner(c, step, lock);
  bool is_holder = lock->holder != 0 && c->threads[lock->holder - 1].hash == line->thread;
  if (is_holder) lock->acquired = find_acquiring_stack(c, step->stack);
  return true;
}

static void update_location(struct contention_thread *t, const struct step *step) {
  if (step->stack != 0) {
    t->event_stack = step->stack;
    t->event_time = step->time;
  }
  if (step->pair != NULL) {
    unsigned num = t->num_calls;
    while (num > 0 && t->calls[num - 1].kind != step->pair->kind) num--;
    if (num > 0) t->num_calls = num - 1;
  } else if (event_infos[step->event->kind].role == ROLE_BEGIN) {
    if (t->num_calls == NESTED) t->num_calls--;
    t->calls[t->num_calls].kind = step->event->kind;
    t->calls[t->num_calls].begin = step->time;
    t->calls[t->num_calls++].stack = step->stack;
  }
}

/* Charges the time before the event to the location before the event. */
static bool take_contention_event(struct contention *c, const struct step *step) {
  enum event_kind kind = step->event->kind;
  size_t at = intern_contention_thread(c, step->event->thread);
  if (at == 0 || !charge_holder(c, at, step->time)) return false;
  update_location(&c->threads[at - 1], step);
  compare_with_acquisitions(c, at, step->stack, step->time);
  if (kind == EVENT_THREAD_UNPARK) return take_unpark(c, step, at);
  if (lock_event_asks(kind)) return add_contention_wait(c, step);
  if (step->pair != NULL && lock_event_asks(step->pair->kind) &&
      !end_contention_wait(c, step->pair)) {
    return false;
  }
  bool is_semaphore =
      lock_events[kind].act != LOCK_ACT_NONE && lock_events[kind].sort == LOCK_SEMAPHORE;
  return is_semaphore ? take_semaphore_event(c, step) : take_lock_event(c, step, at);
}

/* Steps of open pairs are ignored: contention_end counts their waits. */
bool contention_take(struct contention *c, const struct step *step) {
  uint64_t most = CONTENTION_CHARGES + ++c->steps * CONTENTION_CHARGES_PER_STEP;
  c->has_given_up |= c->charges > most;
  if (c->has_given_up) return true;
  if (step->sample != NULL) return take_contention_sample(c, step);
  if (step->event == NULL) return true;
  enum event_kind kind = step->event->kind;
  bool is_news = kind == EVENT_MONITOR_OWNER || kind == EVENT_MONITOR_HELD;
  return is_news ? take_news(c, step) : take_contention_event(c, step);
}

/* --- the end --------------------------------------------------------------- */

static int compare_contention_pairs(const void *left, const void *right) {
  const struct contention_pair *a = left, *b = right;
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  if (a->times != b->times) return compare_numbers(b->times, a->times);
  return compare_numbers(a->id, b->id);
}

/* The waits that are open last until the end. */
static bool end_open_waits(struct contention *c, struct contention_lock *lock, ticks_t end) {
  if (!charge_lock(c, lock, end)) return false;
  for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
    struct contention_wait *wait = &c->waits[at - 1];
    bool is_charged = lock->holder != 0 && wait->charged > 0;
    if (is_charged && !count_wait(c, wait, c->threads[lock->holder - 1].hash)) return false;
    bool has_handoff = wait->handoff > 0 && wait->id != NOT_COUNTED;
    if (has_handoff && !tally_add(&c->handoffs, wait->id, 0, 1, wait->handoff)) return false;
  }
  return true;
}

static void forget_results(struct contention *c) {
  tally_free(&c->holder_stacks);
  tally_free(&c->holder_places);
  tally_free(&c->handoffs);
  tally_free(&c->held);
  tally_free(&c->pair_locks);
  c->num_pairs = 0;
}

bool contention_end(struct contention *c) {
  if (c->has_given_up) {
    forget_results(c);
    return true;
  }
  for (size_t i = 0; i < c->num_lock_states; i++) {
    if (!end_open_waits(c, &c->lock_states[i], c->model->recording.end)) return false;
  }
  hashmap_free(&c->pair_rows); /* its rows are about to move */
  size_t kept = 0;
  for (size_t i = 0; i < c->num_pairs; i++) {
    if (c->pairs[i].times > 0) c->pairs[kept++] = c->pairs[i];
  }
  c->num_pairs = kept;
  if (c->num_pairs > 0) qsort(c->pairs, c->num_pairs, sizeof *c->pairs, compare_contention_pairs);
  tally_sort(&c->holder_stacks);
  tally_sort(&c->holder_places);
  tally_sort(&c->handoffs);
  tally_sort(&c->held);
  tally_sort(&c->pair_locks);
  return true;
}

static bool take_contention_step(void *arg, const struct step *step) {
  return contention_take(arg, step);
}

bool contention_read(struct contention *c, struct model *m, const struct locks *locks) {
  return contention_start(c, m, locks) && replay(m, CONTENTION_LINES, take_contention_step, c) &&
         contention_end(c);
}

ticks_t contention_time(const struct tally *times, uint32_t id) {
  size_t num;
  const struct tally_row *rows = tally_of(times, id, &num);
  return num == 0 ? 0 : rows[0].total;
}

void contention_free(struct contention *c) {
  hashmap_free(&c->ids);
  hashmap_free(&c->pair_rows);
  hashmap_free(&c->thread_rows);
  hashmap_free(&c->lock_rows);
  tally_free(&c->holder_stacks);
  tally_free(&c->holder_places);
  tally_free(&c->handoffs);
  tally_free(&c->held);
  tally_free(&c->pair_locks);
  free(c->pairs);
  free(c->threads);
  free(c->lock_states);
  free(c->waits);
  *c = (struct contention){0};
}
