#pragma once
/* The exit statuses of the orca program. */

#include "agent/base/extern_c.h"

BEGIN_C

enum exit_status {
  DONE = 0,
  WRONG = 1,      /* a file is broken, nothing matches the filters, the output could not be written
                     completely, or the JVM refused */
  MISUSED = 2,    /* wrong use, or there is no such recording, file or process */
  BROKEN = 3,     /* diff, budget: a limit of the user is broken */
  DEADLOCKED = 4, /* report, run: there was a deadlock, and the user asked for this status */
  RETRYABLE = 5,  /* budget: the user asked, and one more run may keep the budget */

  /* run, whose status otherwise is that of its command, or 128 plus the number of a signal */
  STOPPED_BY_DEADLINE = 124, /* as timeout(1) */
  NOT_STARTED = 126,
  NOT_FOUND = 127
};

END_C
