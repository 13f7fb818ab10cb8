#include "tools/orca/model/state/holders.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"

void holders_start(struct holders *h, const struct dump *d) { h->coverage = dump_coverage(d); }

static void forget_holds(struct holders *h, ticks_t time) {
  struct hold *hold;
  size_t cursor = 0;
  while ((hold = holds_next(&h->holds, &cursor)) != NULL) holds_release(&h->holds, hold, time);
}

void holders_advance(struct holders *h, ticks_t time) {
  h->now = time;
  if (coverage_forgets_holders(h->coverage, &h->next_change, time)) forget_holds(h, time);
}

bool holders_are_known(const struct holders *h, enum lock_sort sort, uint32_t object) {
  uint64_t unsure;
  return !coverage_is_lossy(h->coverage) &&
         !hashmap_get(&h->unsure, lock_key(sort, object), &unsure);
}

const struct hold *holders_find(const struct holders *h, enum lock_sort sort, uint32_t object,
                                uint32_t thread) {
  return holds_find(&h->holds, lock_key(sort, object), sort, thread);
}

bool holders_note_acquisition(struct holders *h, const struct event_line *line, stack_id_t stack) {
  return hashmap_put(&h->acquired, (uint64_t)line->thread << 32 | line->object, stack);
}

stack_id_t holders_acquisition(const struct holders *h, uint32_t thread, uint32_t monitor) {
  uint64_t stack = 0;
  hashmap_get(&h->acquired, (uint64_t)thread << 32 | monitor, &stack);
  return (stack_id_t)stack;
}

/* --- the owner now --------------------------------------------------------------------- */

struct holders_got {
  uint32_t thread; /* 0: not known */
  ticks_t time;
  ticks_t acquired; /* when the thread got it after it had to wait; 0: that is not known */
};

static bool note(struct holders *h, struct hashmap *by, uint64_t lock, uint32_t thread,
                 ticks_t time) {
  struct holders_got *got =
      rows_at(by, lock, &h->got, &h->num_got, &h->got_capacity, sizeof *got, NULL);
  if (got == NULL) return false;
  ticks_t acquired = got->thread == thread ? got->acquired : 0;
  *got = (struct holders_got){thread, time, acquired};
  return true;
}

static bool note_got(struct holders *h, enum lock_sort sort, uint32_t object, uint32_t thread,
                     ticks_t time) {
  return note(h, &h->got_by, lock_key(sort, object), thread, time);
}

/* The owner that a line names owns the lock for all waiters. A thread that asks for the lock does
   not own it any more. */
static bool follow_waiter(struct holders *h, const struct event_line *line) {
  enum lock_sort sort = lock_events[line->kind].sort;
  uint64_t at = 0;
  if (sort == LOCK_SEMAPHORE) return true;
  hashmap_get(&h->got_by, lock_key(sort, line->object), &at);
  bool is_over = at != 0 && h->got[at - 1].thread == line->thread;
  if (line->owner == 0 && !is_over) return true;
  return note_got(h, sort, line->object, line->owner, line->time);
}

/* A thread that is unparked while it waits for a lock may get it: its owner has released it. */
static bool follow_unpark(struct holders *h, const struct pairs *pairs,
                          const struct event_line *line) {
  struct pair pair;
  for (size_t i = 0; i < lock_askers.num; i++) {
    enum event_kind kind = lock_askers.kinds[i];
    enum lock_sort sort = lock_events[kind].sort;
    if (sort == LOCK_MONITOR || sort == LOCK_SEMAPHORE) continue;
    bool asks = pairs_find(pairs, line->object, kind, &pair);
    if (asks && !note_got(h, sort, pair.object, 0, line->time)) return false;
  }
  return true;
}

