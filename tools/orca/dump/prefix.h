#pragma once
/* Which dump a person means. */
#include <stdbool.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* prefix_find turns what the user gave, a prefix or the name of one of the files, into the prefix
   of a dump whose .orca exists. Appends it to `out`, with a NUL behind, or appends to `why` what is
   wrong, for a person. */
bool prefix_find(const char *name, struct builder *out, struct builder *why);

#ifdef __cplusplus
}
#endif
