#pragma once
/* A short name of the recorded program, for tools that show it all the time. */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

/* program_put_name appends the main class, the jar or the module of the recorded command:
   "com.acme.Shop", "shop.jar". If the command does not start `java`, or the name is not clear, it
   appends the name of the executable. It appends nothing if .info has no command, or an empty
   one (command=off). */
void program_put_name(struct builder *b, const struct dump *d);

END_C
