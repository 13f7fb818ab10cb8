#pragma once
/* The trace event format of Chrome and Perfetto: JSON objects, each a slice, a moment, an arrow, a
   count or a name, in any order. */
#include "tools/orca/export/format.h"
#include "tools/orca/render/json.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the format calls processes are groups of rows here. */
enum trace_group {
  TRACE_THREADS = 1, /* what the threads did, by the events */
  TRACE_STATES,      /* what they were seen to do, by the samples */
  TRACE_PROCESS,     /* pauses, CPU time of the JVM's own threads; no threads */
};

struct trace {
  const struct export_job *job;
  struct json json;
  struct builder text; /* of a value that is being made */
  uint64_t arrows;
};

/* trace_begin begins an event, of thread 0 where it is about none; what belongs to it follows, then
   trace_end: false where the output takes no more or memory ran out. `phase` is the letter of the
   format. */
void trace_begin(struct trace *t, const char *phase, enum trace_group group, uint32_t thread,
                 ticks_t time);
bool trace_end(struct trace *t);

/* trace_lasts gives a slice ("X") its end. */
void trace_lasts(struct trace *t, ticks_t begin, ticks_t end);

/* trace_take_text makes what stands in `text` the value of a key. */
void trace_take_text(struct trace *t, const char *key);

/* Values of a key by name; nothing where there is none: 0. */
void trace_put_object(struct trace *t, const char *key, uint32_t object);
void trace_put_thread(struct trace *t, const char *key, uint32_t thread);
void trace_put_place(struct trace *t, const char *key, place_t place);

/* trace_arrow draws one from the slice or moment of a thread to that of another. False: as above.
 */
bool trace_arrow(struct trace *t, const char *name, uint32_t from, ticks_t from_time, uint32_t to,
                 ticks_t to_time);

/* trace_names writes what the groups and their threads are called. False: as above. */
bool trace_names(struct trace *t);

#ifdef __cplusplus
}
#endif
