#pragma once
/* Who waits for whom: deadlocks, what could become one, and the state at a moment. */
#include "tools/orca/model/replay/wait_graph.h"
#include "tools/orca/render/view/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The deadlocks of a model, each thread of them with where it waits and where it got what the one
   before it waits for. In prose: that there is none. */
void view_deadlocks(struct page *p, const struct model *m);

/* The orders of locks that can deadlock. */
void view_orders(struct page *p, const struct model *m, size_t top);

/* Who waited at the moment of the graph, under this heading. */
void view_moment(struct page *p, const struct wait_graph *g, const char *heading, size_t top);

/* The longest row of threads, and rings that came apart. */
void view_chain(struct page *p, const struct wait_graph *g);
void view_broken_rings(struct page *p, const struct wait_graph *g, size_t top);

/* What the recording cannot tell of all this; nothing where it can. */
void view_graph_limits(struct builder *b, const struct model *m, const struct style *style);

#ifdef __cplusplus
}
#endif
