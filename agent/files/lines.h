#pragma once
/* Turns records, counts and sums of short calls into lines of the current set of files. Writer
   thread only. */
#include "agent/base/extern_c.h"
#include "agent/files/output.h"

BEGIN_C

/* lines_write_record makes the line of a record and releases what the record owns. */
void lines_write_record(struct output *o, const struct record *r);

/* lines_write_counts writes the counts that changed since the last call, and the sums of short
   calls if they are due. `all`: also if they are not. */
void lines_write_counts(struct output *o, bool all);

END_C
