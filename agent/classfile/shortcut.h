#pragma once
/* The code at the very start of a method that calls a static method and returns at once if that
   method returns true. */
#include "agent/base/extern_c.h"
#include "agent/classfile/method.h"
#include "agent/classfile/snippet.h"

BEGIN_C

/* shortcut_make appends the call of `callee` with `this` and all arguments of the method, and the
   return. The end of this code is a jump target, so a stack map frame is needed there. Returns
   WEAVE_WOVEN or the reason for the failure. */
enum weave_status shortcut_make(struct snippet *s, const struct method *m,
                                const struct weave_static *callee, struct pool *pool);

END_C
