#pragma once
/* Methods that are known to make programs slow (known.def), as far as they matter in a recording.
 */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

struct known {
  const char *class_end, *method; /* see known.def */
  enum profile_value value;       /* PROFILE_BLOCKED: waits of all kinds; PROFILE_CPU */
  const char *why, *advice, *source;
};

#define KNOWN_MOST 64

extern const struct known knowns[];
extern const size_t num_knowns;

struct known_found {
  const struct known *known;
  uint32_t method; /* the MethodID that was found first */
  ticks_t time;    /* of all threads in which the method is on the stack */
  ticks_t whole;   /* of the same value, of all threads */
  size_t threads;
};

/* known_find finds the rows that matter, the largest time first: at least two threads were in the
   method, and for a notable part of the time. `out` has room for KNOWN_MOST. It returns their
   number. The model must be complete. */
size_t known_find(const struct model *m, struct known_found *out);

END_C
