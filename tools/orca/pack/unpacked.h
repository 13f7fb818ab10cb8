#pragma once
/* Reads a file that `orca pack` made. The file may come from anybody, so nothing in it is trusted:
   - its names are read first, and it is refused unless each is a plain file of one recording;
   - it is unpacked only if the temporary folder has room for it. */
#include "agent/base/extern_c.h"
#include "tools/orca/pack/temporary.h"

BEGIN_C

/* A recording in a temporary folder. All zero: none. */
struct unpacked {
  struct temporary temporary;
  char *prefix; /* of the recording in the folder */
};

/* unpacked_is_pack returns whether this is an existing regular file that is compressed by gzip or
   has the name of a pack. */
bool unpacked_is_pack(const char *name);

/* unpacked_stem_len returns the length of the name of a pack without ".tar.gz" or ".tgz". */
size_t unpacked_stem_len(const char *name);

/* unpacked_open unpacks the file into a new folder in $TMPDIR or /tmp. On an error it appends a
   message to `why` and returns false. Otherwise call unpacked_remove.
   */
bool unpacked_open(struct unpacked *u, const char *name, struct builder *why);
void unpacked_remove(struct unpacked *u);

END_C