bool holders_follow(struct holders *h, const struct pairs *pairs, const struct event_line *line,
                    const struct pair *ended) {
  if (wake_events[line->kind].act == WAKE_ACT_PERMIT) return follow_unpark(h, pairs, line);
  if (line->kind == EVENT_OBJECT_WAIT || line->kind == EVENT_OBJECT_WAITED) {
    uint32_t owner = line->kind == EVENT_OBJECT_WAITED ? line->thread : 0;
    return note_got(h, LOCK_MONITOR, line->object, owner, line->time);
  }
  if (line->kind == EVENT_MONITOR_OWNER || lock_event_asks(line->kind)) {
    return follow_waiter(h, line);
  }
  if (ended == NULL || ended->failed || !lock_event_asks(ended->kind)) return true;
  enum lock_sort sort = lock_events[ended->kind].sort;
  if (sort == LOCK_SEMAPHORE) return true;
  uint32_t owner = lock_sort_is_exclusive(sort) ? ended->thread : 0;
  if (!note_got(h, sort, ended->object, owner, line->time)) return false;
  uint64_t at = 0;
  hashmap_get(&h->got_by, lock_key(sort, ended->object), &at);
  h->got[at - 1].acquired = owner == 0 ? 0 : line->time;
  return true;
}

uint32_t holders_owner_now(const struct holders *h, const struct pair *pair) {
  enum lock_sort sort = lock_events[pair->kind].sort;
  uint64_t at = 0;
  if (!lock_event_asks(pair->kind) || sort == LOCK_SEMAPHORE) return 0;
  hashmap_get(&h->got_by, lock_key(sort, pair->object), &at);
  bool is_news = at != 0 && h->got[at - 1].time > pair->owner_time;
  uint32_t owner = is_news ? h->got[at - 1].thread : pair->last_owner;
  return owner == pair->thread ? 0 : owner;
}

ticks_t holders_acquired(const struct holders *h, const struct pair *pair) {
  uint64_t at = 0;
  hashmap_get(&h->got_by, lock_key(lock_events[pair->kind].sort, pair->object), &at);
  bool is_known = at != 0 && h->got[at - 1].thread != 0;
  return is_known && h->got[at - 1].thread == holders_owner_now(h, pair) ? h->got[at - 1].acquired
                                                                         : 0;
}

static bool waits_to_write(const struct pairs *pairs, const struct event_line *reader) {
  static const enum event_kind kinds[] = {EVENT_WRITE_LOCK_ACQUIRE, EVENT_WRITE_LOCK_TRY};
  struct pair pair;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    bool waits = pairs_find(pairs, reader->thread, kinds[i], &pair);
    if (waits && pair.object == reader->object) return true;
  }
  return false;
}

bool holders_note_reader(struct holders *h, const struct pairs *pairs,
                         const struct event_line *line) {
  bool upgrades = waits_to_write(pairs, line);
  if (upgrades && !hashmap_put(&h->upgrades, line->object, line->thread)) return false;
  return note(h, &h->read_by, line->object, line->thread, line->time);
}

uint32_t holders_only_reader(const struct holders *h, uint32_t object, ticks_t *out_time) {
  uint64_t at = 0;
  hashmap_get(&h->read_by, object, &at);
  *out_time = at == 0 ? 0 : h->got[at - 1].time;
  return at == 0 ? 0 : h->got[at - 1].thread;
}

uint32_t holders_upgrader(const struct holders *h, uint32_t object) {
  uint64_t thread = 0;
  hashmap_get(&h->upgrades, object, &thread);
  return (uint32_t)thread;
}

/* When the only reader gives the lock back, the first waiter gets it. */
uint32_t holders_reader_now(const struct holders *h, const struct pair *pair) {
  ticks_t seen;
  uint32_t reader = holders_only_reader(h, pair->object, &seen);
  uint64_t at = 0;
  bool is_side = lock_event_asks(pair->kind) && lock_sort_is_side(lock_events[pair->kind].sort);
  hashmap_get(&h->got_by, lock_key(LOCK_WRITE_SIDE, pair->object), &at);
  bool is_written = at != 0 && h->got[at - 1].thread != 0 && h->got[at - 1].time >= seen;
  bool is_known = is_side && seen >= pair->begin && !is_written;
  return is_known && reader != pair->thread ? reader : 0;
}

