#pragma once
/* Who woke whom: the signal (a notify, a release, an unpark, …) that ended a wait, where there is
   no doubt. This is the one answer to that; every view has it from here.

   Where every event is there, those in Object.wait and on conditions are woken in their turn. Of
   the others an unpark names its thread; the last count of a latch and the end of a thread let all
   go; and what is released while somebody waits goes to that thread, unless two threads released,
   as then the other one may have had it. Whoever gave up was woken by nobody, and nobody wakes
   itself.

   Memory goes by objects and threads. */
#include "tools/orca/dump/dump.h"
#include "tools/orca/model/state/wait_sets.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wakes_row;

/* All zero is empty; wakes_free gives the memory back. */
struct wakes {
  bool in_turn; /* set by wakes_start: it is known who waits, as no event is left out */
  struct wait_sets sets;
  struct hashmap ids; /* what is waited for out of turn -> row plus one */
  struct wakes_row *rows;
  size_t num, capacity;
};

/* What an event does to waits. */
struct wake {
  bool over;             /* it ends a wait whose beginning is known: */
  ticks_t since;         /* then; */
  bool woken;            /* or it starts a thread; and it is sure that */
  struct wake_signal by; /* this woke it. Of a wait that is over the mark is 0 where nothing came */
  uint64_t called;       /* it is a signal, which wakes so many of those who wait in turn */
};

/* wakes_start takes what is known of the dump as a whole. */
void wakes_start(struct wakes *w, const struct dump *d);

/* wakes_event takes the events in their order, with their times as recorded, and tells what each
   does. `mark` is handed out with the waits that the event ends. False: memory ran out. */
bool wakes_event(struct wakes *w, const struct event_line *line, size_t mark, struct wake *out);

void wakes_free(struct wakes *w);

#ifdef __cplusplus
}
#endif
