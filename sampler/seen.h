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

struct seen {
  uint32_t thread; /* hash */
  enum thread_state state;
  const void *stack; /* its identity; NULL is unlike any other */
  int64_t cpu_ns;    /* used since the thread began; -1: the JVM does not tell */
  bool is_virtual;
  uint32_t carries; /* the virtual thread that it ran; 0: none */
};

/* All zero is an empty list. */
struct seen_list {
  struct hashmap index; /* thread -> place + 1 */
  struct seen *threads;
  size_t num, capacity;
};

/* seen_add appends; false without memory, or when the thread stands in the list already. */
bool seen_add(struct seen_list *l, const struct seen *s);
struct seen *seen_find(const struct seen_list *l, uint32_t thread); /* NULL: not there */
void seen_free(struct seen_list *l);

/* seen_cpu_used: CPU time from `before` (NULL: the thread is new) to `now`; -1 where not known. */
int64_t seen_cpu_used(const struct seen *before, const struct seen *now);

/* seen_changed tells whether `now` deserves a line after `before`: another state or stack, or CPU
   time used. */
bool seen_changed(const struct seen *before, const struct seen *now);

#ifdef __cplusplus
}
#endif
