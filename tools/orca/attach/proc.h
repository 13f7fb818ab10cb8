#pragma once
/* What the texts under /proc/PID tell of a process. Reads bytes only, opens nothing. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lines of /proc/PID/status that matter here. */
struct proc_status {
  char state;      /* 'R', 'S', 'T' stopped, 't' by a debugger, 'Z' ended, … */
  pid_t process;   /* the process that it is, or that it is a thread of */
  pid_t inner_pid; /* its number in its own, the innermost pid namespace */
  uid_t uid;       /* effective */
  gid_t gid;
  uint64_t caught; /* the signals that it handles: bit s-1 for signal s */
};

/* proc_status_read reads a whole status file; false where a line is missing or misspelled. */
bool proc_status_read(struct span text, struct proc_status *out);

/* proc_start_read takes the start time, in clock ticks since the machine's start, out of
   /proc/PID/stat. */
bool proc_start_read(struct span stat, uint64_t *out);

/* proc_next_mapping takes lines off /proc/PID/maps up to the next one that maps a file, and gives
   its path, without the " (deleted)" of a file that is gone. False at the end. */
bool proc_next_mapping(struct span *rest, struct span *out_path);

/* proc_file_name is the last part of a path. */
struct span proc_file_name(struct span path);

/* proc_flag tells whether the words of /proc/PID/cmdline switch the JVM's flag `name` on; the last
   -XX:+NAME or -XX:-NAME counts. */
bool proc_flag(struct span cmdline, const char *name);

#ifdef __cplusplus
}
#endif
