#pragma once
/* The calls of methods of the option track in a trace: a slice each, whose beginning and end are
   entries of their own. */
#include "tools/orca/export/trace.h"
#include "tools/orca/model/replay/replay.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With `trace` set and all else zero it is empty; perfetto_calls_free gives the memory back. */
struct perfetto_calls {
  struct trace *trace;
  struct perfetto_call *rows; /* under way before the time that is asked for, in their order */
  size_t num, capacity;
};

/* perfetto_calls_take takes each step of a replay; perfetto_calls_open writes, at the beginning of
   the time that is asked for, those that are under way. False: memory ran out, or the output takes
   no more. */
bool perfetto_calls_take(struct perfetto_calls *c, const struct step *step);
bool perfetto_calls_open(struct perfetto_calls *c);

void perfetto_calls_free(struct perfetto_calls *c);

#ifdef __cplusplus
}
#endif
