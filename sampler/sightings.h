#pragma once
/* What the sampler saw of each thread at one tick. Two lists of sightings, compared, show which
   threads have changed between two ticks. */
#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/event/event.h"

BEGIN_C

struct sighting {
  uint32_t thread; /* identity hash */
  enum thread_state state;
  const void *stack; /* equal stacks have equal pointers; NULL is not equal to any, not even NULL */
  int64_t cpu_ns;    /* CPU time since the thread started; -1: unknown */
  bool is_virtual;
  uint32_t mounted; /* identity hash of the virtual thread that this carrier ran; 0: none */
  /* Set by the round: since which tick it is so, and the tick from which on the JVM is to be asked
     whether the thread waits for the initialization of a class, or for missing parties, after a
     pause that grows. */
  uint64_t since_ns, ask_ns, pause_ns;
  bool waits_for_class; /* the last answer */
  bool is_outdated;     /* it went on after its state was read, and before its CPU time was */
  struct missing_parties parties; /* that were told last, and when; `missing` 0: none */
  uint64_t told_ns;
};

/* Initially all zero: an empty list. */
struct sightings {
  struct hashmap index; /* identity hash -> index in `threads` plus 1 */
  struct sighting *threads;
  size_t num, capacity;
};

/* sightings_add appends a copy of `s`. Returns false if the list already has the thread, or if
   memory runs out. */
bool sightings_add(struct sightings *l, const struct sighting *s);

/* sightings_find returns the sighting of a thread, NULL if the list has none. The pointer is valid
   until the next sightings_add. */
struct sighting *sightings_find(const struct sightings *l, uint32_t thread);

/* sightings_free empties the list and releases its memory. */
void sightings_free(struct sightings *l);

/* sighting_cpu_used returns the CPU time from sighting `before` to sighting `now`, in nanoseconds;
   -1 if unknown. `before` is NULL if the thread is new. */
int64_t sighting_cpu_used(const struct sighting *before, const struct sighting *now);

/* sighting_has_changed returns true if the thread needs a Sample line: its state or its stack
   changed, or it used CPU time. `before` is NULL if the thread is new. */
bool sighting_has_changed(const struct sighting *before, const struct sighting *now);

/* sighting_state returns the thread state of .samples for the bits of JVMTI's GetThreadState. */
enum thread_state sighting_state(jint jvmti_state);

END_C
