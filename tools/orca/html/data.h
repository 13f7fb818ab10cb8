#pragma once
/* The data of a recording on a page, as one JSON object.
   - Durations are nanoseconds. Times are nanoseconds since the start of the recording.
   - Threads, objects, frames and events are written as their index; -1 is none.
   - Rows of several numbers are concatenated into one array; page/data.js names their fields.
   The comment of each function describes the part that it writes. */
#include "agent/base/extern_c.h"
#include "tools/orca/html/frame_tree.h"
#include "tools/orca/html/gather.h"
#include "tools/orca/render/json.h"

BEGIN_C

/* data_write appends the object. False: memory ran out. */
bool data_write(struct json *j, struct gathered *g);

/* data_method writes a method: [name, class, source file, kind]; kind is 1 for the JDK and for
   frames without a method, 2 for code outside Java, 0 for others. False: memory ran out. */
bool data_method(struct json *j, const struct dump *d, uint32_t method);

/* data_comparison appends what differs between the two recordings of a page, as one JSON object. It
   is that of `orca diff --format=json` with at most HTML_DIFF_ROWS rows in each table, and with the
   stacks of both.
   - "lengths": of both recordings.
   - "stacks": {"methods": [data_method], "nodes": [parent, method, then for each of cpu, wall,
     blocked, waits: time in A, time in B, verdicts, …], "left": frames were left out}. The first
   node is the root. Times contain callees. "verdicts" is the verdict for the same length plus five
   times the verdict for the same total, each as in enum diff_verdict.
   False: memory ran out. */
bool data_comparison(struct builder *out, const struct model *before, const struct model *after);

/* --- internal to this folder --------------------------------------------------------- */

struct data {
  struct json *j;
  struct gathered *g;
  struct model *m; /* the model of g */
  struct frame_tree frames;
  struct hashmap threads;  /* hash -> index plus one */
  struct hashmap objects;  /* hash -> index plus one */
  struct hashmap rings;    /* thread and object of a deadlock's link -> ring plus one */
  uint32_t *object_hashes; /* by index */
  size_t num_objects, objects_capacity;
  bool failed; /* memory ran out */
};

/* Each function writes one value: the index of a thread, of an object, or of the innermost frame of
   a stack; a time; a duration. */
void data_thread(struct data *d, uint32_t hash);
void data_object(struct data *d, uint32_t hash);
void data_stack(struct data *d, stack_id_t stack);
void data_time(struct data *d, ticks_t time);
void data_ticks(struct data *d, ticks_t ticks);

/* "facts": [[label, text]], "verdicts", "losses": [text]. */
void data_words(struct data *d);

/* "profile": {"rows": [thread, frame, cpu, wall, blocked, waits, …], "left": [cpu, wall, …] of the
   stacks that are left out}. */
void data_profile(struct data *d);

/* "slices": {"step": length of a slice, "rows": [slice minus that of the row before, thread, frame,
   cpu, wall, blocked, waits, …]}. There are no rows if one slice would have too many. */
void data_slices(struct data *d);

/* "methods": [data_method]. "frames": [parent, method, line, …]; frame 1 is the first, 0 is none.
   Must be called after all functions that write a stack. */
void data_frames(struct data *d);

/* "locks": {"rows": [{…}], "left": number of locks left out, "threshold": only if the recording has
   sums of short calls}. */
void data_locks(struct data *d);

/* "timeline": {"states": [[name, meaning]], "rows": [{thread, sums: [by state], step, spans: [gap,
   duration, state, detail, …]}], "calls": [event, object, owner, frame, …], "mixes": [by state, …],
   "arrows": [thread, owner, begin, duration, object, frame, …], "left": threads left out}. */
void data_timeline(struct data *d);

/* "process": {"owners": [[name, CPU time]], "spells": [begin, duration, CPU time of the
   process, of its JIT compiler, of its garbage collector, …], "pauses": [begin, duration, …] of the
   longest ones, "pausesLeft": number}; null if the recording does not contain these facts. */
void data_process(struct data *d);

/* "path": {"reasons": [words], "stretches": [begin, duration, thread, reason, object of the lock,
   frame, …], "work": its duration}: the critical path of the run; null if it is not known. */
void data_path(struct data *d);

/* "graph": {"open": [{thread, object, event, since, ring, hangs, frame, owners: [[thread,
   frame]]}], "signal": they are those of the moment when a signal began to end the JVM, "openAll":
   number, "run": [thread, owner, times, duration, …], "rings": number}. */
void data_graph(struct data *d);

/* "log": {"rows": [time since the previous row, thread, event, object, owner, frame, duration, …],
   "events": number in the recording, "whole": the rows contain all of them, "least": the rows
   contain all pairs of at least this duration, "lives": they contain all starts and ends of
   threads, "moments": they contain all events around some long waits}, "events": [[name, group,
   the call that waits, or ""]]. */
void data_log(struct data *d);

END_C
