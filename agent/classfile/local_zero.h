#pragma once
/* Local variable 0: `this`, or the first argument of a static method. */
#include "agent/classfile/frames.h"
#include "agent/classfile/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* local_zero_is_reference: it is one at the entry. */
bool local_zero_is_reference(bool is_static, struct span descriptor);

/* local_zero_is_written: the code writes over it. */
bool local_zero_is_written(const struct layout *l);

/* local_zero_is_told: all the frames that the walk has still before it say that it is an object. */
bool local_zero_is_told(struct frame_walk *frames);

#ifdef __cplusplus
}
#endif
