#pragma once
/* Parses the contents of files of /proc/PID. It does not open them. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of /proc/PID/status. */
struct proc_status {
  char state;      /* 'R', 'S', 'T' stopped, 't' stopped by a debugger, 'Z' zombie, … */
  pid_t process;   /* the thread group; differs from PID if PID is a thread */
  pid_t inner_pid; /* PID in the innermost pid namespace of the process */
  uid_t uid;       /* effective */
  gid_t gid;       /* effective */
  uint64_t caught; /* signals with a handler: bit s-1 for signal s */
};

/* proc_status_read parses a complete status file. Returns false if a line is missing or malformed.
 */
bool proc_status_read(struct span text, struct proc_status *out);

/* proc_start_read gets the start time from /proc/PID/stat, in clock ticks since the machine booted.
   Returns false if the text is malformed. */
bool proc_start_read(struct span stat, uint64_t *out);

/* proc_next_mapping removes the lines of /proc/PID/maps up to the next one that maps a file. It
   returns the path without the " (deleted)" of a removed file. Returns false at the end. */
bool proc_next_mapping(struct span *rest, struct span *out_path);

/* proc_file_name returns the last part of a path. */
struct span proc_file_name(struct span path);

/* proc_has_flag returns whether /proc/PID/cmdline enables the JVM flag `name`. The last -XX:+NAME
   or -XX:-NAME counts. */
bool proc_has_flag(struct span cmdline, const char *name);

#ifdef __cplusplus
}
#endif
