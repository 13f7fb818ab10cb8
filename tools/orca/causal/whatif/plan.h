#pragma once
/* The edits that gain most, one on top of the other. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/whatif.h"

BEGIN_C

#define PLAN_STEPS 8
#define PLAN_TEXT 256

struct plan_step {
  char text[PLAN_TEXT]; /* of the edit */
  struct edit edit;
  struct prediction prediction; /* with all edits up to this one */
};

/* All zero is empty; plan_free frees the memory. */
struct plan {
  struct plan_step steps[PLAN_STEPS];
  size_t num;
};

/* plan_make finds the best of these edits, then the best one on top of it, and so on, until none
   makes the program 3 % faster: each lock that threads wait for is dropped; each of the hottest
   methods takes half of its time; there are twice as many CPUs; a pool whose tasks wait while all
   its threads are busy has twice as many threads. There must not be a refusal.
   Returns false when memory ran out. */
bool plan_make(struct plan *p, const struct whatif *w);

void plan_free(struct plan *p);

END_C
