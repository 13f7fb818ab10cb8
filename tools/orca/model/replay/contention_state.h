#pragma once
/* What contention.c and its parts know about threads, locks and waits during the pass. No other
   file includes this header. Functions that return bool return false when memory ran out. */
#include "tools/orca/model/replay/contention.h"

/* Nested calls of one thread that have not ended. */
#define CONTENTION_NESTED 8

#define NOT_COUNTED UINT32_MAX /* the id of a wait that does not match the filter */

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
  } calls[CONTENTION_NESTED];
  unsigned num_calls;
  size_t wait;       /* its innermost wait for a lock */
  size_t first_lock; /* that it holds, of those that other threads wait for */
};

/* A lock that threads wait for. Without waits only the figures of a semaphore are kept. */
struct contention_lock {
  enum lock_sort sort;
  uint32_t object;
  size_t first_wait;
  size_t holder, next_held; /* the thread that holds it; the next lock of that thread */
  ticks_t held_since;       /* what was seen of the holder before does not show where it is */
  ticks_t seen_since;       /* a line shows that it had the lock at this time */
  bool is_recorded;    /* the acquisition of the holder has a line, so its release will have one */
  bool is_named;       /* a line names the holder: it got the lock before `held_since` */
  stack_id_t acquired; /* of a monitor: the stack of its holder from the frame on that acquired it;
                          0: not known */
  bool is_reader;      /* the holder holds the read side */
  bool is_left;        /* the holder was seen outside of that frame */
  bool has_all_lines;  /* of a monitor: acquisitions and releases have lines (monitors=all) */
  ticks_t free_since;  /* 0: it is not known to be free */

  /* Of a semaphore. `permits` are releases minus acquisitions. There were no less than 0 permits
     when they were `least`, so more of them are free. */
  int64_t permits, least;
  bool has_bulk;      /* a call is for several permits, whose number the lines do not contain */
  ticks_t more_since; /* `permits` are more than `least` since then; 0: they are not */
};

struct contention_wait {
  uint32_t id; /* of the lock in the results, or NOT_COUNTED */
  size_t lock;
  uint32_t thread;
  enum event_kind kind;
  ticks_t begin;
  ticks_t charged_until; /* the time before is in the results */
  ticks_t charged;       /* to the current holder: the last part of the wait */
  size_t main_holder;    /* the holder of the longest part that has ended; 0: none has */
  ticks_t longest;       /* that part */
  ticks_t handoff;
  size_t before, next; /* waits for the same lock, or the next free row */
  size_t outer;        /* the wait of the same thread around this one */
  bool is_unsure;      /* the thread may not have to wait: nothing is in the results yet */
  size_t first_share;  /* what will be in them */
};

/* --- contention.c: rows ---------------------------------------------------------------- */

/* contention_thread_number and contention_lock_number return the number of a row and add the row if
   there is none; 0 when memory ran out. Both sides of a read-write lock are one lock here. */
size_t contention_thread_number(struct contention *c, uint32_t hash);
size_t contention_lock_number(struct contention *c, enum lock_sort sort, uint32_t object);

/* contention_find_lock returns NULL if the lock has no row. */
struct contention_lock *contention_find_lock(const struct contention *c, enum lock_sort sort,
                                             uint32_t object);

/* --- contention_charges.c: who gets the time of a wait, and what it adds to the results -- */

/* contention_clip returns the part of a time that is in the range of the filter. */
ticks_t contention_clip(const struct contention *c, ticks_t from, ticks_t to);

/* contention_charge_lock charges the waits for a lock up to `now` to its holder and the holder's
   location. It does nothing if the holder is not known. contention_charge_late charges them to a
   holder that has become known only now, so its location meanwhile is not known. */
bool contention_charge_lock(struct contention *c, const struct contention_lock *lock, ticks_t now);
bool contention_charge_late(struct contention *c, const struct contention_lock *lock, ticks_t now);

