#pragma once
/* Whether two names are those of one file. */
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* same_file returns whether both names lead to one file: through links, or in different spellings
   of its path. The files need not exist yet. "-" is stdout. Devices such as /dev/null may be
   written twice. */
bool same_file(const char *a, const char *b);

END_C
