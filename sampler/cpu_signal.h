#pragma once
/* Interrupts each thread after intervals of its own CPU time, and captures its registers and stack.
   - Each thread has a POSIX timer on its CPU clock. The timer sends a signal to the thread itself
     (SIGEV_THREAD_ID).
   - The kernel checks CPU timers only at its scheduler ticks, so an interval is a whole number of
     kernel ticks. Each interval has one sample, at a random kernel tick. So no periodic work of the
     program stays in step with the samples. Each nanosecond of CPU time is equally likely to be
     sampled, also at the start of a thread.
   - The signal handler allocates no memory, takes no lock and does not call the JVM. It reads five
     words of the thread's own JavaThread. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/hotspot/hotspot.h"
#include "agent/record/figures.h"
#include "sampler/captures.h"

BEGIN_C

struct cpu_timer; /* the timer of one thread */

struct cpu_signal {
  const struct hotspot *hotspot;
  struct captures *captures;
  struct recording_figures *figures;
  int number; /* of the signal; 0: not started */
};

/* cpu_signal_start finds an unused real-time signal and installs the handler. `interval_ns` is the
   CPU time between two samples of a thread. `figures` must live as long as the process. On failure
   it returns false and sets `*why` to the reason, a static text for the user. Only one struct
   cpu_signal may be started at a time. */
bool cpu_signal_start(struct cpu_signal *s, const struct hotspot *h,
                      struct recording_figures *figures, uint64_t interval_ns, const char **why);

/* cpu_signal_set_interval changes the interval. Each timer follows after its next sample. The CPU
   time of a sample is that since the sample before, so no CPU time is lost or counted twice. After
   cpu_signal_start; one thread at a time. */
void cpu_signal_set_interval(uint64_t interval_ns);

/* cpu_signal_is_installed returns false if another library has replaced the handler. */
bool cpu_signal_is_installed(const struct cpu_signal *s);

/* cpu_signal_stop is called after all timers are freed. The handler stays installed and ignores
   late signals, since the default action of a real-time signal ends the process. */
void cpu_signal_stop(struct cpu_signal *s);

/* cpu_timer_new starts to sample a thread.
   - `tid` is its kernel thread, `thread` its identity hash, `java_thread` the address of its
     JavaThread. Its stack lies in [stack_low, stack_end).
   - `is_new` means that the CPU time which its clock already shows counts too (origin.h).
   The caller passes the timer to cpu_timer_free. On failure (no memory, no timer, or the thread has
   ended) the function returns NULL and increments the figure sampler_signal_untimed. Any thread. */
struct cpu_timer *cpu_timer_new(struct cpu_signal *s, int32_t tid, uint32_t thread,
                                uintptr_t java_thread, uintptr_t stack_low, uintptr_t stack_end,
                                bool is_new);

/* cpu_timer_advance lets the next sample come within one interval of now, after the interval has
   become shorter. Any thread, while the timer is not freed. */
void cpu_timer_advance(const struct cpu_timer *t);

/* cpu_timer_is_own returns true if `t` is the timer of the current thread. */
bool cpu_timer_is_own(const struct cpu_timer *t);

/* cpu_timer_free releases the timer, and returns the CPU time since the thread's last capture, in
   nanoseconds. Called by the thread itself, or by another thread while the thread cannot end. */
int64_t cpu_timer_free(struct cpu_timer *t);

END_C
