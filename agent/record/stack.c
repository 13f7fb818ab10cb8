#include "agent/record/stack.h"

#include <stdlib.h>

void stack_release(struct stack *s) {
  if (s == NULL || __atomic_load_n(&s->uses, __ATOMIC_RELAXED) == 0) return;
  if (__atomic_sub_fetch(&s->uses, 1, __ATOMIC_ACQ_REL) == 0) free(s);
}
