#pragma once
/* The files of a snapshot: the sets of a recording under a second prefix. A finished set never
   changes, so its files get a hard link each, or a copy where the file system allows no link. All
   links of a set exist when its .orca does, by which readers find a set. Writer thread only. */
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/writer/dump_file.h"

BEGIN_C

struct snapshot_files {
  const char *name; /* the second prefix */
  char path[4200];  /* the file that was in the way, or could not be made */
};

/* snapshot_files_exist returns whether there is any file of the second prefix, and sets `path`. */
bool snapshot_files_exist(struct snapshot_files *s);

/* snapshot_files_can_write returns whether files can be made in the folder of the second prefix.
   False with errno and `path`. */
bool snapshot_files_can_write(struct snapshot_files *s);

/* snapshot_files_add adds a finished set of `files`, with its number. Number 0 is the current set,
   which is copied up to its last flush. Returns false with errno and `path`; then no file of the
   set is left. */
bool snapshot_files_add(struct snapshot_files *s, const struct dump_file files[NUM_FILES],
                        unsigned number);

/* snapshot_files_remove removes what snapshot_files_add has added. */
void snapshot_files_remove(struct snapshot_files *s, unsigned number);

END_C
