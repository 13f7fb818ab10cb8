#pragma once
/* The report of a recording in files, for `orca run`: as `orca report` prints it, and as the page
   for a browser. */
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* report_write_files writes the report and the page of the recording with this prefix. NULL: do not
   write it. Returns false, after a line on stderr for each problem, unless all is written. */
bool report_write_files(const char *prefix, const char *report, const char *html);

END_C
