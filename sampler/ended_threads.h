#pragma once
/* The threads that ended since the last tick, each with the CPU time of its whole life. The JVM
   reports the CPU time of a thread only while the thread lives, and a short thread can start and
   end between two ticks. Only threads that the recording has announced are kept: not those of
   Orca's own, nor a thread that ended while no recording ran. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct ended_thread;

/* Initially all zero: closed and empty. */
struct ended_threads {
  struct ended_thread *head; /* linked list, latest first; atomic */
  uint32_t num;              /* length of the list; atomic */
  uint32_t recording;        /* the one that the list is open for; 0: closed. Atomic */
};

/* ended_threads_open lets the list keep the threads of a recording, whose number is not 0. The
   thread that starts it. ended_threads_close empties the list, which keeps no more threads.
   Sampler's thread. */
void ended_threads_open(struct ended_threads *e, uint32_t recording);
void ended_threads_close(struct ended_threads *e);

/* ended_threads_wants returns whether the list keeps threads that were announced in this recording;
   0: not announced. Any thread. */
static inline bool ended_threads_wants(const struct ended_threads *e, uint32_t recording) {
  return recording != 0 && __atomic_load_n(&e->recording, __ATOMIC_RELAXED) == recording;
}

/* ended_threads_add notes that the thread with this identity hash ends, having used `cpu_ns`
   nanoseconds of CPU time. `recording` is the one that announced the thread. It drops the thread if
   the list does not want it or has 100,000 threads already, or if memory runs out. Any thread. */
void ended_threads_add(struct ended_threads *e, uint32_t recording, uint32_t thread,
                       int64_t cpu_ns);

/* ended_threads_take empties the list and calls `visit` for each of its threads that this recording
   has announced, in no particular order. Sampler's thread. */
void ended_threads_take(struct ended_threads *e,
                        void (*visit)(void *arg, uint32_t thread, int64_t cpu_ns), void *arg);

END_C
