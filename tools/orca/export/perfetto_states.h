#pragma once
/* The states of threads, by the samples, as slices of a trace. */
#include "tools/orca/export/trace.h"
#include "tools/orca/model/replay/replay.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With `trace` set and all else zero it is empty; perfetto_states_free gives the memory back. */
struct perfetto_states {
  struct trace *trace;
  struct hashmap ids; /* thread -> row plus one */
  struct perfetto_spell *rows;
  size_t num, capacity;
};

/* perfetto_states_take takes each step of a replay and writes a slice for each time that a thread
   stood in one state at one stack; perfetto_states_end those that still do. False: memory ran out,
   or the output takes no more. */
bool perfetto_states_take(struct perfetto_states *s, const struct step *step);
bool perfetto_states_end(struct perfetto_states *s);

void perfetto_states_free(struct perfetto_states *s);

#ifdef __cplusplus
}
#endif
