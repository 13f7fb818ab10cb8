#pragma once
/* When threads held locks whose releases have no lines, such as monitors by default. The waits of
   others tell: a thread that waited for an owner shows that the owner held the lock from the
   beginning of the wait, or from the owner's own acquisition, to the end of the wait.

   A hold during which no thread waited is not known. A hold may have begun before the first thread
   waited. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/trace/trace.h"

BEGIN_C

struct known_hold {
  uint32_t thread, lock; /* rows of the trace */
  ticks_t from, to;
  uint32_t acquire; /* the acquisition with which it begins, as operation plus one; 0: it began
                       without a line */
};

/* All zero is empty; known_holds_free frees the memory. */
struct known_holds {
  struct known_hold *rows; /* by thread, then by `from` */
  size_t num, capacity;
};

/* known_holds_infer finds the holds of all locks without releases. Returns false when memory ran
 * out. */
bool known_holds_infer(struct known_holds *h, const struct trace *t);

/* known_holds_of returns the holds of a thread, and sets `*out_num` to their number. */
const struct known_hold *known_holds_of(const struct known_holds *h, uint32_t thread,
                                        size_t *out_num);

void known_holds_free(struct known_holds *h);

END_C
