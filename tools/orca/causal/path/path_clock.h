#pragma once
/* Whether a run takes as long as the program wants: its threads work until a time. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/path/path.h"

BEGIN_C

/* path_is_timed tells, by `*out`, whether most of the last path leads through threads while they
   were in loops that a time ends (the key clock.loops of .info). Then another speed changes how
   much the threads do, and not when they end. False if it is not known: older recordings do not
   tell. Returns false when memory ran out. */
bool path_is_timed(const struct path *p, bool *out);

END_C
