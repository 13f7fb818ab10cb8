#include "tools/orca/causal/whatif/variant.h"

const struct variant variants[NUM_VARIANTS] = {
#define VARIANT(id, cost, hand_off, others) [VARIANT_##id] = {cost, hand_off, others},
#include "tools/orca/causal/whatif/variant.def"
#undef VARIANT
};
