#pragma once
/* The threads of a dump in full: what each did with its time, and when. */
#include "tools/orca/model/replay/timeline.h"
#include "tools/orca/render/view/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How long each thread was in each state, and how often and how long it was blocked, waited, slept.
   The rows are those of the timeline. */
void view_thread_states(struct page *p, const struct model *m, const struct timeline *t);

/* A row for each thread: its state in steps of equal length. For a person. */
void view_lanes(struct builder *b, const struct model *m, const struct style *style,
                const struct timeline *t);

/* How many steps a row has. */
size_t view_lanes_steps(const struct style *style);

#ifdef __cplusplus
}
#endif
