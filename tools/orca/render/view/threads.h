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

/* view_unseen_time returns for how long a thread was in no call and in no CPU though it counts as
   running: it may have been in short calls, such as of I/O, that no sample saw. 0: that is not
   known, or is little. */
ticks_t view_unseen_time(const struct model *m, const struct thread *thread);

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
