#pragma once
/* The option `threshold`: of an event that begins and ends, both lines are left out where it took
   less. So a begin is held back until its end comes or it is older than the threshold; what came
   later waits behind it, as lines are in order of time. A call that never ends stands in the files.
   Writer thread only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRESHOLD_MAX_HELD ((size_t)1 << 17) /* records: 11 MiB, of which only what is touched */

struct threshold;

/* threshold_new leaves out what took less than `least_ns`. NULL without memory. */
struct threshold *threshold_new(uint64_t least_ns);
void threshold_free(struct threshold *t); /* what it holds is given back */

/* threshold_add takes an event over. They come in order of time, none before what threshold_next
   was told to be complete; and after each of them threshold_next has to be asked until it gives
   nothing, which makes room for the next one. */
void threshold_add(struct threshold *t, const struct record *event);

/* threshold_next gives the next event to be written, if that is known: all before `complete_ns` has
   been added. UINT64_MAX gives all there is, whatever will come. At the bound of what may be held
   the earliest is given early, and its end, however soon that comes, will be given too. */
bool threshold_next(struct threshold *t, uint64_t complete_ns, struct record *out);

/* threshold_is_empty tells whether it holds nothing back. */
bool threshold_is_empty(const struct threshold *t);

/* What it did so far. */
struct threshold_counts {
  uint64_t pairs; /* left out: two lines each */
  uint64_t early; /* begins that were given before it was known how long they take */
};
struct threshold_counts threshold_counts(const struct threshold *t);

#ifdef __cplusplus
}
#endif
