#pragma once
/* Wake-ups of the threads that wait on each object: how often it was notified, which waiters that
   woke, how often each waiter went on, and how many wake-ups were useless.

   A wake-up is useless if its thread goes straight back: the next event of the thread is a wait on
   the same object with the same stack, and it kept the lock meanwhile. The latter is known only if
   every release of the lock is recorded (monitors=all, locks=all). Otherwise a useful wake-up looks
   the same: the thread takes what it was woken for, and calls the method again. So such wake-ups
   are not judged.

   The memory grows with the number of objects, of threads that wait on each, and of waits that are
   under way. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/state/holders.h"
#include "tools/orca/model/state/wakes.h"

BEGIN_C

struct wakeup {
  uint32_t id;          /* the group of this row in the tally */
  enum event_kind kind; /* the begin event of the waits */
  uint32_t object;      /* 0 for futures and tasks: they share a row */
  uint64_t waits;       /* waits, open ones included */
  uint64_t open;        /* of `waits`: had not ended when the recording did */
  uint64_t woken;       /* of `waits`: ended by a signal */
  uint64_t by_itself;   /* of `waits`: ended without a signal: timed out or interrupted */
  uint64_t ones;        /* signals that wake one waiter: notify, signal, release, unpark, … */
  uint64_t alls;        /* signals that wake all waiters: notifyAll, signalAll */
  uint64_t unheard;     /* of both, for Object.wait and conditions: signals when nobody waited */
  uint64_t crowds;      /* of both: signals that woke more than one waiter */
  uint64_t crowded;     /* number of waiters that `crowds` woke */
  uint64_t judged;      /* of `woken`: it is known whether the wake-up was useful */
  uint64_t useless;     /* of `judged`: wake-ups that were useless */
  ticks_t total, longest;
};

/* A thread that waits on an object. rows_of needs the row as the first field. */
struct wakeup_waiter {
  uint32_t row; /* the id of its struct wakeup */
  uint32_t thread;
  uint64_t waits, woken, by_itself; /* as in struct wakeup */
  uint64_t back;                    /* of `woken`: it went straight back */
  uint64_t unsure;  /* of `woken`: it waited again with the same stack, perhaps in another call */
  uint64_t through; /* the other waits that ended, not by themselves */
  ticks_t total, longest;

  /* The state of the thread during the pass. */
  stack_id_t stack; /* of its last wait */
  bool is_certain;  /* its last wait is known to release the lock (holders_releases_for_wait) */
  bool has_reason;  /* the end of a thread woke it, so the wake-up is not useless */
};

/* A struct of zeros is empty; wakeups_free frees its memory. */
struct wakeups {
  bool known; /* false if events may be missing; then there are no rows. Set by wakeups_start */
  const struct matcher *matcher; /* the caller's */
  struct hashmap ids;            /* kind and object -> row plus one, until wakeups_end */
  struct hashmap waiter_ids;     /* row and thread -> waiter plus one, until wakeups_end */
  struct wakeup *rows;
  size_t num, capacity;
  struct wakeup_waiter *waiters; /* after wakeups_end by row, the largest `through` first */
  size_t num_waiters, waiters_capacity;
  struct tally by; /* group: the row's id; key: waking thread << 32 | woken thread */
  struct wakes wakes;
  struct wake wake;      /* what the last event did */
  struct hashmap judges; /* woken thread without an event since -> index in `waiters` plus one */
};

/* wakeups_event takes an event with its own time (not clipped), before it changes the holders.
   Only wakeups.c and its test call these three. `stack` is the event's stack; it is needed for
   begin events. `matches` is whether the event matches the filter: then a signal counts, and a wait
   that the event ends. It returns false when memory ran out. */
bool wakeups_event(struct wakeups *w, const struct holders *holders, const struct event_line *line,
                   stack_id_t stack, bool matches);

/* wakeups_pair takes a clipped pair that matches the filter and in which the thread had to wait. It
   ignores Object.wait and conditions, which wakeups_event counts. Call it right after
   wakeups_event took the event that ends the pair. It returns false when memory ran out. */
bool wakeups_pair(struct wakeups *w, const struct pair *pair);

/* wakeups_end counts the open waits that match the filter up to `end`, and sorts the rows: the
   object with the longest total wait comes first. It returns false when memory ran out. */
bool wakeups_end(struct wakeups *w, struct matcher *matcher, const struct stacks *stacks,
                 ticks_t end);

/* wakeups_waiters returns the waiters of a row after wakeups_end, and their number. */
const struct wakeup_waiter *wakeups_waiters(const struct wakeups *w, const struct wakeup *row,
                                            size_t *out_num);

void wakeups_free(struct wakeups *w);

END_C
