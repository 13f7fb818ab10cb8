#pragma once
/* What a command does on the dump that its arguments name. */
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The exit status of such a command: all is done; something in the files is broken, or nothing is
   what is asked for; wrong use or no such dump. */
enum { DONE = 0, WRONG = 1, MISUSED = 2 };

/* dump_command opens the dump, runs `run` on it and closes it; gives what `run` gives. MISUSED
   where there is no such dump: why is said on stderr, where a terminal also shows how far the
   reading is when it takes long. Whoever prints while it reads calls dump_set_read_callback to have that left.
 */
int dump_command(const char *name, int (*run)(struct dump *d, const void *arg), const void *arg);

/* dump_command_end ends such a `run` whose exit status is `status` but for broken files: says on
   stderr what is broken in those that were read, as "orca: hot: shop.orca:17: …", the first three
   kinds of it. Gives the exit status. */
int dump_command_end(const char *command, struct dump *d, int status);

#ifdef __cplusplus
}
#endif
