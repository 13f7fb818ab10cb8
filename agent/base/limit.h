#pragma once
/* Limits of the time that the program waits for the agent. */
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* limit_ns returns `ns`, or the seconds in $ORCA_LIMIT_SECONDS (at most 3600) if those are longer.
   Tests set the variable: a limit that a user needs can be too short for a busy machine. Any
   thread. */
uint64_t limit_ns(uint64_t ns);

END_C