/* --- acquisitions and releases ----------------------------------------------------- */

/* Semaphore.release(int) is assumed to release all permits of its thread, because the line does not
   contain their number. */
static bool is_bulk_release(const struct dump *d, const struct event_line *line) {
  struct span frames = stack_frames(line->stack);
  struct frame top;
  if (line->kind != EVENT_SEMAPHORE_RELEASE || !stack_next(&frames, &top)) return false;
  const struct method_line *method = dump_method(d, top.method);
  return method != NULL && span_is(method->signature, "(I)V");
}

/* A release without an acquisition. Only its owner can release a monitor or a ReentrantLock, so the
   owner acquired it before the recording began. The other sorts include Semaphore and StampedLock,
   which any thread can release: their holders become unknown. */
static bool take_unmatched_release(struct holders *h, enum lock_sort sort, uint32_t object) {
  if (sort == LOCK_MONITOR || sort == LOCK_LOCK) return true;
  return hashmap_put(&h->unsure, lock_key(sort, object), 1);
}

static bool take_release(struct holders *h, const struct dump *d, const struct event_line *line,
                         bool *out_released, ticks_t *out_held) {
  enum lock_sort sort = lock_events[line->kind].sort;
  struct hold *hold = holds_find(&h->holds, lock_key(sort, line->object), sort, line->thread);
  if (hold == NULL) return take_unmatched_release(h, sort, line->object);
  uint64_t *given_back = sort == LOCK_SEMAPHORE ? hashmap_at(&h->given_back, line->object) : NULL;
  if (sort == LOCK_SEMAPHORE && given_back == NULL) return false;
  if (given_back != NULL) (*given_back)++;
  if (--hold->times > 0 && !is_bulk_release(d, line)) return true;
  *out_held = holds_release(&h->holds, hold, line->time);
  *out_released = true;
  return true;
}

/* Returns the hold that a wait releases (`is_away` false) or re-acquires (`is_away` true), NULL if
   none is known. The line of a condition does not name its lock: assume the lock that the thread
   acquired last. */
static struct hold *find_hold_of_wait(const struct holders *h, const struct event_line *line,
                                      bool is_away) {
  if (lock_events[line->kind].sort == LOCK_MONITOR) {
    return holds_find(&h->holds, lock_key(LOCK_MONITOR, line->object), LOCK_MONITOR, line->thread);
  }
  struct hold *hold = holds_of_thread(&h->holds, line->thread);
  while (hold != NULL &&
         (hold->away != is_away || (hold->sort != LOCK_LOCK && hold->sort != LOCK_WRITE_SIDE))) {
    hold = holds_next_of_thread(&h->holds, hold);
  }
  return hold;
}

bool holders_releases_for_wait(const struct holders *h, const struct event_line *line) {
  return lock_events[line->kind].act == LOCK_ACT_GIVES_AWAY &&
         find_hold_of_wait(h, line, false) != NULL;
}

bool holders_event(struct holders *h, const struct dump *d, const struct event_line *line,
                   stack_id_t stack, bool *out_released, ticks_t *out_held) {
  enum lock_sort sort = lock_events[line->kind].sort;
  struct hold *hold;
  *out_released = false;
  switch (lock_events[line->kind].act) {
    case LOCK_ACT_GOT:
      return !coverage_has_releases_at(h->coverage, sort, h->now) ||
             holds_acquire(&h->holds, lock_key(sort, line->object), sort, line->thread, line->time,
                           stack);
    case LOCK_ACT_LEFT:
      return take_release(h, d, line, out_released, out_held);
    case LOCK_ACT_GIVES_AWAY:
      hold = find_hold_of_wait(h, line, false);
      if (hold != NULL) holds_pause(hold, line->time);
      return true;
    case LOCK_ACT_GOT_BACK:
      hold = find_hold_of_wait(h, line, true);
      if (hold != NULL) holds_resume(hold, line->time);
      return true;
    default:
      return true;
  }
}

