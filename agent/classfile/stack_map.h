#pragma once
/* The StackMapTable of woven code. */
#include "agent/classfile/frames.h"

#ifdef __cplusplus
extern "C" {
#endif

/* stack_map_put appends the attribute: the frames that were there, at their new places, and those
   of what the layout added. `*out_num` is how many frames there are; for none nothing is appended.
   WEAVE_WOVEN or why not. */
enum weave_status stack_map_put(const struct frame_origin *origin, const struct layout *l,
                                struct pool *pool, struct builder *out, uint32_t *out_num);

#ifdef __cplusplus
}
#endif
