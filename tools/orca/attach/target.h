#pragma once
/* The process to attach to: is it there, may we, is it a JVM that listens? Everything is asked of
   one open /proc/PID, which never turns into another process that got the same number. */
#include <stdbool.h>
#include <sys/types.h>

#include "agent/base/bytes.h"
#include "tools/orca/attach/bounded_wait.h"
#include "tools/orca/attach/refusal.h"
#include "tools/orca/attach/user.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A target is opened by target_open, and constant from then on. */
struct target {
  pid_t pid;        /* as we see it */
  pid_t inner_pid;  /* as it sees itself: in a container often 1 */
  struct user user; /* it runs as this one */
  bool same_files;  /* a path means the same file to it and to us */
  int proc;         /* /proc/PID */
  int tmp;          /* its /tmp */
};

/* target_open finds the process `pid` and makes sure that it is a HotSpot JVM that can be attached
   to; one that was started a moment ago is given time to become that. Does nothing to it. False:
   `why` says what stands against it, and there is nothing to close. */
bool target_open(struct target *t, pid_t pid, const struct bounded_wait *w, struct refusal *why);
void target_close(struct target *t);

/* target_signal sends a signal; false (errno) when that failed, as when the process has ended. */
bool target_signal(const struct target *t, int signal);

/* target_ended tells whether the process is gone. */
bool target_ended(const struct target *t);

/* target_read appends a file of /proc/PID; false (errno) when it cannot be read. */
bool target_read(const struct target *t, const char *name, struct builder *b);

/* target_open_file opens what the process sees at an absolute path, with our rights and, where
   those do not do, with its user's. -1 (errno) when neither do. */
int target_open_file(const struct target *t, const char *path, int flags);

#ifdef __cplusplus
}
#endif
