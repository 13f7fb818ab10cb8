#pragma once
/* The places of lock holders while other threads waited, and the hand-off of locks, for the
   sentences of a report. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/replay/contention.h"

BEGIN_C

/* A recording with more lines is not worth another pass only for this. */
#define HOLDER_PLACES_LINES 3000000

/* holder_places_find fills `m->holder_places`, `m->handoffs` and `m->lock_holders` by another pass
   over the dump. It does nothing if the recording has more than HOLDER_PLACES_LINES lines, or if
   the worst locks are monitors without a known holder. Returns false when memory ran out. */
bool holder_places_find(struct model *m);

/* holder_places_take moves both from `c` to the model, in place of what it has. `c` is
   contention of the model's own locks, after contention_end. It also adds up `m->lock_holders`.
   Returns false when memory ran out. */
bool holder_places_take(struct model *m, struct contention *c);

END_C
