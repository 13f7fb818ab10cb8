#pragma once
/* The exception table of woven code: the method's own rows, and those of the hooks. */
#include "agent/classfile/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* handlers_guard finds the next piece of the old code that the hooks' handler is for, from `*pc`
   on: all but what stands before a constructor's ENTER, and the returns. (Once its EXIT has run, a
   return may still throw an IllegalMonitorStateException, and that must not call a second hook.) */
bool handlers_guard(const struct layout *l, uint32_t *pc, uint32_t *out_start, uint32_t *out_end);

/* handlers_put writes the table, of which `old` has the rows as they were. WEAVE_WOVEN or why not.
 */
enum weave_status handlers_put(const struct layout *l, struct span old, struct builder *out);

#ifdef __cplusplus
}
#endif
