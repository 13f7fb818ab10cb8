#pragma once
/* The hooks' methods in the constant pool, each put there when it is called for the first time. */
#include "agent/classfile/snippet.h"
#include "agent/classfile/weave.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hook {
#define HOOK(id, name, descriptor, slots) HOOK_##id,
#include "agent/classfile/hooks.def"
#undef HOOK
  NUM_HOOKS
};

/* Of one class: all zero but `names` before the first call. */
struct hook_methods {
  const struct weave_hooks *names;
  uint32_t indices[NUM_HOOKS]; /* 0: not there yet */
};

/* hook_call appends the number of the hooking, and the call, which takes its arguments off the
   stack. */
void hook_call(struct hook_methods *hooks, enum hook hook, int32_t id, struct snippet *s,
               struct pool *pool);

#ifdef __cplusplus
}
#endif
