#include "tools/orca/model/short_calls.h"

struct short_calls short_calls_read(const struct count_line *line) {
  return (struct short_calls){.num = (uint64_t)line->count,
                              .total = (ticks_t)line->total_ns * TICKS_PER_NS,
                              .longest = (ticks_t)line->longest_ns * TICKS_PER_NS};
}

void short_calls_add(struct short_calls *sum, const struct short_calls *more) {
  sum->num += more->num;
  sum->total += more->total;
  if (more->longest > sum->longest) sum->longest = more->longest;
}
