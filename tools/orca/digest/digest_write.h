#pragma once
/* Writes a digest. */
#include "tools/orca/digest/digest_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* digest_write appends the digest of a recording: its model, which is complete and without a
   filter, and its figures for budgets. What is too much is cut (DIGEST_MOST_…), and the digest says
   so. It returns false when memory ran out. */
bool digest_write(struct builder *b, const struct model *m, const struct figures *figures);

#ifdef __cplusplus
}
#endif
