#pragma once
/* Who woke whom: the signal (a notify, a release, an unpark, …) that ended a wait, where there is
   no doubt. Memory goes by objects. */
#include "tools/model/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wake_signal {
  ticks_t time; /* 0: none */
  uint32_t thread;
  bool lets_all; /* it wakes all that wait */
  bool spent;    /* it woke the one that it wakes */
};

struct wakes_row {
  struct wake_signal last, before;
};

/* All zero is empty; wakes_free gives the memory back. */
struct wakes {
  struct hashmap ids; /* what is waited for -> row plus one */
  struct wakes_row *rows;
  size_t num, capacity;
};

/* wakes_event takes the events in their order; what wakes nobody is nothing to it. False: memory
   ran out. */
bool wakes_event(struct wakes *w, const struct event_line *line);

/* wakes_pair tells what woke the thread of a pair that has just ended; takes it as spent. False:
   nothing, or it is not sure: two threads signalled, and one of them may have woken another one. */
bool wakes_pair(struct wakes *w, const struct pair *pair, struct wake_signal *out);

/* wakes_start tells, for a ThreadStarted, who started the thread; false where nobody is known. */
bool wakes_start(struct wakes *w, const struct event_line *line, struct wake_signal *out);

void wakes_free(struct wakes *w);

#ifdef __cplusplus
}
#endif
