#pragma once
/* A path for a picture: stretches of equal length, each with what is on the path for most of it.
   Equal neighbors are one. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/path/path.h"

BEGIN_C

struct path_stretch {
  ticks_t begin, end;
  uint32_t piece; /* number of one of the pieces that are on it for most of the time */
};

/* path_stretches divides the last path into at most `most` stretches, from its beginning. The
   caller frees `*out` with free. Returns false when memory ran out. */
bool path_stretches(const struct path *p, size_t most, struct path_stretch **out, size_t *out_num);

END_C
