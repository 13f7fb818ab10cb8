#pragma once
/* The attributes of a Code attribute that name places in the code, moved to its new places. */
#include "agent/classfile/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* attribute_is_kept: the rewriter knows what is in an attribute of this name, and can move it.
   (StackMapTable is no such: it is made anew, by frames.h.) */
bool attribute_is_kept(struct span name);

/* attribute_put appends the body of such an attribute, moved. False, with nothing appended, where
   the body is malformed. */
bool attribute_put(struct span name, struct span body, const struct layout *l, struct builder *out);

#ifdef __cplusplus
}
#endif
