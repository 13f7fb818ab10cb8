#pragma once
/* The commands of the orca program. argv[0] is the name of the command; its options and arguments
   follow. A command prints its result to stdout and its errors to stderr. */

#include "agent/base/extern_c.h"

BEGIN_C

/* cmd_NAME returns the exit status:
   - 0: success.
   - 1: a file is broken, nothing matches the filters, the output could not be written completely,
     or the JVM refused.
   - 2: wrong use, or there is no such dump or process.
   - 3: only cmd_budget: a budget is broken.
   - 4: only cmd_report with --fail-if deadlock: there is one.
   - cmd_run: the status of its command; 128 plus the signal number if a signal ended it, 126 if it
     cannot be started, 127 if it does not exist; 124 if it was ended at the deadline, 4 at a
     deadlock. */
#define COMMAND(name, help) int cmd_##name(int argc, char **argv);
#include "tools/orca/cmd/commands.def"
#undef COMMAND

END_C
