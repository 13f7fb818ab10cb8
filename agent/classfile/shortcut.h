#pragma once
/* What asks, before all else, whether a method is to return at once. */
#include "agent/classfile/method.h"
#include "agent/classfile/snippet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* shortcut_make appends the call of `asked` with all arguments of the method, and the return. It
   ends where the method goes on: a stack map frame is needed there. WEAVE_WOVEN or why not. */
enum weave_status shortcut_make(struct snippet *s, const struct method *m,
                                const struct weave_static *asked, struct pool *pool);

#ifdef __cplusplus
}
#endif
