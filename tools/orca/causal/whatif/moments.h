#pragma once
/* The operations of a trace in the order in which they took effect: what did not wait when it
   began, what waited also when its wait was over. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/trace/trace.h"
#include "tools/orca/causal/whatif/heap.h"

BEGIN_C

struct moment {
  const struct trace_op *op;
  uint32_t number; /* of the operation, plus one */
  bool is_begin;   /* the operation begins, */
  bool is_done;    /* it is over; both if it did not wait */
};

/* moments_start prepares the walk; the trace must outlive it. moments_free frees its memory. */
struct moments {
  const struct trace *trace;
  size_t next;
  struct heap waits; /* end -> operation plus one */
  bool failed;       /* memory ran out */
};
void moments_start(struct moments *m, const struct trace *t);

/* moments_next returns the next moment; false after the last one, or when memory ran out. Of two
   at the same time, the beginning comes first. */
bool moments_next(struct moments *m, struct moment *out);

void moments_free(struct moments *m);

END_C
