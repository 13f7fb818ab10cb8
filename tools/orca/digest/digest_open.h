#pragma once
/* Opens a digest in the place of a recording: a dump without events and samples, and a model whose
   numbers and sums come from the digest. */
#include "agent/base/extern_c.h"
#include "tools/orca/digest/digest_file.h"
#include "tools/orca/pack/unpacked.h"

BEGIN_C

/* digest_open reads the digest `name` and writes its tables into a temporary folder, of which
   u->prefix is the prefix of a dump. On an error it appends a message to `why` and returns false.
   Otherwise call unpacked_remove and digest_file_free. */
bool digest_open(struct digest_file *out, struct unpacked *u, const char *name,
                 struct builder *why);

/* digest_fill fills `*m` with what the digest says; all that needs events, samples or stacks stays
   empty. `d` is the dump of the digest. It takes the sums out of `f`. It returns false when memory
   ran out; call model_free either way. */
bool digest_fill(struct model *m, struct dump *d, struct digest_file *f);

END_C
