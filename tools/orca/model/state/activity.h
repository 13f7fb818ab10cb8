#pragma once
/* What a sampled thread is really doing. The JVM calls a thread runnable that sleeps inside a
   system call, in epoll or read; its stack tells. */
#include "agent/event/event.h"
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

enum activity {
  ACTIVITY_RUNS,
  ACTIVITY_BLOCKED, /* on a monitor */
  ACTIVITY_WAITS,   /* in Object.wait, parked, or for work from the JVM */
  ACTIVITY_SLEEPS,
  ACTIVITY_IO,     /* in a system call that waits for the outside: a connection, a request */
  ACTIVITY_HIDDEN, /* not seen: a thread of the JVM without Java frames, suspended, ended */
  NUM_ACTIVITIES
};

/* activity_of_top tells what a runnable thread does whose innermost frame is in `method`: IO or
   WAITS in the native methods that are known to wait, else RUNS. */
enum activity activity_of_top(const struct dump *d, uint32_t method);

/* activity_of tells what a thread does: by its state, and where that says it can run, by its stack,
   whose activity_of_top is `top` (HIDDEN for the empty stack). */
enum activity activity_of(enum thread_state state, enum activity top);

#ifdef __cplusplus
}
#endif
