#pragma once
/* A hash of 64 bits that stands for a text, where so many texts are met that keeping and comparing
   them would cost more than the answer is worth: among a million texts two share it with a chance
   of 3 in 100 million. Whoever writes files for it can make two texts share it; so nothing but
   counts may depend on it. */
#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

uint64_t digest(struct span text);

#ifdef __cplusplus
}
#endif
