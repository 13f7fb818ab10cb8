#pragma once
/* What the sampler saw of each thread at one tick, to tell at the next what has changed. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/hashmap.h"
#include "agent/event/event.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sighting {
  uint32_t thread; /* hash */
  enum thread_state state;
  const void *stack; /* its identity; NULL is unlike any other */
  int64_t cpu_ns;    /* used since the thread began; -1: the JVM does not tell */
  bool is_virtual;
  uint32_t carries; /* the virtual thread that it ran; 0: none */
};

/* All zero is an empty list. */
struct sightings {
  struct hashmap index; /* thread -> place + 1 */
  struct sighting *threads;
  size_t num, capacity;
};

/* sightings_add appends; false without memory, or when the thread stands in the list already. */
bool sightings_add(struct sightings *l, const struct sighting *s);
struct sighting *sightings_find(const struct sightings *l, uint32_t thread); /* NULL: not there */
void sightings_free(struct sightings *l);

/* sighting_cpu_used: CPU time from `before` (NULL: the thread is new) to `now`; -1 where not known.
 */
int64_t sighting_cpu_used(const struct sighting *before, const struct sighting *now);

/* sighting_changed tells whether `now` deserves a line after `before`: another state or stack, or
   CPU time used. */
bool sighting_changed(const struct sighting *before, const struct sighting *now);

#ifdef __cplusplus
}
#endif
