#pragma once
/* How fast threads ran: how many CPUs there are, and how many threads of others compete for them.
   Other programs use the machine, too, and so do the JVM's own threads. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/trace/trace.h"

BEGIN_C

struct capacity {
  double cpus;   /* 0: not known; then each thread runs as fast as in the recording */
  double others; /* ready threads of others, on average */
};

/* capacity_measure finds the number of competing threads with which the threads of the trace spend
   as much time on the run queue as they did. It fills `need`, which has an element for each
   operation, with the CPU time (ticks) of the stretch before it. Samples tell the CPU time only
   for some milliseconds together; within those, a stretch has the more of it the fewer threads were
   ready. Returns false when memory ran out. */
bool capacity_measure(struct capacity *c, const struct trace *t, float *need);

/* capacity_rate returns which share of a CPU each of `ready` threads gets. */
static inline double capacity_rate(const struct capacity *c, double ready) {
  double all = ready + c->others;
  return c->cpus <= 0 || all <= c->cpus ? 1 : c->cpus / all;
}

/* capacity_is_shared returns whether others use a large part of the CPUs. */
static inline bool capacity_is_shared(const struct capacity *c) { return c->others >= c->cpus / 2; }

END_C
