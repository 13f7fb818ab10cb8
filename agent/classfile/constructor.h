#pragma once
/* Finds where a constructor initializes `this`: its call of the superclass's constructor, or of
   another constructor of its class. No stack map frame fits code before and after that call (JVM
   specification 4.10.1.4, flagThisUninit). So code before the call cannot have the hooks' handler,
   and the hooks of a constructor start after the call. */
#include "agent/base/extern_c.h"
#include "agent/classfile/frames.h"
#include "agent/classfile/layout.h"
#include "agent/classfile/pool.h"

BEGIN_C

/* constructor_mark marks the code before that call with MARK_UNINITIALIZED, and puts INSERT_ENTER
   after the call. `frames` is at the entry; `handlers` is the exception table. Returns
   WEAVE_CONSTRUCTOR if the code is ambiguous. */
enum weave_status constructor_mark(struct layout *l, const struct pool *pool,
                                   struct frame_walk *frames, struct span handlers);

END_C
