#pragma once
/* The files that triggers have kept: snapshots PREFIX.trigger-1, PREFIX.trigger-2 and so on. Each
   has all sets that the recording had at that moment. The first one of a recording stays, as it
   shows how the trouble began, and the newest ones, TRIGGER_FILES_MAX in all. Writer only. */
#include <stddef.h>

#include "agent/base/extern_c.h"
#include "agent/writer/output.h"

BEGIN_C

#define TRIGGER_FILES_MAX 4

/* All zero is empty. */
struct trigger_files {
  unsigned last; /* N of the newest; 0: none */
  size_t num;
  struct kept_files {
    unsigned number, first_set, num_sets;
  } kept[TRIGGER_FILES_MAX]; /* oldest first */
};

/* trigger_files_keep keeps the files up to now under the next name of which no file exists. A
   recording in one set keeps all its files anyway. `outcome` becomes the rest of a sentence for the
   user: "; the files up to now are kept as …", why they are not, or "". */
void trigger_files_keep(struct trigger_files *t, struct output *o, char *outcome, size_t size);

END_C
