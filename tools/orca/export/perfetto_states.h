#pragma once
/* Writes the states of threads, as the samples saw them, as slices of a trace. */
#include "tools/orca/export/trace.h"
#include "tools/orca/model/replay/replay.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Start with `trace` set and everything else zero. perfetto_states_free releases the memory. */
struct perfetto_states {
  struct trace *trace;
  struct hashmap ids; /* thread -> row plus one */
  struct perfetto_spell *rows;
  size_t num, capacity;
};

/* perfetto_states_take must be called for each step of a replay. It writes a slice when the state
   or the stack of a thread changes. perfetto_states_end writes the last slice of each thread.
   False: memory ran out, or a write failed. */
bool perfetto_states_take(struct perfetto_states *s, const struct step *step);
bool perfetto_states_end(struct perfetto_states *s);

void perfetto_states_free(struct perfetto_states *s);

#ifdef __cplusplus
}
#endif
