#pragma once
/* The agent library, by the path that the target process sees. */
#include <limits.h>

#include "agent/base/extern_c.h"
#include "tools/orca/attach/refusal.h"
#include "tools/orca/attach/target.h"

BEGIN_C

struct library {
  char path[PATH_MAX]; /* as the process sees it */
  bool is_copy;        /* library_provide copied it to /tmp of the process, where it still is */
};

/* library_find_loaded finds the agent that the process has already loaded. Returns false if there
   is none. The JVM must be given exactly this path, otherwise it loads a second agent. */
bool library_find_loaded(const struct target *t, struct library *out);

/* library_provide makes the agent `agent_path` loadable by the process. If the process cannot read
   that file, it copies the file to /tmp of the process. Returns false and sets `why` on an error.
 */
bool library_provide(const struct target *t, const char *agent_path, struct library *out,
                     struct refusal *why);

/* library_remove_copy removes the copy of library_provide, if there is one, after the JVM loaded it
   or refused to. A loaded copy stays if the C library of the process needs the file for the next
   command. */
void library_remove_copy(const struct target *t, struct library *library);

END_C
