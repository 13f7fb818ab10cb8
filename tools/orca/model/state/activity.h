#pragma once
/* What a sampled thread does. The JVM reports a thread as runnable while it waits inside a system
   call (epoll, read). Only its stack shows that it waits. */
#include "agent/event/event.h"
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

enum activity {
  ACTIVITY_RUNS,
  ACTIVITY_BLOCKED, /* on a monitor */
  ACTIVITY_WAITS,   /* in Object.wait, parked, or in the reference handler without work */
  ACTIVITY_SLEEPS,
  ACTIVITY_IO,     /* in a native method that waits for I/O or for another process */
  ACTIVITY_HIDDEN, /* unknown: without Java frames, suspended, or ended */
  NUM_ACTIVITIES
};

/* activity_of_top returns what a runnable thread does if its innermost frame is in `method` (a
   MethodID): IO, WAITS or SLEEPS in the native methods that are known to wait, else RUNS. */
enum activity activity_of_top(const struct dump *d, uint32_t method);

/* activity_of returns what a thread does. If its state is runnable or native, the result is `top`:
   activity_of_top of its innermost frame, or HIDDEN for the empty stack. Any other state determines
   the result alone. */
enum activity activity_of(enum thread_state state, enum activity top);

#ifdef __cplusplus
}
#endif
