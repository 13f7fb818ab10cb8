#pragma once
/* What a user names instead of a prefix: a file of `orca pack`, a zip file, or a folder. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

enum located_kind { LOCATED_DUMP, LOCATED_PACK, LOCATED_ZIP };

/* Free it with located_free. */
struct located {
  enum located_kind kind;
  struct builder path;   /* of the dump or the file, with a NUL */
  const char *recording; /* in the zip file, part of the name; NULL: the only one */
};

/* located_find finds what `name` is, which must outlive `out`:
   - the prefix of a dump or one of its files;
   - a file of `orca pack`; a zip file; ZIP/NAME, a recording in a zip file;
   - a folder with one recording, or with an outputs.zip and no recording, as Bazel leaves it; or
     FOLDER/NAME, a recording in this outputs.zip.
   Anything else is a dump, which dump_open refuses. Returns false, and appends a message to `why`,
   if a folder contains several recordings or memory ran out. */
bool located_find(struct located *out, const char *name, struct builder *why);
void located_free(struct located *l);

END_C
