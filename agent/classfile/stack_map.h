#pragma once
/* The StackMapTable of woven code. */
#include "agent/base/extern_c.h"
#include "agent/classfile/frames.h"

BEGIN_C

/* stack_map_put appends the attribute: the original frames at their new pcs, and the frames of the
   code that the layout added. `*out_num` is the number of frames; if it is 0, nothing is appended.
   Returns WEAVE_WOVEN or the reason for the failure. */
enum weave_status stack_map_put(const struct frame_origin *origin, const struct layout *l,
                                struct pool *pool, struct builder *out, uint32_t *out_num);

END_C
