#pragma once
/* Finds the dump that the user named. */
#include <stdbool.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* prefix_find takes a prefix or the name of a file of a dump. If its .orca or a finished set
   exists, it appends the prefix and a NUL to `out` and returns true. Otherwise it appends a message
   for the user to `why` and returns false. */
bool prefix_find(const char *name, struct builder *out, struct builder *why);

/* prefix_stem_len returns the length of the name without the suffix of a dump file; the length of
   the name if it has none. */
size_t prefix_stem_len(const char *name);

END_C
