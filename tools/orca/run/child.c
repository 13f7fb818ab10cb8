#include "tools/orca/run/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The forwarded signals, and SIGCHLD. */
static sigset_t get_signals(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
  return set;
}

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

/* Whether the child has ended; then this reaps it and sets its exit status. */
static bool reap_if_ended(pid_t pid, int *out_status) {
  int status;
  if (waitpid(pid, &status, WNOHANG) != pid) return false;
  *out_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return true;
}

static void wait_for_end(struct child_end *child, const sigset_t *set) {
  siginfo_t info;
  while (!reap_if_ended(child->pid, &child->status)) {
    int signal = sigwaitinfo(set, &info);
    if (signal <= 0 || signal == SIGCHLD || info.si_code == SI_KERNEL) continue;
    kill(child->pid, signal);
  }
}

/* The Ctrl-C that ended the command must not end this program when the signals are unblocked. */
static void discard_pending_signals(const sigset_t *set) {
  static const struct timespec no_wait = {0, 0};
  while (sigtimedwait(set, NULL, &no_wait) > 0) continue;
}

struct child_end child_run(char **argv) {
  struct child_end child = {0, 0, 0};
  sigset_t set = get_signals(), before;
  struct sigaction default_action = {.sa_handler = SIG_DFL}, old_action;
  sigaction(SIGCHLD, &default_action,
            &old_action); /* if it were ignored, waitpid would return no status */
  sigprocmask(SIG_BLOCK, &set, &before);
  child.error = spawn_command(argv, &before, &child.pid);
  if (child.error == 0) wait_for_end(&child, &set);
  discard_pending_signals(&set);
  sigprocmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGCHLD, &old_action, NULL);
  return child;
}
