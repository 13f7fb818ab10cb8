#pragma once
/* What script_*.c share. */
#include "tools/orca/causal/whatif/script.h"

struct script_latch {
  uint32_t point; /* plus one */
  uint32_t count; /* how often it was counted down */
  ticks_t last;
};

/* What the operations of all threads together say about queues, barriers and points. */
struct script_marks {
  uint32_t *of_op; /* by operation. Of a TRACE_MEET: generation plus one. Else the point that
                      the thread reaches there, plus one; 0: none */
  struct hashmap latch_ids; /* object -> row plus one */
  struct script_latch *latches;
  size_t num_latches, latches_capacity;
  struct hashmap queues; /* object -> row plus one; only queues of which every operation is known */
  uint32_t *of_task;     /* by task: the point that it reaches at its end, plus one; 0: none */
  struct hashmap futures; /* the wait for the future of a task, as operation plus one -> that point,
                             plus one. The task had ended, or it is not known who woke the waiter */
};

/* script_mark fills empty marks. Returns false when memory ran out; call script_unmark either way.
 */
bool script_mark(struct script_marks *m, struct script *s);
void script_unmark(struct script_marks *m);

/* script_add_pools fills `found`, `pools` and `tasks`. Returns false when memory ran out. */
bool script_add_pools(struct script *s);

/* script_add_locks fills `locks`, and takes the CPU time of wake-ups (wake_cost.h) out of `need`,
   the CPU time of the stretch before each operation. Returns false when memory ran out. */
bool script_add_locks(struct script *s, float *need);
