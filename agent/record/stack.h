#pragma once
/* The stack of a thread. All records with the same frames share one struct stack, which is never
   freed. When the table of stacks is full, each event or pair gets a stack of its own. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "agent/base/extern_c.h"
#include "agent/record/intern.h"

BEGIN_C

struct stack {
  struct interned key;
  uint32_t num_frames;
  uint32_t uses;      /* 0: shared, never freed; else the number of records that still use it;
                         atomic */
  uint64_t sample_id; /* its last id in .samples, 0: none yet; writer thread only */
  uint32_t set;       /* the set of files in which its methods were last defined, 0: none; writer
                         thread only, see files/definitions.h */
  struct stack *near; /* of a shared stack: the part of it down to the program, which may be all of
                         it; NULL: not known. Atomic */
  const char *text;   /* the field of a line: "depth;method;location;…" */
  size_t text_len;
};

/* stack_release ends one use of a stack. The last use of a stack that is not shared frees it. NULL
   is allowed. Any thread. */
static inline void stack_release(struct stack *s) {
  if (s == NULL || __atomic_load_n(&s->uses, __ATOMIC_RELAXED) == 0) return;
  if (__atomic_sub_fetch(&s->uses, 1, __ATOMIC_ACQ_REL) == 0) free(s);
}

END_C
