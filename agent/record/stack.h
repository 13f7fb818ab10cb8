#pragma once
/* A stack of a thread, known once for all events that have it. */
#include <stddef.h>
#include <stdint.h>

#include "agent/record/intern.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stack {
  struct interned key;
  uint32_t num_frames;
  uint32_t uses;      /* 0: shared and immortal; else: uses left of a stack of its own, atomic */
  uint64_t sample_id; /* its last number in .samples, 0: none yet; writer thread only */
  uint32_t set;       /* of files in which its methods were last defined (writer/known.h), 0: none;
                         writer thread only */
  const char *text;   /* as a line of a file has it */
  size_t text_len;
};

/* stack_release ends one use of a stack; a stack that is not shared goes with its last. NULL is
   allowed. Any thread. */
void stack_release(struct stack *s);

#ifdef __cplusplus
}
#endif