/* contention_charge_holder charges the time since the last line of a thread to the waits for its
   locks. */
bool contention_charge_holder(struct contention *c, size_t thread, ticks_t now);

/* contention_skip_uncharged ends the time before `now` that is not charged: it belongs to no known
   part. */
void contention_skip_uncharged(struct contention *c, const struct contention_lock *lock,
                               ticks_t now);

/* contention_end_part ends the part of a wait that is of `holder`, when the hold or the wait ends.
 */
bool contention_end_part(struct contention *c, struct contention_wait *wait, size_t holder);

/* contention_end_free notes that a thread got the free lock: the time since the lock became free
   was hand-off. */
void contention_end_free(struct contention *c, struct contention_lock *lock, ticks_t now);

/* contention_add_shares counts a wait for the holder of its longest part, and adds its shares to
   the results. contention_drop_shares frees them. */
bool contention_add_shares(struct contention *c, const struct contention_wait *wait);
void contention_drop_shares(struct contention *c, struct contention_wait *wait);

/* --- contention_places.c: where a holder is -------------------------------------------- */

/* contention_note_sample and contention_note_event take where a thread is from now on. Charge the
   time before to the location before: contention_charge_holder. */
bool contention_note_sample(struct contention *c, size_t thread, const struct step *step);
void contention_note_event(struct contention *c, size_t thread, const struct step *step);

/* contention_has_location returns whether a sample shows where its thread was. */
bool contention_has_location(const struct sample_line *sample);

/* contention_location returns where the holder was before `now`, 0 if that is not known.
   `*out_guessed` receives whether only its last event or its acquisition shows that. */
stack_id_t contention_location(const struct contention *c, const struct contention_wait *wait,
                               ticks_t now, bool *out_guessed);

/* contention_acquiring_stack returns the stack from the frame on that acquired a monitor, or 0. */
stack_id_t contention_acquiring_stack(const struct contention *c, stack_id_t stack);

/* --- contention_holders.c: who holds a lock -------------------------------------------- */

/* contention_change_holder charges the waits to the holder until now, and sets another holder. 0:
   not known. `acquired`: the stack of the acquisition. */
bool contention_change_holder(struct contention *c, struct contention_lock *lock, size_t holder,
                              stack_id_t acquired, ticks_t now);

/* contention_name_holder takes the holder that a line names. The line does not contain since when
   it holds the lock. */
bool contention_name_holder(struct contention *c, struct contention_lock *lock, size_t holder,
                            ticks_t now);

/* These take what an event says about holders, apart from the waits of its thread:
   - contention_take_unpark: a thread unparks another one;
   - contention_take_lock_event: an event of a lock that is no semaphore;
   - contention_take_news: a line that another thread recorded. A MonitorOwner is about the lock of
     its thread's wait, a MonitorHeld about a monitor of its thread, a
     ReadLockHeld about a lock that its thread holds for reading. */
bool contention_take_unpark(struct contention *c, const struct step *step, size_t thread);
bool contention_take_lock_event(struct contention *c, const struct step *step, size_t thread);
bool contention_take_news(struct contention *c, const struct step *step);

/* --- contention_permits.c: the permits of a semaphore ---------------------------------- */

/* contention_note_bulk notes whether the call of a semaphore is for several permits. Then the
   number of free permits is not known any more. */
void contention_note_bulk(struct contention *c, struct contention_lock *lock,
                          const struct step *step);

/* contention_take_permit takes an event of a semaphore. */
bool contention_take_permit(struct contention *c, const struct step *step);

/* --- contention_waits.c: the waits for a lock ------------------------------------------ */

bool contention_begin_wait(struct contention *c, const struct step *step);
bool contention_end_wait(struct contention *c, const struct step *step);

/* contention_end_open_waits counts the waits for a lock that never ended, up to the end. */
bool contention_end_open_waits(struct contention *c, struct contention_lock *lock, ticks_t end);
