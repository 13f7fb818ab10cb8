#include "agent/trigger_signal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

/* A signal handler has no argument of its own, so this is global. */
static struct {
  int number; /* of the installed signal; 0: none. Atomic */
  bool is_on; /* atomic */
  unsigned count;
  struct sigaction before;
  void (*wake)(void *);
  void *wake_arg;
} state;

/* SI_USER: kill(2) by another process, or by this one. SI_QUEUE: sigqueue(3). A thread that signals
   another one (SI_TKILL) is not meant. */
static bool is_from_outside(const siginfo_t *info) {
  return info != NULL && (info->si_code == SI_USER || info->si_code == SI_QUEUE);
}

static void pass_on(int number, siginfo_t *info, void *context) {
  if ((state.before.sa_flags & SA_SIGINFO) != 0) {
    state.before.sa_sigaction(number, info, context);
  } else if (state.before.sa_handler != SIG_DFL && state.before.sa_handler != SIG_IGN) {
    state.before.sa_handler(number);
  }
}

static void handle(int number, siginfo_t *info, void *context) {
  int saved = errno;
  if (is_from_outside(info) && __atomic_load_n(&state.is_on, __ATOMIC_ACQUIRE)) {
    __atomic_fetch_add(&state.count, 1, __ATOMIC_RELAXED);
    state.wake(state.wake_arg);
  } else {
    pass_on(number, info, context);
  }
  errno = saved;
}

bool trigger_signal_start(int number, void (*wake)(void *), void *wake_arg) {
  struct sigaction ours;
  memset(&ours, 0, sizeof ours);
  ours.sa_sigaction = handle;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  state.wake = wake;
  state.wake_arg = wake_arg;
  __atomic_store_n(&state.is_on, true, __ATOMIC_RELEASE);
  if (state.number == number) return true; /* ours stayed after the last recording */
  if (state.number != 0 || sigaction(number, &ours, &state.before) != 0) return false;
  state.number = number;
  return true;
}

void trigger_signal_stop(void) {
  struct sigaction now;
  __atomic_store_n(&state.is_on, false, __ATOMIC_RELEASE);
  if (state.number == 0 || sigaction(state.number, NULL, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != handle) return;
  if (sigaction(state.number, &state.before, NULL) == 0) state.number = 0;
}

const unsigned *trigger_signal_count(void) { return &state.count; }
