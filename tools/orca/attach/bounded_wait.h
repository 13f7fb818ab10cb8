#pragma once
/* Waits for another process, with a time limit. During a wait, the signals of Ctrl-C are held back
   and only end the wait early, so that the caller can remove its temporary files. The signals take
   effect in bounded_wait_end. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "tools/orca/attach/refusal.h"

BEGIN_C

/* Time limits in milliseconds. */
struct wait_limits {
  uint64_t startup; /* age up to which a process may still become a JVM that can be attached to */
  uint64_t socket;  /* until the JVM opens its socket */
  uint64_t answer;  /* until the JVM has sent its answer */
};

extern const struct wait_limits default_wait_limits;

enum wait_end { WAIT_SIGNALLED, WAIT_READABLE, WAIT_TIMED_OUT };

struct bounded_wait {
  struct wait_limits limits;
  int signals; /* signalfd: readable when a signal arrived */
  sigset_t before;
};

/* bounded_wait_begin holds back SIGINT, SIGTERM and SIGHUP until bounded_wait_end, except those
   that are ignored. For a process with one thread. Returns false and sets `why` on an error. */
bool bounded_wait_begin(struct bounded_wait *w, const struct wait_limits *limits,
                        struct refusal *why);
void bounded_wait_end(struct bounded_wait *w);

/* bounded_wait_sleep sleeps for `ms` milliseconds. Returns false if a signal arrived. */
bool bounded_wait_sleep(const struct bounded_wait *w, uint64_t ms);

/* bounded_wait_for waits until `fd` is readable, a signal arrives, or the monotonic clock reaches
   `deadline_ns`. */
enum wait_end bounded_wait_for(const struct bounded_wait *w, int fd, uint64_t deadline_ns);

END_C
