#pragma once
/* All threads of a dump in detail: how long each was in which state, and when. */
#include "tools/orca/model/replay/timeline.h"
#include "tools/orca/render/view/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a row for each row of the timeline: the time in each state; how often and how long the
   thread was blocked, waited and slept. */
void view_thread_states(struct page *p, const struct model *m, const struct timeline *t);

/* Appends a line for each thread that shows its state in steps of equal length. Text only. */
void view_lanes(struct builder *b, const struct model *m, const struct style *style,
                const struct timeline *t);

/* The number of steps in a line. */
size_t view_lanes_steps(const struct style *style);

#ifdef __cplusplus
}
#endif
