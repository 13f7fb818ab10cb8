#pragma once
/* Writes the trace event format of Chrome and Perfetto: JSON objects in any order. Each is a slice,
   an instant, the end of an arrow, a counter or a name. */
#include "agent/base/extern_c.h"
#include "tools/orca/export/format.h"
#include "tools/orca/render/json.h"

BEGIN_C

/* Groups of rows. The format calls them processes. */
enum trace_group {
  TRACE_THREADS = 1, /* a row per thread: events */
  TRACE_STATES,      /* a row per thread: its states */
  TRACE_PROCESS,     /* pauses, CPU time of the JVM's own threads; no rows of threads */
};

struct trace {
  const struct export_job *job;
  struct json json;
  struct builder text; /* a string value that is being built, see trace_put_text */
  uint64_t arrows;     /* number of arrows; the last one's id */
};

/* trace_begin begins a trace event. `phase` is the format's letter for its kind. `thread` is 0 if
   the event belongs to no thread. The caller adds members and calls trace_end, which returns false
   if a write failed or memory ran out. */
void trace_begin(struct trace *t, const char *phase, enum trace_group group, uint32_t thread,
                 ticks_t time);
bool trace_end(struct trace *t);

/* trace_put_duration writes the duration of a slice ("X"). */
void trace_put_duration(struct trace *t, ticks_t begin, ticks_t end);

/* trace_put_text writes `text` as the value of a key, and empties it. */
void trace_put_text(struct trace *t, const char *key);

/* Each writes the name of an object, thread or place as the value of a key; nothing if it is 0. */
void trace_put_object(struct trace *t, const char *key, uint32_t object);
void trace_put_thread(struct trace *t, const char *key, uint32_t thread);
void trace_put_place(struct trace *t, const char *key, place_t place);

/* trace_arrow writes an arrow between the slices or instants of two threads. False: as trace_end.
 */
bool trace_arrow(struct trace *t, const char *name, uint32_t from, ticks_t from_time, uint32_t to,
                 ticks_t to_time);

/* trace_names writes the names of the groups and of their threads. False: as trace_end. */
bool trace_names(struct trace *t);

END_C
