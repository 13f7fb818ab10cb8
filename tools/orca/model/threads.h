#pragma once
/* The threads of a recording: names, lifetimes, and how they spend their time. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/model/life.h"
#include "tools/orca/model/profile.h"
#include "tools/orca/model/spending.h"
#include "tools/orca/model/virtual_names.h"

BEGIN_C

struct thread {
  uint32_t hash;
  char *name; /* plain UTF-8, safe for a terminal; NULL: no ThreadStarted names it. A virtual thread
                 without a name of its own has that of virtual_names.h. */
  bool matches;        /* one of its lines matches the filter */
  uint32_t lives;      /* number of ThreadStarted events; more than one if threads share the hash */
  bool alive;          /* when the recording ended */
  ticks_t first, last; /* its lifetime: from its first line to its last, or to the end if `alive` */
  uint64_t cpu_ns;
  struct life life;
  ticks_t in_activity[NUM_ACTIVITIES]; /* in the range; of the whole thread, whatever else the
                                          filter selects. The sum is the time that it lived */
  ticks_t seen;     /* time of its last Sample line; 0: its wall time has ended */
  stack_id_t stack; /* of that line */
  uint64_t samples;
  uint64_t pairs[NUM_GROUPS]; /* number of pairs: how often it was blocked, waited, slept, … */
  ticks_t pairs_time[NUM_GROUPS];
  ticks_t io_since; /* since then, up to the end of the range, it was in one call that waits for
                       I/O, and not for work (idle_method.def); 0: it was not */
  stack_id_t io_stack;
  uint64_t signals; /* how often it called notify, signal and the like (wake_event_signals) */

  /* At the moment of struct threads; `since` is the begin of this state. */
  enum activity activity;
  stack_id_t activity_stack;
  ticks_t since;
  enum thread_state state; /* of the last Sample line up to then, at `state_time`; 0: none */
  ticks_t state_time;
};

/* A struct of zeros is empty; threads_free frees its memory. */
struct threads {
  const struct dump *dump;   /* the caller's; NULL: virtual threads get no name */
  struct spending *spending; /* receives the parts of the lives; NULL: none. The caller's */
  struct profile *profile;   /* receives the wall-clock time by stack; NULL: none. The caller's */
  struct life_clock clock;   /* threads_start sets it */
  struct virtual_names virtual_names;
  ticks_t moment; /* when a signal began to end the JVM; UINT64_MAX: none did, it is the end */
  struct hashmap sites; /* hash -> place_t where the thread was last started */
  struct hashmap ids;   /* hash -> row plus one */
  struct thread *rows;
  size_t num; /* after threads_end only the threads that match; the other rows follow them */
  size_t capacity;
  size_t num_all; /* all rows */
  size_t last;    /* the row that was found last */

  /* threads_end sets `num_all` and the next three, which count only threads that match. */
  uint64_t unnamed;
  uint64_t shared;    /* threads that had the same hash as an earlier thread */
  uint64_t unsampled; /* threads without a Sample line */
};

/* threads_start prepares empty threads of a dump, for times from `from` to `to`. */
void threads_start(struct threads *t, const struct dump *d, ticks_t from, ticks_t to);

/* threads_live takes each step with its original time. It adds to the time of the thread's states.
   It returns false when memory ran out. */
bool threads_live(struct threads *t, const struct step *step);

/* threads_site takes a ThreadStart event, also one that does not match: it tells where the thread
   `hash` was created, which may name it. `place` is the place of the event's stack. Returns false
   when memory ran out. threads_started_at returns the place; 0: no such event was recorded. */
bool threads_site(struct threads *t, uint32_t hash, place_t place);
place_t threads_started_at(const struct threads *t, uint32_t hash);

/* take_threads in analysis.c calls the next four functions with times that are clipped to the
   filter's range. `matches` is whether the line matches the filter. Each returns false when memory
   ran out.

   threads_event takes an event. */
bool threads_event(struct threads *t, const struct event_line *line, bool matches);

/* threads_pair takes a pair that matches the filter, in which its thread was blocked or waited. */
bool threads_pair(struct threads *t, const struct pair *pair);

/* threads_sample takes a Sample line. The wall-clock time up to the next Sample line of the thread
   belongs to this stack. A line that does not match only ends the time of the line before it. */
bool threads_sample(struct threads *t, const struct sample_line *line, stack_id_t stack,
                    bool matches);

/* threads_note_alive notes that a thread existed at `time`. */
bool threads_note_alive(struct threads *t, uint32_t hash, ticks_t time, bool matches);

/* threads_forget_cpu sets the CPU time of all threads to zero. threads_add_cpu adds to the CPU time
   of a thread, in nanoseconds; it ignores unknown threads. */
void threads_forget_cpu(struct threads *t);
void threads_add_cpu(struct threads *t, uint32_t hash, uint64_t ns);

/* threads_end ends all lives at `end` and sorts the rows: first the threads that match, by CPU
   time and then by the time of their pairs, the largest first. `end` is the end of the recording or
   of the filter's range. With `clipped`, threads that lived outside of the range do not match.
   Nothing may be added after it. It returns false when memory ran out. */
bool threads_end(struct threads *t, ticks_t end, bool clipped);

/* threads_find returns the thread with this hash, also one that does not match; NULL: none. */
const struct thread *threads_find(const struct threads *t, uint32_t hash);

void threads_free(struct threads *t);

END_C
