#pragma once
/* Divides a series of measurements into few segments, so that the measurements of each segment are
   as equal as possible. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define SEGMENTS_MOST 5

/* A series: `values[i * num_features + f]` is feature `f` of measurement `i`, from 0 to 1. */
struct segments_series {
  const double *values;
  size_t num, num_features;
  size_t least;     /* measurements of a segment, at least 1 */
  double worth_cut; /* a further segment has to reduce the sum of squared deviations by this */
};

/* segments_find sets `ends[i]` to the end of segment `i`: the index after its last measurement. It
   returns their number, at most SEGMENTS_MOST, and 1 if the series has fewer measurements than two
   segments need. It returns 0 if the series is empty or memory ran out; `*good` is false then only
   for the latter. The time is quadratic in the number of measurements. */
size_t segments_find(const struct segments_series *s, size_t ends[SEGMENTS_MOST], bool *good);

END_C
