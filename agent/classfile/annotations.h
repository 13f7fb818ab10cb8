#pragma once
/* Annotations (JVM specification 4.7.16). */
#include "agent/classfile/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* annotation_skip takes one annotation with all that is in it. The cursor fails where it is
   malformed, or nested deeper than Java's own ever are. */
void annotation_skip(struct cursor *c);

/* annotations_have tells whether one in the body of a RuntimeVisibleAnnotations is of this type.
   False for {NULL, 0}, and where what stands before such a one is malformed. */
bool annotations_have(struct span body, const struct pool *pool, const char *type);

#ifdef __cplusplus
}
#endif
