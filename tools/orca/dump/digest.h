#pragma once
/* A 64-bit hash that replaces a text where keeping and comparing all texts would cost too much.
   Among a million texts, two have the same hash with a probability of 3 in 100 million. The hash is
   not cryptographic: a crafted file can contain two texts with the same hash. Therefore only counts
   may depend on it. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

uint64_t digest(struct span s);

END_C
