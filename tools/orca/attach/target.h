#pragma once
/* The process to attach to. target_open checks that it exists, that the user may attach to it, and
   that it is a JVM that can be attached to. All functions use one open directory /proc/PID, which
   never refers to a later process with the same pid. */
#include <stdbool.h>
#include <sys/types.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "tools/orca/attach/bounded_wait.h"
#include "tools/orca/attach/refusal.h"

BEGIN_C

struct user {
  uid_t uid;
  gid_t gid;
};

/* Constant after target_open. */
struct target {
  pid_t pid;         /* in the pid namespace of this program */
  pid_t inner_pid;   /* in its own pid namespace; in a container often 1 */
  struct user user;  /* its effective user */
  bool shares_files; /* a path refers to the same file for it and for this program */
  int proc;          /* /proc/PID */
  int tmp;           /* its /tmp */
};

/* target_open opens the process `pid` and checks that it is a HotSpot JVM that can be attached to.
   It waits for a process that was started a moment ago to become one. It does not change the
   process. On an error it returns false, sets `why`, and leaves nothing to close. */
bool target_open(struct target *t, pid_t pid, const struct bounded_wait *w, struct refusal *why);
void target_close(struct target *t);

/* target_signal sends a signal. Returns false and sets errno on an error, for example if the
   process has ended. */
bool target_signal(const struct target *t, int signal);

/* target_has_ended returns whether the process has ended; a zombie has. */
bool target_has_ended(const struct target *t);

/* target_read appends a file of /proc/PID. Returns false and sets errno on an error. */
bool target_read(const struct target *t, const char *name, struct builder *b);

/* target_is_young returns whether the process was started less than `young_ms` ago. */
bool target_is_young(const struct target *t, uint64_t young_ms);

/* target_open_proc opens a file of /proc/PID. Root of a container may lack a permission that the
   user of the process has, and vice versa, so it tries both. Returns -1 and sets errno on an error.
 */
int target_open_proc(const struct target *t, const char *path, int flags);

/* target_open_file opens an absolute path of the process. If the effective user has no permission,
   it tries the user of the process. Returns -1 and sets errno on an error. */
int target_open_file(const struct target *t, const char *path, int flags);

/* --- its user ----------------------------------------------------------------------------- */

/* A JVM accepts only files and connections of its own user. Also, root should write into folders of
   other users with their permissions.

   user_become makes `user` the effective user if the caller is root. user_return restores
   `*out_before`. For other callers both do nothing; `user` must then be the caller. The
   supplementary groups of root are not restored, because root does not need them. For a process
   with one thread. Returns false and sets errno if the system refused. */
bool user_become(struct user user, struct user *out_before);
void user_return(struct user before);

END_C
