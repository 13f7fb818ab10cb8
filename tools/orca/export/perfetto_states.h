#pragma once
/* Writes the states of threads over time (life.h) as slices of a trace. A filter for locks or
   events leaves them out. */
#include "agent/base/extern_c.h"
#include "tools/orca/export/trace.h"
#include "tools/orca/model/life.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* perfetto_states_free releases the memory. */
struct perfetto_states {
  struct trace *trace;
  struct life_clock clock;
  struct hashmap ids; /* thread -> row plus one */
  struct perfetto_spell *rows;
  size_t num, capacity;
};

/* perfetto_states_start prepares the states of the threads in the job of the trace. The struct must
   not move afterwards. */
void perfetto_states_start(struct perfetto_states *s, struct trace *t);

/* perfetto_states_take must be called for each step of a replay. It writes a slice when the state
   or the stack of a thread changes. perfetto_states_end writes the last slice of each thread.
   False: memory ran out, or a write failed. */
bool perfetto_states_take(struct perfetto_states *s, const struct step *step);
bool perfetto_states_end(struct perfetto_states *s);

void perfetto_states_free(struct perfetto_states *s);

END_C
