#pragma once
/* Where those who had a lock were while others waited for it, for the sentences of a report. */
#include "tools/orca/model/replay/contention.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A recording of more lines is not read once more only for this. */
#define HOLDER_PLACES_LINES 3000000

/* holder_places_find fills `m->holder_places`, by a further pass over the dump, where the holder of
   one of the worst locks is known and the recording is not too long. False: memory ran out. */
bool holder_places_find(struct model *m);

/* holder_places_take takes them off a contention of the model's own locks that has ended. */
void holder_places_take(struct model *m, struct contention *c);

#ifdef __cplusplus
}
#endif
