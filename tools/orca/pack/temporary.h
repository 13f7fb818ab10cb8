#pragma once
/* A temporary folder for the files of a recording. Only this user can read it. */
#include <sys/types.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* All zero: none. */
struct temporary {
  char *folder;
  pid_t remover; /* the process that removes the folder */
  int lifeline;  /* file descriptor; the remover starts when it is closed */
};

/* temporary_make makes a folder in $TMPDIR or /tmp. On an error it appends a message to `why` and
   returns false. Otherwise call temporary_remove. The folder is also removed if this process ends
   without that call, even by SIGKILL. */
bool temporary_make(struct temporary *t, struct builder *why);
void temporary_remove(struct temporary *t);

/* temporary_room returns how many bytes fit into the folder. */
uint64_t temporary_room(const struct temporary *t);

END_C
