#pragma once
/* Runs a command as a child process, forwards signals to it, ends it if that is asked for, and
   returns its exit status. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define CHILD_GRACE_NS UINT64_C(10000000000) /* from SIGTERM to SIGKILL */

/* What to run. All but `argv` may be zero. */
struct child_order {
  char **argv;
  const char *folder;   /* its working directory; NULL: that of this process */
  uint64_t deadline_ns; /* how long the command may run; 0: no limit */

  /* Asked every quarter of a second: whether the command has to end. NULL: it is not asked. */
  bool (*has_to_end)(void *arg);
  void *arg;
};

enum child_cause { CHILD_ENDED_ITSELF, CHILD_MISSED_DEADLINE, CHILD_HAD_TO_END };

/* How a command ended. */
struct child_end {
  int error;  /* errno if the command could not be started, otherwise 0 */
  pid_t pid;  /* of the command */
  int status; /* its exit status, or 128 plus the number of the signal that ended it */
  enum child_cause cause;
};

/* child_run starts argv[0], which it looks up in PATH, and waits for its end. Meanwhile it forwards
   SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2. It does not forward signals of a terminal,
   which the command gets itself. A command that misses its deadline or has to end gets SIGTERM, and
   CHILD_GRACE_NS later SIGKILL; the processes that it started do not. For a process with one
   thread. */
struct child_end child_run(const struct child_order *order);

END_C
