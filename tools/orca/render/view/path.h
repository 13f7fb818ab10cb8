#pragma once
/* The critical path as text, CSV and JSON. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/path/path_calls.h"
#include "tools/orca/render/page.h"

BEGIN_C

/* The path of the work of one thread, found by path_find: `p` has no other path in its sums, and
   `table` is of this path. */
struct view_path {
  const struct path *path;
  const struct path_table *table;
  struct path_work work;
};
void view_path(struct page *p, const struct view_path *v, size_t top);

/* The paths of calls of tracked methods, or of tasks. `path` has their sums. */
void view_path_calls(struct page *p, const struct path *path, const struct path_calls *calls,
                     bool are_tasks, size_t top);

END_C