/* --- owners --------------------------------------------------------------------------- */

/* Returns whether a hold can block an acquisition of this sort by `thread`:
   - A hold of another thread can. A reader blocks a reader only while a writer is queued.
   - An own hold can if it is of a write lock, or if the thread acquires a write lock. Monitors,
     locks and read locks are reentrant; the permit of a semaphore may come from another thread. */
static bool can_block(const struct hold *hold, enum lock_sort sort, uint32_t thread) {
  if (hold->away) return false;
  if (hold->thread != thread) return true;
  return lock_sort_is_side(sort) && (sort == LOCK_WRITE_SIDE || hold->sort == LOCK_WRITE_SIDE);
}

const struct hold *holders_next(const struct holders *h, enum event_kind begin, uint32_t object,
                                uint32_t thread, const struct hold *before) {
  enum lock_sort sort = lock_events[begin].sort;
  if (!holders_are_known(h, sort, object)) return NULL;
  const struct hold *hold = before == NULL ? holds_of_lock(&h->holds, lock_key(sort, object))
                                           : holds_next_of_lock(&h->holds, before);
  while (hold != NULL && !can_block(hold, sort, thread)) {
    hold = holds_next_of_lock(&h->holds, hold);
  }
  return hold;
}

uint32_t holders_owner(const struct holders *h, const struct event_line *line) {
  bool names_owner = line->kind == EVENT_MONITOR_OWNER;
  if ((!names_owner && !lock_event_asks(line->kind)) || line->owner == line->thread) return 0;
  if (names_owner || line->owner != 0) return line->owner;
  const struct hold *only = holders_next(h, line->kind, line->object, line->thread, NULL);
  if (only == NULL || only->thread == line->thread) return 0;
  if (holders_next(h, line->kind, line->object, line->thread, only) != NULL) return 0;
  bool are_readers = only->sort == LOCK_READ_SIDE && lock_events[line->kind].sort == LOCK_READ_SIDE;
  return are_readers ? 0 : only->thread;
}

void holders_set_owner(const struct holders *h, struct wait_link *link, uint32_t owner) {
  const struct pair *pair = &link->pair;
  const struct hold *hold = holders_next(h, pair->kind, pair->object, pair->thread, NULL);
  while (hold != NULL && hold->thread != owner) {
    hold = holders_next(h, pair->kind, pair->object, pair->thread, hold);
  }
  link->owner = owner;
  link->owner_stack = hold != NULL ? hold->stack : holders_acquisition(h, owner, pair->object);
  link->owner_since = hold != NULL ? hold->since : 0;
  link->owner_stack_is_later = hold == NULL && link->owner_stack != 0;
}

bool holders_own_permits(const struct holders *h, uint32_t semaphore) {
  uint64_t given_back = 0, held = 0;
  const struct hold *hold = holds_of_lock(&h->holds, lock_key(LOCK_SEMAPHORE, semaphore));
  for (; hold != NULL; hold = holds_next_of_lock(&h->holds, hold)) held += hold->times;
  hashmap_get(&h->given_back, semaphore, &given_back);
  return holders_are_known(h, LOCK_SEMAPHORE, semaphore) && given_back > 0 && given_back >= held;
}

void holders_free(struct holders *h) {
  holds_free(&h->holds);
  hashmap_free(&h->acquired);
  hashmap_free(&h->got_by);
  hashmap_free(&h->read_by);
  hashmap_free(&h->upgrades);
  free(h->got);
  hashmap_free(&h->unsure);
  hashmap_free(&h->given_back);
  *h = (struct holders){.coverage = h->coverage};
}
