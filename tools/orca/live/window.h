#pragma once
/* The sums over some seconds of a live recording, the largest first.

   Waits shorter than the threshold are in sums with a time of their own (batch.h): from the batches
   that came in the window, or else the last one before it, if that came at most LIVE_SUM_SECONDS
   before the end and calls have been left out all the time since. */
#include "agent/base/extern_c.h"
#include "tools/orca/live/live.h"

BEGIN_C

/* What a window knows of shorter waits. */
enum window_sums {
  WINDOW_SUMS_UNKNOWN, /* the window has no sums, or not of locks of this sort */
  WINDOW_SUMS_LEAST, /* there may be more of them in a row of several locks or places, or unknown */
  WINDOW_SUMS_EXACT
};

struct window_short {
  struct short_calls calls;
  enum window_sums known;
};

struct window_lock {
  uint32_t lock; /* index in live.locks */
  ticks_t blocked;
  uint64_t waits;          /* attempts that had to wait and ended in the window */
  struct window_short sum; /* of shorter waits, which are not in `blocked` and `waits` */
  /* What the rows are sorted by, with shorter waits: threads that were blocked on average, and
     waits in a tick. */
  double load, frequency;
  uint64_t threads; /* blocked on it at the end of the window */
  uint32_t owner;   /* at the end of the window; 0: not known */
  enum activity owner_activity;
  stack_id_t owner_stack;
};

struct window_site {
  uint32_t lock;
  stack_id_t stack; /* where threads were blocked */
  ticks_t blocked;
};

/* The shorter waits of a lock in a place. */
struct window_sum {
  uint32_t lock;
  place_t place; /* 0: several places, or not known */
  struct window_short sum;
};

struct window {
  const struct live_second *last; /* the state at the end of the window */
  ticks_t begin, end;
  struct window_lock *locks; /* without signals (lock_is_signal) */
  size_t num_locks;
  struct window_site *sites;
  size_t num_sites;
  bool has_sums; /* there is a batch of sums; their time: */
  ticks_t sums_begin, sums_end;
  struct window_sum *sums; /* by place: the largest first */
  size_t num_sums;
  bool has_several[NUM_LOCK_SORTS];    /* there are sums of several locks, not told apart */
  struct cpu cpu;                      /* ranked */
  ticks_t in_activity[NUM_ACTIVITIES]; /* of all threads */
  uint64_t events, process_ns, pause_ns;
  struct titles titles; /* of all locks so far; `objects` is that of the live recording */
};

/* window_read sums up `num` seconds, fewer if not so many are kept. `last` is the number of the
   last one; it must be kept. False: memory ran out. window_free frees its memory in both cases. The
   window must not be used after the next live_advance. */
bool window_read(struct window *w, const struct live *l, uint64_t last, uint64_t num);

void window_free(struct window *w);

END_C
