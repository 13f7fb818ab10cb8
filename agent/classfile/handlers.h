#pragma once
/* The exception table of woven code: the method's own rows, and the rows of the hooks' handler. */
#include "agent/base/extern_c.h"
#include "agent/classfile/layout.h"

BEGIN_C

/* handlers_find_range finds the next range of old code, at or after the old pc `*pc`, that the
   hooks' handler covers. The range is [*out_start, *out_end), and `*pc` is advanced to its end.
   Returns false if there is none. The handler does not cover:
   - code before INSERT_ENTER in a constructor,
   - returns. A return can throw an IllegalMonitorStateException after INSERT_EXIT has called
     `exit`, and a second hook must not be called then. */
bool handlers_find_range(const struct layout *l, uint32_t *pc, uint32_t *out_start,
                         uint32_t *out_end);

/* handlers_put appends the exception table with its length. `old` contains the original rows.
   Returns WEAVE_WOVEN or the reason for the failure. */
enum weave_status handlers_put(const struct layout *l, struct span old, struct builder *out);

END_C
