#pragma once
/* Data of a page that the model does not contain. It takes two further passes over the dump, and
   one over its samples alone. The model's filter applies. The timeline shows everything that the
   matching threads did. */
#include "agent/base/extern_c.h"
#include "tools/orca/answer/answer.h"
#include "tools/orca/model/base/histogram.h"
#include "tools/orca/model/replay/excerpt.h"
#include "tools/orca/model/replay/machine.h"
#include "tools/orca/model/replay/slices.h"
#include "tools/orca/model/replay/timeline.h"

BEGIN_C

/* All zero is empty. gathered_free releases the memory. */
struct gathered {
  struct model *model;   /* the caller's */
  size_t num_recordings; /* on the page */
  struct timeline timeline;
  struct slices slices;
  struct longest arrows; /* the longest waits for locks whose owner is known */
  struct longest
      waits; /* the longest waits for any lock: the log contains the events around them */
  struct tally blockers;    /* group: waiter, key: owner */
  struct histogram lengths; /* durations of all pairs that ended */
  struct answer answer;     /* with the contention of all locks */
  struct excerpt log;
  struct machine_times machine;
};

/* gather reads the model's dump again. `num_recordings`: as many recordings are on the page. False:
   memory ran out. Call gathered_free in both cases. */
bool gather(struct gathered *g, struct model *m, size_t num_recordings);

/* gathered_bound returns the share of one recording in a limit of the page (bounds.h). */
static inline size_t gathered_bound(const struct gathered *g, size_t limit) {
  return limit / g->num_recordings;
}

void gathered_free(struct gathered *g);

END_C
