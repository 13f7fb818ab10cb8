#pragma once
/* Interrupts each thread by its own CPU time, and captures where it was. Each thread has a POSIX
   timer on its CPU clock; its signal goes to the thread itself (SIGEV_THREAD_ID). The kernel looks
   at such timers at its ticks, so an interval is a number of ticks; in each interval one tick is
   chosen at random, so that no period of the program falls in step with it, and every nanosecond of
   CPU time has the same chance, the first of a short life too. The handler allocates nothing, locks
   nothing and calls nothing of the JVM; of the JVM's memory it reads five words of its own
   JavaThread. */
#include <stdbool.h>
#include <stdint.h>

#include "sampler/captures.h"
#include "sampler/hotspot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cpu_timer; /* of one thread */

struct cpu_signal {
  const struct hotspot *hotspot;
  struct captures *captures;
  int number;                         /* of the signal; 0: not started */
  uint64_t samples, dropped, untimed; /* atomic; dropped: no capture was left; untimed: threads
                                         without a timer */
};

/* cpu_signal_start finds a real-time signal that nobody uses and installs the handler; there is one
   such object in a process at a time. On false `*why` says what is missing, for a person. */
bool cpu_signal_start(struct cpu_signal *s, const struct hotspot *h, uint64_t interval_ns,
                      const char **why);

/* cpu_signal_is_installed: the handler is still ours. */
bool cpu_signal_is_installed(const struct cpu_signal *s);

/* cpu_signal_stop: all timers must have been freed. The handler stays installed and ignores late
   signals, since the default action of a real-time signal ends the process. */
void cpu_signal_stop(struct cpu_signal *s);

/* cpu_timer_new begins to sample the thread with this kernel's number, hash and JavaThread, whose
   stack lies between `stack_low` and `stack_end`. `is_new`: the thread has just become a Java
   thread for the first time; the CPU time that its clock shows already counts if it is below 5 ms.
   Otherwise only later CPU time counts. NULL, and counted in `untimed`, without memory, without a
   timer, or where the thread has ended. Any thread. */
struct cpu_timer *cpu_timer_new(struct cpu_signal *s, int32_t tid, uint32_t thread,
                                uintptr_t java_thread, uintptr_t stack_low, uintptr_t stack_end,
                                bool is_new);

/* cpu_timer_is_own: is it the timer of the current thread? */
bool cpu_timer_is_own(const struct cpu_timer *t);

/* cpu_timer_free frees the timer, and returns the CPU time since the thread's last capture, in
   nanoseconds. By the thread itself, or by another while the thread is known to live. */
int64_t cpu_timer_free(struct cpu_timer *t);

#ifdef __cplusplus
}
#endif
