#pragma once
/* Sums of short calls: calls that the option `threshold` left out of .orca. Their sums are lines of
   .counts. A sum has no threads, and its stack may lack the callers of the innermost frame of the
   program. */
#include "agent/event/line.h"

#ifdef __cplusplus
extern "C" {
#endif

struct short_calls {
  uint64_t num;
  ticks_t total, longest;
};

/* short_calls_read returns the sum of a line with `is_short`. */
struct short_calls short_calls_read(const struct count_line *line);

/* short_calls_add adds `more` to `*sum`. */
void short_calls_add(struct short_calls *sum, const struct short_calls *more);

#ifdef __cplusplus
}
#endif
