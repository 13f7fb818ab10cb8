#pragma once
/* A live recording as OpenMetrics text, for Prometheus. A metric has a bounded number of label
   sets: what has none of its own is summed up with the value "other". A label set that was written
   once stays, so no counter ever falls. */
#include "agent/base/extern_c.h"
#include "tools/orca/live/live.h"

BEGIN_C

enum metric_family { METRIC_LOCK_SITES, METRIC_LOCK_CLASSES, METRIC_METHODS, NUM_METRIC_FAMILIES };

/* A label set of a family. */
struct metric {
  enum metric_family family;
  uint32_t id;   /* of the class of the lock, SHORT_SEVERAL_CLASS, or of the method */
  place_t place; /* METRIC_LOCK_SITES */
  ticks_t time;
  uint64_t count;
  ticks_t told_time;
  uint64_t told_count;
  bool is_named;
};

struct metrics {
  const char
      *labels; /* of every metric: "host=\"a\",service=\"shop\""; may be empty. The caller's */
  size_t top;  /* label sets of a family; the waits of several locks have one more */
  struct hashmap ids[NUM_METRIC_FAMILIES]; /* id and number of the place -> row plus one */
  struct hashmap places;                   /* place -> a number */
  uint64_t num_places;
  struct metric *rows;
  size_t num, capacity;
  size_t num_named[NUM_METRIC_FAMILIES];
  struct metric others[NUM_METRIC_FAMILIES];
};

/* metrics_write appends the text of all that was read so far; `*m` begins as zero with `labels` and
   `top` set. False: memory ran out. metrics_free frees its memory. */
bool metrics_write(struct metrics *m, const struct live *l, struct builder *out);
void metrics_free(struct metrics *m);

/* metrics_label appends key="value" with the escapes of OpenMetrics. */
void metrics_label(struct builder *b, const char *key, struct span value);

END_C
