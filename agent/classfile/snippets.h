#pragma once
/* What is put into a method: the calls of the hooks, a few instructions each. */
#include "agent/classfile/pool.h"
#include "agent/classfile/weave.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The hooks' methods in the constant pool. */
struct hook_methods {
  uint32_t enter, exit, exit_by_exception;
};

struct snippets {
  struct builder enter, exit, handler; /* the last two empty where only `enter` is wanted */
};

/* snippets_make fills in all three; what they need is found in the pool or added. WEAVE_WOVEN or
   why not; snippets_free in either case. */
enum weave_status snippets_make(struct snippets *s, const struct weave_hooking *hooking,
                                bool has_this, const struct hook_methods *hooks, struct pool *pool);
void snippets_free(struct snippets *s);

#ifdef __cplusplus
}
#endif
