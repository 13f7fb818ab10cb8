#pragma once
/* All locks of a dump in detail. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/bounds.h"
#include "tools/orca/model/replay/contention.h"
#include "tools/orca/render/view/view.h"

BEGIN_C

struct view_locks {
  const struct model *model;
  const struct locks *locks;           /* the locks of the model, or the same grouped by class */
  const struct contention *contention; /* of these locks */
  const struct bounds *bounds;         /* of the locks of the model; NULL: others */
  bool holders;                        /* add the locations of holders */
  bool stacks; /* add the stack where holders were longest while others waited */
  bool all;    /* also locks in the text that no thread waited for */
};

/* Writes the locks, longest blocked time first: contended acquisitions, blocked time, locations,
   owners. */
void view_locks_of(struct page *p, const struct view_locks *v, size_t top);

/* Returns the words after "blocked" or "held by": ", as far as known" if the threads and owners of
   short waits are not known, else "". */
const char *view_lock_limit(const struct lock *lock);

/* Appends a holder's location, given as a key of contention.holder_places: "A.b (A.java:7)" or
   "not seen". Adds " (its last event)" if the location is only that of the holder's last event. */
void view_holder_place(struct builder *b, const struct model *m, uint64_t key);

/* Appends what hand-off means for a lock: "the lock was released, but …". */
void view_put_handoff_reason(struct builder *b, const struct lock *lock);

/* Writes the pairs of a blocked thread and the owner that it waited for. */
void view_contenders(struct page *p, const struct view_locks *v, size_t top);

END_C
