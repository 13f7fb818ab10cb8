#pragma once
/* A semaphore whose waits end at a time of CLOCK_MONOTONIC. The C library has such waits only since
   glibc 2.30, and the agent runs with older ones. Only threads of one process share it. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define SEMAPHORE_FOREVER UINT64_MAX

struct semaphore {
  uint32_t count;   /* atomic; a thread that waits sleeps until it is not 0 */
  uint32_t waiters; /* number of threads that wait; atomic */
};

/* semaphore_init sets the count while no other thread uses the semaphore. */
void semaphore_init(struct semaphore *s, uint32_t count);

/* semaphore_post adds 1 to the count, and wakes a waiter if there is one. Memory that was written
   before is visible to the thread whose wait succeeds. Any thread; async-signal-safe. */
void semaphore_post(struct semaphore *s);

/* semaphore_try subtracts 1 from the count if it is not 0, and returns whether it did. Any thread;
   async-signal-safe. */
bool semaphore_try(struct semaphore *s);

/* semaphore_wait does the same, but waits for a count that is not 0, at most until `until_ns`
   (clock_monotonic_ns, or SEMAPHORE_FOREVER). A signal does not end the wait. Any thread. */
bool semaphore_wait(struct semaphore *s, uint64_t until_ns);

END_C
