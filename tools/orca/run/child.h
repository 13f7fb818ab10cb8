#pragma once
/* A command run as a child: what is sent to us it gets, and how it ends we tell. */
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a command ended. */
struct child_end {
  int error;  /* not 0: it was not started, for this errno */
  pid_t pid;  /* of the command */
  int status; /* its exit status, or 128 and the signal that it died of */
};

/* child_run starts argv[0], looked for in PATH, and waits for its end. SIGINT, SIGTERM, SIGHUP,
   SIGQUIT, SIGUSR1 and SIGUSR2 that arrive in the meantime are passed on, except what a terminal
   sends, as the command gets that itself. To be called while there is one thread. */
struct child_end child_run(char **argv);

#ifdef __cplusplus
}
#endif
