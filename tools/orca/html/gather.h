#pragma once
/* What a page shows beyond the model, and of what the model was asked for: gathered in two further
   passes over the dump. The timeline has all that the threads did which are asked for. */
#include "tools/orca/model/base/histogram.h"
#include "tools/orca/model/longest.h"
#include "tools/orca/model/replay/excerpt.h"
#include "tools/orca/model/replay/holder_places.h"
#include "tools/orca/model/replay/machine.h"
#include "tools/orca/model/replay/timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is empty; gathered_free gives the memory back. */
struct gathered {
  struct model *model; /* the caller's */
  struct timeline timeline;
  struct longest arrows;    /* waits for locks whose owner is known */
  struct longest waits;     /* the longest for any lock: the log tells what went on around them */
  struct tally blockers;    /* group: who waited, key: who had the lock */
  struct histogram lengths; /* of all pairs that ended */
  struct contention contention; /* its holder_places are the model's then */
  struct excerpt log;
  struct machine_times machine;
};

/* gather reads the dump of the model twice. False: memory ran out; gathered_free either way. */
bool gather(struct gathered *g, struct model *m);

void gathered_free(struct gathered *g);

#ifdef __cplusplus
}
#endif
