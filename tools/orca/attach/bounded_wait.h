#pragma once
/* Waiting for another process, with a bound. Ctrl-C ends a wait early, so that what was put up for
   the time of the wait is taken down; only then the signal does what it always does. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/orca/attach/refusal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bounds, in milliseconds. */
struct patience {
  uint64_t young;  /* age up to which a process may still become a JVM that listens */
  uint64_t wake;   /* for the JVM to open its socket */
  uint64_t answer; /* for its answer */
};

extern const struct patience usual_patience;

enum wait_end { WAIT_SIGNALLED, WAIT_READABLE, WAIT_TIMED_OUT };

struct bounded_wait {
  struct patience patience;
  int signals; /* readable once one has come */
  sigset_t before;
};

/* bounded_wait_begin holds SIGINT, SIGTERM and SIGHUP back, as far as they are not ignored, until
   bounded_wait_end. */
bool bounded_wait_begin(struct bounded_wait *w, const struct patience *patience,
                        struct refusal *why);
void bounded_wait_end(struct bounded_wait *w);

/* bounded_wait_sleep lets time pass; false when a signal came. */
bool bounded_wait_sleep(const struct bounded_wait *w, uint64_t ms);

/* bounded_wait_for waits until `fd` can be read, a signal came, or time ran out at `deadline_ns` of
   the monotonic clock. */
enum wait_end bounded_wait_for(const struct bounded_wait *w, int fd, uint64_t deadline_ns);

#ifdef __cplusplus
}
#endif
