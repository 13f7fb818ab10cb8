#pragma once
/* Moves the attributes of a Code attribute that contain pcs: changes the pcs to those of the new
   code. */
#include "agent/base/extern_c.h"
#include "agent/classfile/layout.h"

BEGIN_C

/* attribute_is_kept tells whether the rewriter knows the format of the attribute `name` and can
   move it. It returns false for StackMapTable, which frames.h writes anew. */
bool attribute_is_kept(struct span name);

/* attribute_put appends the moved body of a kept attribute. Returns false, with nothing appended,
   if the body is malformed. */
bool attribute_put(struct span name, struct span body, const struct layout *l, struct builder *out);

END_C
