#pragma once
/* The signal of the option `trigger`. HotSpot uses SIGUSR2 itself, from thread to thread, and a
   program may have a handler of its own. So Orca's handler counts only signals that were sent to
   the process from outside (kill), and passes all others on to the handler before it. */
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* trigger_signal_start installs the handler for this signal: for each signal it increments
   `*trigger_signal_count()` and calls `wake` (async-signal-safe). False if that fails. The control
   thread. */
bool trigger_signal_start(int number, void (*wake)(void *), void *wake_arg);

/* trigger_signal_stop restores the handler before it, unless somebody has replaced ours meanwhile:
   then ours stays and only passes signals on. */
void trigger_signal_stop(void);

/* trigger_signal_count returns the number of signals so far. Atomic. */
const unsigned *trigger_signal_count(void);

#ifdef __cplusplus
}
#endif
