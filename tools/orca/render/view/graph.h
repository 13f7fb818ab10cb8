#pragma once
/* The waits-for graph on a page: deadlocks, possible deadlocks, and the waiters at one moment. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/replay/wait_graph.h"
#include "tools/orca/render/view/view.h"

BEGIN_C

/* Writes the deadlocks of a model. Each row is a thread, with the stack where it waits and the
   stack where the owner acquired the lock. As text, the page says so if there is no deadlock. */
void view_deadlocks(struct page *p, const struct model *m);

/* Writes up to `top` threads that cannot go on, without those of the deadlocks (model/hang.h). */
void view_hang(struct page *p, const struct model *m, size_t top);

/* Writes the lock-order inversions, which can deadlock. */
void view_orders(struct page *p, const struct model *m, size_t top);

/* Writes, below `heading`, the threads that waited at the moment of the graph. */
void view_moment(struct page *p, const struct wait_graph *g, const char *heading, size_t top);

/* view_chain writes the longest chain of threads that wait for each other. view_broken_rings writes
   the rings of waiting threads that ended because one of the threads stopped waiting. */
void view_chain(struct page *p, const struct wait_graph *g);
void view_broken_rings(struct page *p, const struct wait_graph *g, size_t top);

/* Appends the facts about lock owners that the recording does not contain. Appends nothing if it
   contains all of them. */
void view_graph_limits(struct builder *b, const struct model *m, const struct style *style);

END_C
