#include "tools/orca/run/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Starts the command with the signal mask that this program had. Returns 0 or an errno. */
static int spawn_command(char **argv, const sigset_t *mask, pid_t *out_pid) {
  posix_spawnattr_t attributes;
  int error = posix_spawnattr_init(&attributes);
  if (error != 0) return error;
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, mask);
  error = posix_spawnp(out_pid, argv[0], NULL, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  return error;
}

/* Forwards signals to the child until it ends, and sets its exit status. */
static void wait_for_end(struct child_end *child, const sigset_t *set) {
  siginfo_t info;
  int status;
  while (waitpid(child->pid, &status, WNOHANG) != child->pid) {
    int signal = sigwaitinfo(set, &info);
    if (signal <= 0 || signal == SIGCHLD || info.si_code == SI_KERNEL) continue;
    kill(child->pid, signal);
  }
  child->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

struct child_end child_run(char **argv) {
  /* the forwarded signals, and SIGCHLD */
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};
  static const struct timespec no_wait = {0, 0};
  struct child_end child = {0, 0, 0};
  sigset_t set, before;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
  struct sigaction default_action = {.sa_handler = SIG_DFL}, old_action;
  sigaction(SIGCHLD, &default_action,
            &old_action); /* if it were ignored, waitpid would return no status */
  sigprocmask(SIG_BLOCK, &set, &before);
  child.error = spawn_command(argv, &before, &child.pid);
  if (child.error == 0) wait_for_end(&child, &set);
  /* The Ctrl-C that ended the command must not end this program when the signals are unblocked. */
  while (sigtimedwait(&set, NULL, &no_wait) > 0) continue;
  sigprocmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGCHLD, &old_action, NULL);
  return child;
}
