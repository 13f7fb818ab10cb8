#include "agent/trigger_signal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

/* What was installed before Orca's handler, for SIGUSR1 and SIGUSR2. */
struct slot {
  bool is_installed; /* ours is, or was */
  struct sigaction before;
};

/* A signal handler has no argument of its own, so this is global. */
static struct {
  int number; /* of the signal that counts; 0: none. Atomic */
  unsigned count;
  struct slot slots[2];
  void (*wake)(void *);
  void *wake_arg;
} state;

static struct slot *get_slot(int number) { return &state.slots[number == SIGUSR2]; }

/* SI_USER: kill(2) by another process, or by this one. SI_QUEUE: sigqueue(3). SI_TKILL, a thread
   that signals another one, does not count. */
static bool is_from_outside(const siginfo_t *info) {
  return info != NULL && (info->si_code == SI_USER || info->si_code == SI_QUEUE);
}

/* Where there was no handler, the signal would end the process; it is ignored instead. */
static void pass_on(const struct sigaction *before, int number, siginfo_t *info, void *context) {
  if ((before->sa_flags & SA_SIGINFO) != 0) {
    before->sa_sigaction(number, info, context);
  } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
    before->sa_handler(number);
  }
}

static void handle_signal(int number, siginfo_t *info, void *context) {
  int saved = errno;
  bool is_outside = is_from_outside(info);
  if (is_outside && __atomic_load_n(&state.number, __ATOMIC_ACQUIRE) == number) {
    __atomic_fetch_add(&state.count, 1, __ATOMIC_RELAXED);
    state.wake(state.wake_arg);
  }
  /* HotSpot 17 crashes when SIGUSR2 comes from outside (SR_handler). */
  if (!is_outside || number != SIGUSR2) pass_on(&get_slot(number)->before, number, info, context);
  errno = saved;
}

static bool is_ours(int number) {
  struct sigaction now;
  return sigaction(number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
         now.sa_sigaction == handle_signal;
}

/* `before` is complete before the handler can run. */
static bool install(struct slot *slot, int number) {
  struct sigaction ours;
  memset(&ours, 0, sizeof ours);
  ours.sa_sigaction = handle_signal;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  slot->is_installed =
      sigaction(number, NULL, &slot->before) == 0 && sigaction(number, &ours, NULL) == 0;
  return slot->is_installed;
}

bool trigger_signal_start(int number, void (*wake)(void *), void *wake_arg) {
  struct slot *slot = get_slot(number);
  state.wake = wake;
  state.wake_arg = wake_arg;
  bool good = slot->is_installed ? is_ours(number) : install(slot, number);
  __atomic_store_n(&state.number, good ? number : 0, __ATOMIC_RELEASE);
  return good;
}

void trigger_signal_stop(void) { __atomic_store_n(&state.number, 0, __ATOMIC_RELEASE); }

const unsigned *trigger_signal_count(void) { return &state.count; }
