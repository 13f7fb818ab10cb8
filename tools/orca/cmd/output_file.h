#pragma once
/* Writes the file that a command makes from one dump or several, as its option -o names it. */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/render/output.h"

BEGIN_C

/* output_file_write opens the file `name`, calls `write` to fill it, calls output_end, and closes
   it;
   "-" is stdout. `write` returns false if the output failed or memory ran out. It refuses a file of
   the `num` dumps that the output is made from, because opening it would truncate it.
   Returns the exit status and prints errors to stderr, with the name of the
   command. For stdout, main.c prints the write errors. */
int output_file_write(const char *command, struct dump *const *dumps, size_t num, const char *name,
                      bool (*write)(struct output *o, void *arg), void *arg);

END_C
