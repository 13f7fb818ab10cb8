#pragma once
/* Where a constructor's `this` is initialised. Until the constructor of the superclass, or another
   one of the class, was called, a handler for any exception cannot be: no frame would fit both
   sides (JVM specification 4.10.1.4, flagThisUninit). So the hooks of a constructor begin behind
   that call. */
#include "agent/classfile/frames.h"
#include "agent/classfile/layout.h"
#include "agent/classfile/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* constructor_mark marks the code before that call MARK_UNBORN, and puts INSERT_ENTER behind
   it. `handlers` is the exception table. WEAVE_CONSTRUCTOR where the code can be read in more ways
   than one. */
enum weave_status constructor_mark(struct layout *l, const struct pool *pool,
                                   struct frame_walk *frames, struct span handlers);

#ifdef __cplusplus
}
#endif
