#pragma once
/* The files that `orca run` makes of a recording: the report as text, and the page for a browser.
 */
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* run_files_write writes the report and the page of the recording with this prefix. NULL: do not
   write it. Returns false, after a line on stderr for each problem, unless all is written. */
bool run_files_write(const char *prefix, const char *report, const char *html);

END_C
