#pragma once
/* Numbers of stacks that are the same in all runs: a hash of the names of the methods and of their
   lines. Stacks that differ only in bytecode locations, overloads or class loaders share one. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* Start with `model` set and everything else zero. stack_keys_free frees the memory. */
struct stack_keys {
  const struct model *model; /* the caller's */
  uint64_t *keys;            /* by stack_id_t; 0: not computed yet */
  size_t num;
  struct builder text;
};

/* stack_keys_find sets `*out` to the number of a stack, which is 0 only for the empty stack. It
   returns false when memory ran out. */
bool stack_keys_find(struct stack_keys *k, stack_id_t stack, uint64_t *out);

/* stack_keys_top returns the MethodID of the innermost frame that is a method. If there is none, it
   returns the only pseudo frame; 0 for the empty stack. */
uint32_t stack_keys_top(const struct stack_keys *k, stack_id_t stack);

void stack_keys_free(struct stack_keys *k);

END_C
