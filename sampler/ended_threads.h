#pragma once
/* The threads that ended since the last tick, each with the CPU time of its whole life. The JVM
   reports the CPU time of a thread only while the thread lives, and a short thread can start and
   end between two ticks. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ended_thread;

/* Initially all zero: closed and empty. */
struct ended_threads {
  struct ended_thread *head; /* linked list, latest first; atomic */
  uint32_t num;              /* length of the list; atomic */
  bool is_open;              /* atomic */
};

/* ended_threads_add keeps threads only between ended_threads_open and ended_threads_close.
   ended_threads_close empties the list. Sampler's thread. */
void ended_threads_open(struct ended_threads *e);
void ended_threads_close(struct ended_threads *e);

static inline bool ended_threads_is_open(const struct ended_threads *e) {
  return __atomic_load_n(&e->is_open, __ATOMIC_RELAXED);
}

/* ended_threads_add notes that the thread with this identity hash ends, having used `cpu_ns`
   nanoseconds of CPU time. It drops the thread if the list has 100,000 threads already, or if
   memory runs out. Any thread. */
void ended_threads_add(struct ended_threads *e, uint32_t thread, int64_t cpu_ns);

/* ended_threads_take empties the list and calls `visit` for each of its threads, in no particular
   order. Sampler's thread. */
void ended_threads_take(struct ended_threads *e,
                        void (*visit)(void *arg, uint32_t thread, int64_t cpu_ns), void *arg);

#ifdef __cplusplus
}
#endif
