#pragma once
/* Who wakes whom, and what for: of each object that threads wait on, how often it was notified,
   whom that woke, how often each waiter got through, and wake-ups that were of no use.

   A wake-up is of no use where its thread goes straight back: the next thing it does is to wait on
   the same object, from the same line. Where it is recorded that threads leave the monitor
   (monitors=all) or the lock (locks=all), that is certain. Else a thread that took what it was
   woken for, and came back before any other thread did something with the object, looks the same;
   so of those whom one signal woke one is taken to have had cause where none seems to, and whoever
   was away for longer than a moment is not counted: the true number is as large or larger.

   First the events in their order, then wakeups_end, then ask. Memory goes by objects, by the
   threads that wait on each, and by what is under way. */
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/state/holders.h"
#include "tools/orca/model/state/wake_judge.h"
#include "tools/orca/model/state/wakes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wakeup {
  uint32_t id;          /* the group of this row in the tally */
  enum event_kind kind; /* of the waits: their BEGIN */
  uint32_t object;
  uint64_t waits; /* that are over, or open at the end */
  uint64_t open;
  uint64_t woken;     /* waits that a signal ended */
  uint64_t by_itself; /* that ended without: time ran out, interrupted */
  uint64_t ones;      /* signals that wake one: notify, signal, release, unpark, … */
  uint64_t alls;      /* that wake all: notifyAll, signalAll */
  uint64_t unheard;   /* signals to a wait or a condition when nobody waited */
  uint64_t crowds;    /* that woke more than one, */
  uint64_t crowded;   /* how many those woke */
  uint64_t useless;   /* wake-ups of no use, */
  uint64_t judged;    /* of so many, */
  uint64_t sure;      /* and of so many it is certain */
  ticks_t total, longest;

  /* Where it stands while lines are taken. */
  uint32_t last_thread; /* that had the lock, as far as the events tell */
  uint64_t turns;       /* how often that became another one */
};

/* A thread that waits on an object. The row comes first, for rows_of. */
struct wakeup_waiter {
  uint32_t row, thread; /* row: the id of its struct wakeup */
  uint64_t waits, woken, by_itself;
  uint64_t back;    /* of `woken`: went straight back */
  uint64_t through; /* of `woken`: did not */
  ticks_t total, longest;

  /* Where it stands while lines are taken. */
  stack_id_t stack;
  uint64_t turns;
  size_t mark; /* of the signal that woke it */
  ticks_t woke;
  bool asked;
  bool sure; /* it is recorded too when the thread leaves the lock */
};

/* All zero is empty; wakeups_free gives the memory back. */
struct wakeups {
  bool
      known; /* set by wakeups_start: false where halves of pairs may be missing; nothing is told */
  const struct matcher *matcher;  /* the caller's */
  struct hashmap ids, waiter_ids; /* kind and object -> row; row and thread -> waiter; plus one */
  struct wakeup *rows;
  size_t num, capacity;
  struct wakeup_waiter *waiters; /* by row behind wakeups_end, most got through first */
  size_t num_waiters, waiters_capacity;
  struct tally by; /* group: the row; key: who woke << 32 | who was woken */
  struct wakes wakes;
  struct wake wake;        /* what the last event did */
  struct wake_judge judge; /* remembers a thread by its waiter, plus one */
};

/* wakeups_start takes what is known of the dump as a whole, and what is asked for: of a wait only
   the time counts that is. */
void wakeups_start(struct wakeups *w, const struct dump *d, const struct matcher *matcher);

/* wakeups_event takes an event with its time as recorded, before the holders do; `stack` is that of
   the BEGIN of a pair. Signals count where `asked`, and so do waits whose end is. False: memory ran
   out. */
bool wakeups_event(struct wakeups *w, const struct holders *holders, const struct event_line *line,
                   stack_id_t stack, bool asked);

/* wakeups_pair takes a pair that is asked for and stands for a wait, right behind the event that
   ends it: of calls that are neither Object.wait nor on a condition. False: memory ran out. */
bool wakeups_pair(struct wakeups *w, const struct pair *pair);

/* wakeups_end ends the adding: of the waits that are not over those that are asked for count, and
   the object on which threads waited longest comes first. False: memory ran out. */
bool wakeups_end(struct wakeups *w, struct matcher *matcher, const struct stacks *stacks,
                 ticks_t end);

/* wakeups_waiters gives those who waited on the object of a row. */
const struct wakeup_waiter *wakeups_waiters(const struct wakeups *w, const struct wakeup *row,
                                            size_t *out_num);

void wakeups_free(struct wakeups *w);

#ifdef __cplusplus
}
#endif
