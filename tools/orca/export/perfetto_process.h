#pragma once
/* Writes the process to a trace. It has a slice for each pause of the garbage collector, and
   counters of the CPUs that the JIT compiler, the garbage collector and all threads used. */
#include "agent/base/extern_c.h"
#include "tools/orca/export/trace.h"

BEGIN_C

/* perfetto_process writes both; nothing if the recording does not contain them. False: a write
   failed, or memory ran out. */
bool perfetto_process(struct trace *t);

END_C
