#pragma once
/* Changes the effective user to that of another process for a while. A JVM accepts only files and
   connections of its own user. Also, root should write into folders of other users with their
   permissions. */
#include <stdbool.h>
#include <sys/types.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct user {
  uid_t uid;
  gid_t gid;
};

/* user_become makes `user` the effective user if the caller is root. user_return restores
   `*out_before`. For other callers both do nothing; `user` must then be the caller. The
   supplementary groups of root are not restored, because root does not need them. For a process
   with one thread. Returns false and sets errno if the system refused. */
bool user_become(struct user user, struct user *out_before);
void user_return(struct user before);

END_C
