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
struct plan {
  const struct weave_hooking *hooking;
  char returns;   /* what it returns, as descriptor_returns says */
  bool has_first; /* local variable 0 is an object */
  enum own_monitor own;
  uint32_t this_class; /* in the constant pool */
  bool has_handler;
};

/* plan_enters: INSERT_ENTER has something to do, plan_exits: INSERT_EXIT has, plan_handles: the
   handler has. */
bool plan_enters(const struct plan *plan);
bool plan_exits(const struct plan *plan);
bool plan_handles(const struct plan *plan);

struct snippets {
  struct snippet inserts[NUM_INSERTS], shortcut, handler;
};

/* snippets_make makes the inserts that the layout uses, and the handler where the plan has one;
   what they need is found in the pool or added. */
void snippets_make(struct snippets *s, const struct plan *plan, const struct layout *l,
                   struct hook_methods *hooks, struct pool *pool);

/* snippets_give gives the layout their bytes. False where memory ran out. */
bool snippets_give(const struct snippets *s, struct layout *l);

/* snippets_stack is how high the stack of the method gets that was `max_stack` high before. */
uint32_t snippets_stack(const struct snippets *s, uint32_t max_stack);

void snippets_free(struct snippets *s);

#ifdef __cplusplus
}
#endif
