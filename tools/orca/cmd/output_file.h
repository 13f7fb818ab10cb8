#pragma once
/* The file that a command makes of a dump, as its option -o names it. */
#include "tools/orca/dump/dump.h"
#include "tools/orca/render/output.h"

#ifdef __cplusplus
extern "C" {
#endif

/* output_file opens it, has `write` fill it, all but output_end, and closes it; "-" is stdout.
   Gives the exit status (dump_command.h) and says on stderr what went wrong, for the command of
   this name; of stdout only memory, as main tells the rest. A file of the recording is refused:
   opening it would end it. `write` gives false where the output takes no more or memory ran out. */
int output_file(const char *command, struct dump *d, const char *name,
                bool (*write)(struct output *o, void *arg), void *arg);

#ifdef __cplusplus
}
#endif
