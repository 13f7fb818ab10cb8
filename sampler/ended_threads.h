#pragma once
/* Threads that have ended since the last tick, and the CPU time that each used in all its life: the
   JVM tells it only as long as the thread lives, and a short life lies between two ticks. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ended_thread;

/* All zero: closed, and nothing in it. */
struct ended_threads {
  struct ended_thread *last; /* a list; atomic */
  uint32_t num;              /* in it; atomic */
  bool open;                 /* does somebody take them? Atomic */
};

/* ended_threads_open: from now on they are kept, until ended_threads_close. The sampler's thread.
 */
void ended_threads_open(struct ended_threads *e);
void ended_threads_close(struct ended_threads *e);

static inline bool ended_threads_is_open(const struct ended_threads *e) {
  return __atomic_load_n(&e->open, __ATOMIC_RELAXED);
}

/* ended_threads_add: a thread ends that used `cpu_ns`. Of very many between two ticks, and where
   there is no memory, it is forgotten. Any thread. */
void ended_threads_add(struct ended_threads *e, uint32_t thread, int64_t cpu_ns);

/* ended_threads_take tells each, in no order, and forgets them. The sampler's thread. */
void ended_threads_take(struct ended_threads *e,
                        void (*tell)(void *arg, uint32_t thread, int64_t cpu_ns), void *arg);

#ifdef __cplusplus
}
#endif
