#pragma once
/* The critical paths of the calls of tracked methods (a request, a transaction, a test), or of the
   tasks of thread pools. They are
   summed up for all calls, for typical ones and for the slowest: what makes a call slow need not be
   what most calls spend their time with. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/path/path_table.h"
#include "tools/orca/causal/trace/trace_pools.h"

BEGIN_C

enum path_group_id {
  PATH_ALL_CALLS,
  PATH_TYPICAL_CALLS, /* the middle fifth by duration */
  PATH_SLOWEST_CALLS, /* the slowest hundredth, at least one call */
  NUM_PATH_GROUPS
};

struct path_group {
  uint64_t calls;
  ticks_t shortest, longest; /* durations of its calls */
  struct path_table table;
};

/* All zero is empty; path_calls_free frees the memory. */
struct path_calls {
  struct path_work *works; /* by duration, the shortest first */
  size_t num, capacity;
  struct path_group groups[NUM_PATH_GROUPS];
  struct trace_pools pools; /* of path_tasks_find */
};

/* path_calls_find finds the calls of all tracked methods whose names match a pattern
   (names_method_matches); of calls inside of each other, the outermost. Calls that began or ended
   outside of the recording are left out. Returns false when memory ran out. */
bool path_calls_find(struct path_calls *c, const struct trace *t, const char *pattern);

/* path_tasks_find finds the tasks of thread pools instead: each from the moment when it was given
   to the pool until its thread asks for the next one. Only the threads that the filter of the model
   selects count. The trace must outlive the struct. Returns false when memory ran out. */
bool path_tasks_find(struct path_calls *c, const struct trace *t);

/* path_tasks_pool returns the pool of all tasks of a group, for which `c` was walked; NULL: they
   are of several pools. */
const struct trace_pool *path_tasks_pool(const struct path_calls *c, enum path_group_id id);

/* path_calls_walk finds the paths of all calls. `p` must have been started. Returns false when
   memory ran out. */
bool path_calls_walk(struct path_calls *c, struct path *p);

void path_calls_free(struct path_calls *c);

END_C
