#pragma once
/* The data of a page, as one JSON object. Durations and times are nanoseconds, times from the start
   of the recording; threads, objects, frames and events are told by their index; -1 where there is
   none. Rows of many numbers stand one behind the other in one array. What each part is made of
   stands with the function that writes it. */
#include "tools/orca/html/frame_tree.h"
#include "tools/orca/html/gather.h"
#include "tools/orca/render/json.h"

#ifdef __cplusplus
extern "C" {
#endif

/* data_write appends the object. False: memory ran out. */
bool data_write(struct json *j, struct gathered *g);

/* --- for the parts ------------------------------------------------------------------- */

struct data {
  struct json *j;
  struct gathered *g;
  struct model *m; /* that of g */
  struct frame_tree frames;
  struct hashmap threads;  /* hash -> index plus one */
  struct hashmap objects;  /* the same */
  struct hashmap rings;    /* thread and object of a link of a deadlock -> its ring plus one */
  uint32_t *object_hashes; /* by index */
  size_t num_objects, objects_capacity;
  bool failed; /* memory ran out */
};

/* Each writes one value: of a thread, an object, the innermost frame of a stack; a time, a
 * duration.
 */
void data_thread(struct data *d, uint32_t hash);
void data_object(struct data *d, uint32_t hash);
void data_stack(struct data *d, stack_id_t stack);
void data_time(struct data *d, ticks_t time);
void data_ticks(struct data *d, ticks_t ticks);

/* "facts": [[label, text]], "verdicts", "losses": [text]. */
void data_words(struct data *d);

/* "threads": [[name, hash, first, last, alive, CPU time]], by the model's order: first those that
   are asked for, "asked" in number, then others that may have held a lock. */
void data_threads(struct data *d);

/* "profile": {"rows": [thread, frame, cpu, wall, blocked, waits, …], "left": [cpu, wall, …] of the
   stacks that are left out}. */
void data_profile(struct data *d);

/* "methods": [[name, class, source file, 1 of the JDK or no method, 2 outside of Java]], "frames":
   [parent, method, line, …]: frame n is the n-th of them from 1, 0 is none. After all that names a
   stack. */
void data_frames(struct data *d);

/* "locks": {"rows": [{…}], "left": how many are left out}. */
void data_locks(struct data *d);

/* "timeline": {"states": [[name, meaning]], "rows": [{thread, sums: [by state], step, spans: [gap,
   duration, state, detail, …]}], "calls": [event, object, owner, frame, …], "mixes": [by state, …],
   "arrows": [thread, owner, begin, duration, object, frame, …], "left": threads left out}. */
void data_timeline(struct data *d);

/* "process": {"owners": [[name, CPU time]], "spells": [begin, duration, CPU time of the JIT
   compiler, of the garbage collector, …], "pauses": [begin, duration, …] the longest of them,
   "pausesLeft": number}; null where the recording does not tell. */
void data_process(struct data *d);

/* "graph": {"open": [{thread, object, kind, since, ring, frame, owners: [[thread, frame]]}],
   "run": [thread, owner, times, duration, …], "rings": number}. */
void data_graph(struct data *d);

/* "log": {"rows": [time since the row before, thread, event, object, owner, frame, took, …],
   "events": how many there were, "whole": all of them are here, "least": a pair that took as long
   is here}, "events": [[name, group, role]]. */
void data_log(struct data *d);

#ifdef __cplusplus
}
#endif
