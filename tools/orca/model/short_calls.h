#pragma once
/* Sums of short calls: calls that the option `threshold` left out of .orca. Their sums are lines of
   .counts. A sum has no threads, and its stack may lack the callers of the innermost frame of the
   program. */
#include "agent/base/extern_c.h"
#include "agent/event/line.h"

BEGIN_C

/* How views name the objects of sums that have lost their object: the agent's tables are bounded.
 */
#define SHORT_SEVERAL_NAME "several objects, not told apart"

/* Stands for the class of these objects where objects are summed up by class. A ClassID is an
   identity hash of 31 bits, or one of the numbers that follow, none of which is so large. */
#define SHORT_SEVERAL_CLASS UINT32_MAX

struct short_calls {
  uint64_t num;
  ticks_t total, longest;
};

/* is_sum_of_calls returns whether a line is a sum of calls that take time. Some sums are of events
   without a duration, such as submissions of tasks. They are in no view. */
static inline bool is_sum_of_calls(const struct count_line *line) {
  return line->is_short && event_begins_span(line->kind);
}

/* short_calls_read returns the sum of a line with `is_short`. */
static inline struct short_calls short_calls_read(const struct count_line *line) {
  return (struct short_calls){.num = (uint64_t)line->count,
                              .total = (ticks_t)line->total_ns * TICKS_PER_NS,
                              .longest = (ticks_t)line->longest_ns * TICKS_PER_NS};
}

/* short_calls_add adds `more` to `*sum`. */
static inline void short_calls_add(struct short_calls *sum, const struct short_calls *more) {
  sum->num += more->num;
  sum->total += more->total;
  if (more->longest > sum->longest) sum->longest = more->longest;
}

END_C
