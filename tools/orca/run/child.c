#include "tools/orca/run/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/clock.h"

#define STEP_NS (250 * NS_PER_MS) /* between two questions whether the command has to end */

/* Starts the command with the signal mask that this program had. Returns 0 or an errno. */
static int spawn_command(const struct child_order *order, const sigset_t *mask, pid_t *out_pid) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  int error = posix_spawnattr_init(&attributes);
  if (error != 0) return error;
  error = posix_spawn_file_actions_init(&actions);
  if (error == 0) {
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, mask);
    if (order->folder != NULL)
      error = posix_spawn_file_actions_addchdir_np(&actions, order->folder);
    if (error == 0)
      error = posix_spawnp(out_pid, order->argv[0], &actions, &attributes, order->argv, environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  posix_spawnattr_destroy(&attributes);
  return error;
}

static enum child_cause find_cause(const struct child_order *order, uint64_t ran_ns) {
  if (order->deadline_ns > 0 && ran_ns >= order->deadline_ns) return CHILD_MISSED_DEADLINE;
  bool has_to_end = order->has_to_end != NULL && order->has_to_end(order->arg);
  return has_to_end ? CHILD_HAD_TO_END : CHILD_ENDED_ITSELF;
}

/* Waits for the next signal; at most a step if the command may have to be ended. */
static int wait_for_signal(const struct child_order *order, const sigset_t *set, siginfo_t *info) {
  static const struct timespec step = {0, STEP_NS};
  bool is_watched = order->deadline_ns > 0 || order->has_to_end != NULL;
  return is_watched ? sigtimedwait(set, info, &step) : sigwaitinfo(set, info);
}

/* Forwards signals to the child until it ends, and sets its exit status. */
static void wait_for_end(const struct child_order *order, struct child_end *child,
                         const sigset_t *set) {
  siginfo_t info;
  int status;
  uint64_t begun_ns = clock_monotonic_ns(), asked_ns = 0;
  while (waitpid(child->pid, &status, WNOHANG) != child->pid) {
    uint64_t now = clock_monotonic_ns();
    if (child->cause != CHILD_ENDED_ITSELF) {
      if (now - asked_ns >= CHILD_GRACE_NS) kill(child->pid, SIGKILL);
    } else if ((child->cause = find_cause(order, now - begun_ns)) != CHILD_ENDED_ITSELF) {
      asked_ns = now;
      kill(child->pid, SIGTERM);
    }
    int signal = wait_for_signal(order, set, &info);
    if (signal <= 0 || signal == SIGCHLD || info.si_code == SI_KERNEL) continue;
    kill(child->pid, signal);
  }
  child->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

struct child_end child_run(const struct child_order *order) {
  /* the forwarded signals, and SIGCHLD */
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};
  static const struct timespec no_wait = {0, 0};
  struct child_end child = {.error = 0};
  sigset_t set, before;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
  struct sigaction default_action = {.sa_handler = SIG_DFL}, old_action;
  sigaction(SIGCHLD, &default_action,
            &old_action); /* if it were ignored, waitpid would return no status */
  sigprocmask(SIG_BLOCK, &set, &before);
  child.error = spawn_command(order, &before, &child.pid);
  if (child.error == 0) wait_for_end(order, &child, &set);
  /* The Ctrl-C that ended the command must not end this program when the signals are unblocked. */
  while (sigtimedwait(&set, NULL, &no_wait) > 0) continue;
  sigprocmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGCHLD, &old_action, NULL);
  return child;
}
