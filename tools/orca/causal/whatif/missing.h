#pragma once
/* The waits whose end neither the trace nor the script can explain, worst first. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/script.h"

BEGIN_C

#define MISSING_ROWS 4

struct missing_row {
  enum event_kind event; /* with which the waits begin */
  uint32_t object;       /* on which most of the time was waited */
  uint64_t waits;
  ticks_t time;
};

/* missing_find fills `rows` with the kinds of calls with the longest unexplained waits that ended,
   and sets `*out_num` to their number. Returns false when memory ran out. */
bool missing_find(const struct script *s, struct missing_row rows[MISSING_ROWS], size_t *out_num);

/* missing_option returns the option of the agent that records what ends waits that begin with this
   event: "locks=all". NULL: there is none, or the recording has it. */
const char *missing_option(const struct trace *t, enum event_kind event);

END_C
