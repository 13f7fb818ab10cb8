#pragma once
/* Writes the calls of tracked methods (option track) to a trace. Each call is a slice that consists
   of two trace events, "B" and "E". */
#include "agent/base/extern_c.h"
#include "tools/orca/export/trace.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* Start with `trace` set and everything else zero. perfetto_calls_free releases the memory. */
struct perfetto_calls {
  struct trace *trace;
  struct perfetto_call
      *rows; /* calls that are open at the start of the filter's time, oldest first */
  size_t num, capacity;
};

/* perfetto_calls_take must be called for each step of a replay. perfetto_calls_open must be called
   once at the start of the filter's time; it writes the calls that are open then. False: memory ran
   out, or a write failed. */
bool perfetto_calls_take(struct perfetto_calls *c, const struct step *step);
bool perfetto_calls_open(struct perfetto_calls *c);

void perfetto_calls_free(struct perfetto_calls *c);

END_C
