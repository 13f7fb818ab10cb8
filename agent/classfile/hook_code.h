#pragma once
/* The code that is inserted into a method: the calls of the hooks, a few instructions each. */
#include "agent/base/extern_c.h"
#include "agent/classfile/layout.h"
#include "agent/classfile/snippet.h"
#include "agent/classfile/weave.h"

BEGIN_C

enum hook {
#define HOOK(id, name, descriptor, slots) HOOK_##id,
#include "agent/classfile/hooks.def"
#undef HOOK
  NUM_HOOKS
};

/* The hooks of one class file, as methods in the constant pool. Each is added when a call of it is
   written first. All fields except `names` start as zero. */
struct hook_methods {
  const struct weave_hooks *names;
  uint32_t indices[NUM_HOOKS]; /* their numbers in the constant pool; 0: not added yet */
};

/* hook_call appends code that pushes `id` and calls the hook. The other arguments must be on the
   stack already. The call takes all arguments off the stack. */
void hook_call(struct hook_methods *hooks, enum hook hook, int32_t id, struct snippet *s,
               struct pool *pool);

/* The monitor that a `synchronized` method holds from its entry to its exit, if it is hooked. */
enum own_monitor { OWN_NONE, OWN_LOCAL_ZERO /* the object in local variable 0 */, OWN_CLASS };

/* The properties of a method that its hook code depends on. */
struct method_plan {
  const struct weave_hooking *hooking;
  char return_type;    /* as descriptor_return_type returns it */
  bool has_local_zero; /* local variable 0 holds an object where `enter` is called */
  bool has_local_one;  /* local variable 1 does; only for methods with a `this` */
  enum own_monitor own_monitor;
  uint32_t this_class; /* its class's number in the constant pool */
  bool has_handler;
};

/* These tell whether INSERT_ENTER, INSERT_EXIT and the handler contain any code. */
bool method_plan_needs_enter(const struct method_plan *plan);
bool method_plan_needs_exit(const struct method_plan *plan);
bool method_plan_needs_handler(const struct method_plan *plan);

struct hook_code {
  struct snippet inserts[NUM_INSERTS], shortcut, handler;
};

/* hook_code_make makes the inserts that the layout uses, and the handler if plan->has_handler. It
   finds the constants that they need in the pool or adds them. */
void hook_code_make(struct hook_code *code, const struct method_plan *plan, const struct layout *l,
                    struct hook_methods *hooks, struct pool *pool);

/* hook_code_attach makes the layout refer to the bytes of the hook code, which must outlive it.
   Returns false if memory ran out while the code was made. */
bool hook_code_attach(const struct hook_code *code, struct layout *l);

/* hook_code_max_stack returns the max_stack of the woven method. `max_stack` is that of the
   original method. */
uint32_t hook_code_max_stack(const struct hook_code *code, uint32_t max_stack);

void hook_code_free(struct hook_code *code);

END_C
