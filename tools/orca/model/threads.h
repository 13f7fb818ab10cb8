#pragma once
/* The threads of a run: who they are, how long they live, what they do with their time. */
#include "agent/base/hashmap.h"
#include "tools/orca/model/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct thread {
  uint32_t hash;
  char *name;     /* real UTF-8, safe for a terminal; NULL: no ThreadStarted names it */
  bool asked;     /* something of it is asked for; see struct threads */
  uint32_t lives; /* times that it started: more than one where threads share a hash */
  bool alive;     /* when the recording ended */
  ticks_t first, last;
  uint64_t cpu_ns;
  ticks_t in_activity[NUM_ACTIVITIES]; /* by the samples: from a line to the next of the thread */
  enum activity activity;              /* since then, in `seen`; nothing where that is 0 */
  ticks_t seen;
  stack_id_t stack; /* then */
  uint64_t samples;
  uint64_t pairs[NUM_GROUPS]; /* how often it blocked, waited, slept, … */
  ticks_t pairs_time[NUM_GROUPS];
  uint64_t signals; /* how often it called notify, signal and the like (stalls_wakes) */
};

/* All zero is empty; threads_free gives the memory back. */
struct threads {
  struct profile *profile; /* NULL, or where the time of the samples goes by stack; the caller's */
  struct hashmap ids;      /* hash -> row plus one */
  struct thread *rows;
  size_t num, capacity; /* behind threads_end `num` counts those that are asked for; */
  size_t num_all;       /* the others stand behind them, as they have names */
  uint64_t unnamed;     /* set by threads_end, as is: */
  uint64_t shared;      /* threads with a hash that another one had before */
  uint64_t unsampled;   /* threads that no sample saw */
};

/* Each of these takes one more thing that is known of a thread, and whether the thread is asked for
   by it. False: memory ran out. threads_sample: what it was seen to do, and where, from then on
   until it is seen again; where that is not asked for only that the thread is there. */
bool threads_event(struct threads *t, const struct event_line *line, bool asked);
bool threads_pair(struct threads *t, const struct pair *pair);
bool threads_sample(struct threads *t, const struct sample_line *line, enum activity activity,
                    stack_id_t stack, bool asked);

/* threads_see makes a thread known that was there at `time`, and whether it is asked for. False:
   memory ran out. */
bool threads_see(struct threads *t, uint32_t hash, ticks_t time, bool asked);

/* threads_forget_cpu sets the CPU time of all threads to nothing; threads_add_cpu adds to that of a
   thread that is known. */
void threads_forget_cpu(struct threads *t);
void threads_add_cpu(struct threads *t, uint32_t hash, uint64_t ns);

/* threads_end closes what is open at the end of the recording, or of what is asked for, and sorts:
   most CPU time first, then the one that stood longest in tracked calls. With `clipped` a thread
   that did not live in that time is not asked for. Nothing can be added behind it. False: memory
   ran out. */
bool threads_end(struct threads *t, ticks_t end, bool clipped);

/* threads_find is the thread with this hash, NULL where there is none. */
const struct thread *threads_find(const struct threads *t, uint32_t hash);

void threads_free(struct threads *t);

#ifdef __cplusplus
}
#endif
