#pragma once
/* Variants of the simulation. What a recording does not tell exactly differs between them, so the
   differences of their results show how much a prediction depends on it. variant.def has the rows.
 */

#include "agent/base/extern_c.h"

BEGIN_C

enum variant_id {
#define VARIANT(id, cost, hand_off, others) VARIANT_##id,
#include "tools/orca/causal/whatif/variant.def"
#undef VARIANT
  NUM_VARIANTS
};

struct variant {
  double cost, hand_off, others; /* the columns of variant.def */
};

extern const struct variant variants[NUM_VARIANTS];

END_C
