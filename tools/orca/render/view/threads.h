#pragma once
/* All threads of a dump in detail: how long each was in which state, and when. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/replay/timeline.h"
#include "tools/orca/render/view/view.h"

BEGIN_C

/* The calls of a thread in which it was in some state: their number and their time. */
struct view_spells {
  uint64_t count;
  ticks_t time;
};

/* view_sum_spells sums up the calls that the filter selects. `activity` is BLOCKED, SLEEPS or
   WAITS. Parks count as WAITS. */
struct view_spells view_sum_spells(const struct thread *thread, enum activity activity);

/* The times of a thread that samples tell, for text. */
struct view_shares {
  ticks_t runs; /* on a CPU or ready to run */
  ticks_t io, no_call;
};

/* view_share_life returns what the samples tell, unless the kernel tells otherwise: no sample sees
   short calls, such as of I/O, and native code that runs may seem to wait. */
struct view_shares view_share_life(const struct model *m, const struct thread *thread);

/* Writes a row for each row of the timeline: the time in each state; how often and how long the
   thread was blocked, waited and slept. Text without `all` has one row for all threads of
   view_folds_thread. */
void view_thread_states(struct page *p, const struct model *m, const struct timeline *t, bool all);

/* Appends a line for each thread that shows its state in steps of equal length. Without `all`, the
   threads of view_folds_thread have none. Text only. */
void view_lanes(struct builder *b, const struct model *m, const struct style *style,
                const struct timeline *t, bool all);

/* The number of steps in a line. */
size_t view_lanes_steps(const struct style *style);

/* view_short_threads writes how many threads were left out of the recording, as text. Nothing with
   a filter: how many of them it would keep is not known. */
void view_short_threads(struct page *p, const struct model *m);

END_C
