#pragma once
/* What is put into a method: the calls of the hooks, a few instructions each. */
#include "agent/classfile/hooks.h"
#include "agent/classfile/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The monitor that a method holds all the time. */
enum own_monitor { OWN_NONE, OWN_FIRST /* of local variable 0 */, OWN_CLASS };

/* What has to be known of the method. */
struct method_plan {
  const struct weave_hooking *hooking;
  char returns;   /* what it returns, as descriptor_returns says */
  bool has_first; /* local variable 0 is an object */
  enum own_monitor own;
  uint32_t this_class; /* in the constant pool */
  bool has_handler;
};

/* method_plan_enters: INSERT_ENTER has something to do, method_plan_exits: INSERT_EXIT has,
   method_plan_handles: the handler has. */
bool method_plan_enters(const struct method_plan *plan);
bool method_plan_exits(const struct method_plan *plan);
bool method_plan_handles(const struct method_plan *plan);

struct hook_code {
  struct snippet inserts[NUM_INSERTS], shortcut, handler;
};

/* hook_code_make makes the inserts that the layout uses, and the handler where the plan has one;
   what they need is found in the pool or added. */
void hook_code_make(struct hook_code *s, const struct method_plan *plan, const struct layout *l,
                    struct hook_methods *hooks, struct pool *pool);

/* hook_code_give gives the layout their bytes. False where memory ran out. */
bool hook_code_give(const struct hook_code *s, struct layout *l);

/* hook_code_stack is how high the stack of the method gets that was `max_stack` high before. */
uint32_t hook_code_stack(const struct hook_code *s, uint32_t max_stack);

void hook_code_free(struct hook_code *s);

#ifdef __cplusplus
}
#endif
