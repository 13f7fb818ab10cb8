#include "tools/orca/attach/bounded_wait.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "agent/base/clock.h"

const struct wait_limits default_wait_limits = {.startup = 5000, .socket = 10000, .answer = 60000};

bool bounded_wait_begin(struct bounded_wait *w, const struct wait_limits *limits,
                        struct refusal *why) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction now;
    sigaction(signals[i], NULL, &now);
    /* Ignored signals, for example SIGHUP under nohup, stay ignored. */
    if (now.sa_handler != SIG_IGN) sigaddset(&set, signals[i]);
  }
  w->limits = *limits;
  w->signals = signalfd(-1, &set, SFD_CLOEXEC);
  if (w->signals < 0) return refuse(why, "cannot wait for signals: %s", strerror(errno));
  sigprocmask(SIG_BLOCK, &set, &w->before);
  return true;
}

void bounded_wait_end(struct bounded_wait *w) {
  close(w->signals);
  sigprocmask(SIG_SETMASK, &w->before, NULL);
}

enum wait_end bounded_wait_for(const struct bounded_wait *w, int fd, uint64_t deadline_ns) {
  struct pollfd polled[] = {{w->signals, POLLIN, 0}, {fd, POLLIN, 0}};
  int ms;
  do {
    uint64_t now = clock_monotonic_ns();
    /* rounded up to avoid a busy loop */
    uint64_t left = now < deadline_ns ? (deadline_ns - now + NS_PER_MS - 1) / NS_PER_MS : 0;
    ms = left < 60000 ? (int)left : 60000;
    if (poll(polled, 2, ms) <= 0) continue;
    return polled[0].revents != 0 ? WAIT_SIGNALLED : WAIT_READABLE;
  } while (ms > 0);
  return WAIT_TIMED_OUT;
}

bool bounded_wait_sleep(const struct bounded_wait *w, uint64_t ms) {
  return bounded_wait_for(w, -1, clock_monotonic_ns() + ms * NS_PER_MS) == WAIT_TIMED_OUT;
}
