#pragma once
/* The states of threads, by the samples, as slices of a trace. */
#include "tools/export/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* perfetto_states reads the samples and writes a slice for each time that a thread stood in one
   state at one stack. Memory goes by threads and stacks. False: memory ran out, or the output takes
   no more. */
bool perfetto_states(struct trace *t);

#ifdef __cplusplus
}
#endif
