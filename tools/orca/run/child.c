#include "tools/orca/run/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What is passed on, and SIGCHLD. */
static sigset_t awaited(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
  return set;
}

/* Starts the command with the signals as they were for us. Gives an errno, or 0. */
static int start(char **argv, const sigset_t *mask, pid_t *out_pid) {
  posix_spawnattr_t attributes;
  int error = posix_spawnattr_init(&attributes);
  if (error != 0) return error;
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, mask);
  error = posix_spawnp(out_pid, argv[0], NULL, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  return error;
}

/* Takes the end of the child, if that has come. */
static bool has_ended(pid_t pid, int *out_status) {
  int status;
  if (waitpid(pid, &status, WNOHANG) != pid) return false;
  *out_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return true;
}

static void await_end(struct child_end *child, const sigset_t *set) {
  siginfo_t info;
  while (!has_ended(child->pid, &child->status)) {
    int signal = sigwaitinfo(set, &info);
    if (signal <= 0 || signal == SIGCHLD || info.si_code == SI_KERNEL) continue;
    kill(child->pid, signal);
  }
}

/* The Ctrl-C that ended the command must not end us when the signals are let through again. */
static void forget_pending(const sigset_t *set) {
  static const struct timespec at_once = {0, 0};
  while (sigtimedwait(set, NULL, &at_once) > 0) continue;
}

struct child_end child_run(char **argv) {
  struct child_end child = {0, 0, 0};
  sigset_t set = awaited(), before;
  struct sigaction by_default = {.sa_handler = SIG_DFL}, on_child;
  sigaction(SIGCHLD, &by_default, &on_child); /* ignored, it would take the status away */
  sigprocmask(SIG_BLOCK, &set, &before);
  child.error = start(argv, &before, &child.pid);
  if (child.error == 0) await_end(&child, &set);
  forget_pending(&set);
  sigprocmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGCHLD, &on_child, NULL);
  return child;
}
