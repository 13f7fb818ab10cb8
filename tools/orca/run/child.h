#pragma once
/* Runs a command as a child process, forwards signals to it, and returns its exit status. */
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a command ended. */
struct child_end {
  int error;  /* errno if the command could not be started, otherwise 0 */
  pid_t pid;  /* of the command */
  int status; /* its exit status, or 128 plus the number of the signal that ended it */
};

/* child_run starts argv[0], which it looks up in PATH, and waits for its end. Meanwhile it forwards
   SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2. It does not forward signals of a terminal,
   which the command gets itself. For a process with one thread. */
struct child_end child_run(char **argv);

#ifdef __cplusplus
}
#endif
