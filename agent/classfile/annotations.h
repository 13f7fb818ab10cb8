#pragma once
/* Annotations (JVM specification 4.7.16). */
#include "agent/base/extern_c.h"
#include "agent/classfile/pool.h"

BEGIN_C

/* annotation_skip takes one annotation with all its values. The cursor fails if the annotation is
   malformed or nested too deeply. */
void annotation_skip(struct cursor *c);

/* annotations_contain tells whether the body of a RuntimeVisibleAnnotations attribute contains an
   annotation of `type`, such as "Ljavax/ws/rs/GET;". Returns false for {NULL, 0}, and if the body
   is malformed up to the end of that annotation. */
bool annotations_contain(struct span body, const struct pool *pool, const char *type);

END_C
