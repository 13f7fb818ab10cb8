#pragma once
/* Files of options: @FILE among the options of -agentpath, `orca run` and `orca attach`. A line is
   empty, a comment that begins with #, or one key=value. */
#include <stdbool.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* option_files_expand appends `text`, options joined by commas, and a NUL, with the options of the
   file in the place of each @FILE. A relative FILE is below the working directory. A file cannot
   name another one. On false `error` has one sentence, which names the file, and the line if that
   is not key=value. The caller frees `out`. Any thread. */
bool option_files_expand(const char *text, struct builder *out, char *error, size_t error_size);

END_C
