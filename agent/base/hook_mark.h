#pragma once
/* A mark on the stack of a thread while it runs a hook of the agent. CPU samples copy the stack, so
   their decoder sees it. Code that runs below the mark is Orca's own, or was called by it. It works
   in a signal handler's copy, where a thread-local variable could not be read safely. */
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define HOOK_MARK ((uintptr_t)0x4F7263614D61726Bu) /* "OrcaMark" */

/* The second word is the address of the first one, so a copy of the words is no mark. */
struct hook_mark {
  volatile uintptr_t magic, self;
};

static inline void hook_mark_set(struct hook_mark *m) {
  m->self = (uintptr_t)m;
  m->magic = HOOK_MARK;
}

/* hook_mark_clear must be called before the function returns: its stack may be used again without a
   write to it. */
static inline void hook_mark_clear(struct hook_mark *m) { m->magic = 0; }

END_C
