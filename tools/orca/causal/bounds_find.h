#pragma once
/* Fills the bounds of a model (model/bounds.h) from critical paths: that of the run, if it ended
   with the thread main; else those of all threads that worked for a part of the recording. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/path/path.h"

BEGIN_C

/* A recording with more lines is not worth another pass only for this. */
#define BOUNDS_LINES 1000000

/* bounds_find fills `m->bounds`, and sorts the locks of the model: by their time on the path, then
   by blocked time. It leaves the bounds unknown if there is a filter, lines may be missing, the
   recording is too long, or too much of the paths is not known. Returns false when memory ran out.
 */
bool bounds_find(struct model *m);

END_C
