#pragma once
/* The hooks' methods in the constant pool. Each is added when a call of it is written first. */
#include "agent/base/extern_c.h"
#include "agent/classfile/snippet.h"
#include "agent/classfile/weave.h"

BEGIN_C

enum hook {
#define HOOK(id, name, descriptor, slots) HOOK_##id,
#include "agent/classfile/hooks.def"
#undef HOOK
  NUM_HOOKS
};

/* The hooks of one class file. All fields except `names` start as zero. */
struct hook_methods {
  const struct weave_hooks *names;
  uint32_t indices[NUM_HOOKS]; /* their numbers in the constant pool; 0: not added yet */
};

/* hook_call appends code that pushes `id` and calls the hook. The other arguments must be on the
   stack already. The call takes all arguments off the stack. */
void hook_call(struct hook_methods *hooks, enum hook hook, int32_t id, struct snippet *s,
               struct pool *pool);

END_C
