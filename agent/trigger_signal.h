#pragma once
/* The signal of the option `trigger`. HotSpot uses SIGUSR2 itself, from thread to thread, and a
   program may have a handler of its own. So Orca's handler counts only signals that were sent to
   the process from outside (kill), and passes each signal on to the handler before it. It stays
   installed when a recording ends: otherwise the next signal would end the process. */
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* trigger_signal_start installs the handler for SIGUSR1 or SIGUSR2: from now on each signal
   increments `*trigger_signal_count()` and calls `wake` (async-signal-safe). False if another
   handler has replaced Orca's since an earlier start: it may pass signals on to Orca's, so they
   cannot be ordered anew. The control thread. */
bool trigger_signal_start(int number, void (*wake)(void *), void *wake_arg);

/* trigger_signal_stop stops counting. */
void trigger_signal_stop(void);

/* trigger_signal_count returns the number of signals so far. Atomic. */
const unsigned *trigger_signal_count(void);

END_C
