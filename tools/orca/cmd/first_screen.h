#pragma once
/* The output of `orca run` after the program: what the JVM that worked most did, and the commands
   that show more. */
#include "tools/orca/run/new_dumps.h"

#ifdef __cplusplus
extern "C" {
#endif

/* first_screen_print prints at most 30 lines about a run. `dumps` are its recordings, at least one;
   the one whose process used the most CPU time comes first. Of the others, it prints one line each.
   `program` is how the user calls orca. Returns the exit status of the report. */
int first_screen_print(const struct new_dumps *dumps, const char *program);

#ifdef __cplusplus
}
#endif
