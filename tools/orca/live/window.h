#pragma once
/* The sums over some seconds of a live recording, the largest first. */
#include "tools/orca/live/live.h"

#ifdef __cplusplus
extern "C" {
#endif

struct window_lock {
  uint32_t lock; /* index in live.locks */
  ticks_t blocked;
  uint64_t waits;   /* attempts that had to wait and ended in the window */
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

struct window {
  const struct live_second *last; /* the state at the end of the window */
  ticks_t begin, end;
  struct window_lock *locks; /* without signals (lock_is_signal) */
  size_t num_locks;
  struct window_site *sites;
  size_t num_sites;
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

#ifdef __cplusplus
}
#endif
