#pragma once
/* The process in a trace: a slice for each pause of its garbage collector, and how many CPUs the
   JIT compiler, the garbage collector and all threads kept busy. */
#include "tools/orca/export/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* perfetto_process writes both; nothing for a recording that does not tell. False: the output takes
   no more, or memory ran out. */
bool perfetto_process(struct trace *t);

#ifdef __cplusplus
}
#endif
