#pragma once
/* What trace_*.c share. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/trace/trace.h"

BEGIN_C

#define TRACE_NESTED 8

/* What is under way in a thread while the trace is read. */
struct trace_thread_state {
  ticks_t clock;        /* the end of its last operation; in an operation: its beginning */
  ticks_t cpu, queued;  /* since `clock`, as far as it is told */
  ticks_t cpu_until;    /* up to here the CPU time is told */
  ticks_t queued_until; /* the same for the run queue */
  uint32_t cpu_op;      /* the operations after this one (plus one) are not behind cpu_until */
  uint32_t queued_op;   /* the same */
  uint32_t nested[TRACE_NESTED]; /* its operations that have not ended (plus one), innermost last */
  unsigned num_nested;
  ticks_t enter_time; /* of the last MonitorEnter, until its MonitorEntered */
  uint32_t enter_object;
  uint32_t contended; /* a contended acquisition (plus one) whose MonitorEntered may follow */
};

struct trace_lock_state {
  uint32_t owner;      /* the thread that got it last, plus one */
  ticks_t got;         /* when */
  stack_id_t acquired; /* the owner's stack from the frame that acquired it; 0: not known */
  uint32_t release;    /* the last operation that released it, plus one */
};

/* trace_take_cpu and trace_take_queued divide a time that a thread used since the last such call
   among the times between its operations. They ignore unknown threads. */
void trace_take_cpu(struct trace *t, uint32_t hash, ticks_t cpu, ticks_t until);
void trace_take_queued(struct trace *t, uint32_t hash, ticks_t queued, ticks_t until);

/* trace_take_pause adds a pause. Returns false when memory ran out. */
bool trace_take_pause(struct trace *t, const struct sample_line *line);

END_C
