#pragma once
/* Finds the JVM that writes a recording. */
#include <stdbool.h>
#include <sys/types.h>

#include "agent/base/extern_c.h"
#include "tools/orca/attach/refusal.h"

BEGIN_C

/* writing_process finds the process that writes the recording of a prefix now: it holds the lock of
   PREFIX.info, which contains its number. Returns false and sets `why` if there is none. */
bool writing_process(const char *prefix, pid_t *out, struct refusal *why);

END_C
