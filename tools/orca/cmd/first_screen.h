#pragma once
/* The output of `orca run` after the program: what the JVM that worked most did, and the commands
   that show more. */
#include "agent/base/extern_c.h"
#include "tools/orca/cmd/run_jvms.h"

BEGIN_C

/* first_screen_print prints at most 30 lines about a run of at least one JVM. Of the JVMs after the
   first, it prints one line each. `program` is how the user calls orca. Returns the exit status of
   the report. */
int first_screen_print(const struct run_jvms *run, const char *program);

END_C
