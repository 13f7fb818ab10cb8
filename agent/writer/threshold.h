#pragma once
/* The option `threshold`: leaves out both events of a pair that took less than the threshold. So a
   begin event is held back until its end event arrives or the begin is older than the threshold.
   Later events wait behind it, because lines are written in order of time. A begin event without
   an end is written. Writer thread only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/files/short_lines.h"
#include "agent/record/record.h"

BEGIN_C

/* Records held back at most: 11 MiB, of which the system provides only what is touched. */
#define THRESHOLD_MAX_HELD ((size_t)1 << 17)

struct threshold;

/* threshold_new makes a filter that drops pairs shorter than `least_ns`, and adds them to `sums`,
   which the caller keeps. NULL without memory. */
struct threshold *threshold_new(uint64_t least_ns, struct short_lines *sums);

/* threshold_change sets another least time, 0 for none, of all pairs that have not ended. */
void threshold_change(struct threshold *t, uint64_t least_ns);

/* threshold_free also releases the events that are still held back. */
void threshold_free(struct threshold *t);

/* threshold_add adds an event and takes over what it owns. Events must come in order of time, none
   before the last `complete_ns` of threshold_next. After each call, threshold_next must be called
   until it returns false: only then is there room for one more event. */
void threshold_add(struct threshold *t, const struct record *event);

/* threshold_next returns the next event to be written in `out`; false if it is not known yet which
   one that is. The caller promises that all events before `complete_ns` have been added.
   UINT64_MAX returns everything that is held back. When THRESHOLD_MAX_HELD is exceeded, the
   earliest event is returned early, and its end event will be returned too, however short the
   pair. */
bool threshold_next(struct threshold *t, uint64_t complete_ns, struct record *out);

/* threshold_known returns the time before which threshold_next has returned all events, if all
   before `complete_ns` have been added. */
uint64_t threshold_known(const struct threshold *t, uint64_t complete_ns);

/* threshold_is_empty returns whether no event is held back. */
bool threshold_is_empty(const struct threshold *t);

struct threshold_counts {
  uint64_t pairs; /* left out, two events each */
  uint64_t early; /* begin events returned before it was known how long the pair takes */
};

/* threshold_counts returns the counts since threshold_new. */
struct threshold_counts threshold_counts(const struct threshold *t);

END_C
