#pragma once
/* What keeps a file from taking its lines, and whether the recording goes on:

   - The disk is full: the oldest sets are deleted, or the writer waits until there is room.
   - The device or the file system fails (EIO, EROFS and the like): the writer tries again.
   - The file has the largest size (ulimit -f): the next set of files begins. With one set only, the
     writer waits for a higher limit.

   While the writer waits, threads do not (agent/record/stall.h): events are dropped and counted.
   Each obstacle is reported once in a recording. Any other error ends the recording. Writer thread
   only. */
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/files/output.h"

BEGIN_C

/* obstacle_wait waits because `f` takes no line, for the reason in errno. Returns whether to try
   again; errno stays as it is. */
bool obstacle_wait(struct output *o, const struct dump_file *f);

/* obstacle_cuts_set returns whether the recording goes on with the next set of files, since `f` is
   too large. obstacle_report_cut reports it. */
bool obstacle_cuts_set(const struct output *o, const struct dump_file *f, int why);
void obstacle_report_cut(struct output *o, const struct dump_file *f);

/* obstacle_is_reported returns whether this errno has been reported in this recording. */
bool obstacle_is_reported(const struct output *o, int why);

END_C
