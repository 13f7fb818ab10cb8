#pragma once
/* The pieces of paths, summed up by what the thread did, where, and for which lock others waited
   meanwhile. The places of running threads come from CPU samples: the running time for a lock is
   divided among the samples that were taken on the path, while its owner ran. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/path/path.h"

BEGIN_C

struct path_row {
  enum path_reason reason;
  uint32_t lock; /* row of the lock plus one whose owner the thread was; 0: none */
  place_t place; /* 0: not known */
  ticks_t time;
};

/* All zero is empty; path_table_free frees the memory. */
struct path_table {
  const struct trace *trace; /* the caller's */
  struct tally times;        /* group: reason and lock; key: place. Without running time */
  struct tally running;      /* group: the same; key 0 */
  struct tally samples;      /* group: the same; key: place; total: CPU time */
  ticks_t total;
  ticks_t reasons[NUM_PATH_REASONS];
  struct path_row *rows; /* after path_table_end, the longest first */
  size_t num, capacity;
};

/* path_table_add adds the pieces of the last path. Returns false when memory ran out. */
bool path_table_add(struct path_table *t, const struct path *p);

/* path_table_end fills `rows`. Nothing may be added after it. Returns false when memory ran out. */
bool path_table_end(struct path_table *t);

void path_table_free(struct path_table *t);

END_C
