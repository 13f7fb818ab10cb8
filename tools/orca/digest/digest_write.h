#pragma once
/* Writes a digest. */
#include "agent/base/extern_c.h"
#include "tools/orca/digest/digest_file.h"

BEGIN_C

/* digest_write appends the digest of a recording: its model, which is complete and without a
   filter, and its figures for budgets. What is too much is cut (DIGEST_MOST_…), and the digest says
   so. It returns false when memory ran out. */
bool digest_write(struct builder *b, const struct model *m, const struct figures *figures);

END_C
