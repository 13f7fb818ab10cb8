#include "tools/orca/attach/user.h"

#include <errno.h>
#include <grp.h>
#include <unistd.h>

bool user_become(struct user user, struct user *out_before) {
  *out_before = (struct user){geteuid(), getegid()};
  if (out_before->uid != 0) return true;
  /* Some containers forbid it; their processes have no supplementary groups. */
  (void)!setgroups(0, NULL);
  if (setegid(user.gid) == 0 && seteuid(user.uid) == 0) return true;
  int error = errno;
  user_return(*out_before);
  errno = error;
  return false;
}

/* Restores the uid first, because only root may change the group. */
void user_return(struct user before) {
  if (before.uid != 0) return;
  int error = errno;
  (void)!seteuid(before.uid);
  (void)!setegid(before.gid);
  errno = error;
}
