#pragma once
/* The locks of a dump in full. */
#include "tools/orca/model/replay/contention.h"
#include "tools/orca/render/view/view.h"

#ifdef __cplusplus
extern "C" {
#endif

struct view_locks {
  const struct model *model;
  const struct locks *locks;           /* its own, or the same by class */
  const struct contention *contention; /* of these locks; NULL: where holders were is not said */
  bool stacks;                         /* the whole stack of the holder that was there longest */
};

/* The locks, the worst first: how often threads had to wait, how long, where, who held it. */
void view_locks_of(struct page *p, const struct view_locks *v, size_t top);

/* Where a holder was, a key of holder_places: "A.b (A.java:7)", "not seen", and whether that is
   only the place of its last event. */
void view_holder_place(struct builder *b, const struct model *m, uint64_t key);

/* Which threads were blocked by which; the contention has to be there. */
void view_contenders(struct page *p, const struct view_locks *v, size_t top);

#ifdef __cplusplus
}
#endif
