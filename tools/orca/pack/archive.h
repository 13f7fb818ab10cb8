#pragma once
/* Writes the files of a dump as one compressed file: a tar archive in the format of gzip. */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/render/output.h"

BEGIN_C

/* What archive_write wrote. */
struct archive_size {
  size_t files;
  uint64_t bytes;        /* of these files */
  uint64_t packed_bytes; /* of the archive */
};

/* archive_write writes all files of all sets of the dump. A recording may go on meanwhile. Returns
   false if it failed; then either the output failed (output.h), or it appends a message to `why`.
 */
bool archive_write(struct output *o, const struct dump *d, struct archive_size *size,
                   struct builder *why);

END_C
