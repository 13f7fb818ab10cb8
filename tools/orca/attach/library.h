#pragma once
/* The agent's library, seen from the process that is to load it. */
#include <limits.h>

#include "tools/orca/attach/refusal.h"
#include "tools/orca/attach/target.h"

#ifdef __cplusplus
extern "C" {
#endif

struct library {
  char path[PATH_MAX]; /* as the process sees it */
  bool copied;         /* it is a copy in /tmp of the process, made for it */
};

/* library_loaded finds the agent that is in the process already; false where there is none. Only
   by this very path the JVM takes it for the same and does not load another beside it. */
bool library_loaded(const struct target *t, struct library *out);

/* library_provide makes our library `own` one that the process can load: as it lies there if the
   process sees it, else as a copy in its /tmp. */
bool library_provide(const struct target *t, const char *own, struct library *out,
                     struct refusal *why);

/* library_withdraw removes the copy again, if there is one: when the JVM did not want it. */
void library_withdraw(const struct target *t, const struct library *library);

#ifdef __cplusplus
}
#endif
