#pragma once
/* Runs a command on the dump that its arguments name. */
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exit statuses: success; a file is broken or nothing matches the filters; wrong use or no such
   dump. */
enum { DONE = 0, WRONG = 1, MISUSED = 2 };

/* dump_command_run opens the dump `name`, calls `run` on it and closes it. It returns the result of
   `run`. If the dump cannot be opened, it prints the reason to stderr and returns MISUSED. A
   terminal on stderr shows the progress of reading. A `run` that prints while it reads must remove
   that with dump_set_read_callback. */
int dump_command_run(const char *name, int (*run)(struct dump *d, const void *arg),
                     const void *arg);

/* dump_command_end prints the faults found so far to stderr, at most the first three kinds: "orca:
   hot: shop.orca:17: …". Returns WRONG if there are faults, otherwise `status`. If `status` is
   MISUSED, it prints and changes nothing. For the end of a `run`. */
int dump_command_end(const char *command, struct dump *d, int status);

#ifdef __cplusplus
}
#endif
