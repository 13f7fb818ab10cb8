#pragma once
/* The view of `orca top`: a window of a live recording. */
#include "agent/base/extern_c.h"
#include "tools/orca/live/window.h"
#include "tools/orca/render/page.h"

BEGIN_C

enum top_sort { TOP_BY_TIME, TOP_BY_COUNT, NUM_TOP_SORTS };

struct view_top {
  const struct live *live;
  struct window *window; /* the rows of its locks are sorted as asked */
  bool is_now; /* the window ends at the newest second, for which alone deadlocks are known */
  size_t rows; /* of a table */
  enum top_sort sort; /* of the locks */
};

/* view_top_head writes what the process does: CPUs, pauses, threads by state, deadlocks. */
bool view_top_head(struct page *p, const struct view_top *v);

/* view_top_locks writes the locks by blocked time, with shorter waits if there are sums of them.
   view_top_methods writes the methods by CPU time, and view_top_blocked the threads that are
   blocked at the end of the window. */
void view_top_locks(struct page *p, const struct view_top *v);
void view_top_methods(struct page *p, const struct view_top *v);
void view_top_blocked(struct page *p, const struct view_top *v);

/* view_top_lock writes the places of one lock and the threads that are blocked on it.
   view_top_thread writes what one thread does at the end of the recording so far, and its stack. */
void view_top_lock(struct page *p, const struct view_top *v, uint32_t lock);
void view_top_thread(struct page *p, const struct view_top *v, uint32_t thread);

END_C
