#pragma once
/* Local variable 0: `this`, or the first argument of a static method. */
#include "agent/base/extern_c.h"
#include "agent/classfile/frames.h"
#include "agent/classfile/layout.h"

BEGIN_C

/* local_zero_is_reference tells whether it holds a reference at the entry of the method. */
bool local_zero_is_reference(bool is_static, struct span descriptor);

/* local_zero_is_written tells whether the code stores into it. */
bool local_zero_is_written(const struct layout *l);

/* local_zero_is_in_all_frames tells whether it holds an object in every frame after the current
   frame of the walk. It advances the walk. */
bool local_zero_is_in_all_frames(struct frame_walk *frames);

END_C
