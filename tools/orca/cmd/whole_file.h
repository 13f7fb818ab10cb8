#pragma once
/* Files that are replaced as a whole, so that a full disk does not destroy the old text. */
#include <sys/types.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* whole_file_replace writes the text to the file in one step: a reader sees the old text or the new
   one. A symbolic link stays one. `mode` 0: that of the old file, or of a new one. It is
   written in place if no other file can be made beside it, if it is a mount of its own, or if it is
   a link to a file that does not exist. Returns false with
   the reason in `errno`. */
bool whole_file_replace(const char *name, struct span text, mode_t mode);

END_C
