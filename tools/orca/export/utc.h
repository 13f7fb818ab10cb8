#pragma once
/* The timestamps of a recording as times in UTC. The recording tells both for one moment, its
   start. A clock that was set meanwhile does not matter. */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

struct utc {
  uint64_t start_ns; /* since 1970 */
  ticks_t start;     /* the same moment as a timestamp */
};

/* utc_read reads both from .info. It returns false if .info does not have them. */
bool utc_read(struct utc *out, const struct dump *d);

/* utc_ns returns a timestamp in nanoseconds since 1970. Unlike dump_utc_ns it does not read .info
   again, so it is fast enough for each row, and the time may be before the start. */
uint64_t utc_ns(const struct utc *utc, ticks_t time);

END_C
