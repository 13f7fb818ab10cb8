#pragma once
/* Writes a gzip file (RFC 1952) with uncompressed data. Some readers of pprof accept only gzip, and
   this form needs no compression library. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* gzip_stored appends a complete gzip file that contains `data`. */
void gzip_stored(struct builder *b, struct span data);

END_C
