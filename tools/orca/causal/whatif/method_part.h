#pragma once
/* How much of what threads do is inside of a method. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/script.h"

BEGIN_C

struct method_part {
  float *of_site;   /* by site of the script: its part of the CPU time, by samples */
  float *of_stack;  /* by stack: 1 if the method is on it */
  uint32_t tracked; /* the tracked method that matches: calls tell exactly what is inside; or 0 */
  bool is_found;    /* a method that matches is on a stack of the recording */
};

/* method_part_read fills an empty struct for the methods that match a pattern. Returns false when
   memory ran out; call method_part_free either way. */
bool method_part_read(struct method_part *p, const struct script *s, const char *pattern);

void method_part_free(struct method_part *p);

END_C
