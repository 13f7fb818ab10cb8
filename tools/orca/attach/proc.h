#pragma once
/* Parses the contents of files of /proc/PID. It does not open them. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

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

/* proc_next_option removes the next option from a text such as that of JAVA_TOOL_OPTIONS, and
   writes it to `*out`, which it empties first. Options end at spaces and newlines outside of
   quotes; the quotes are left out. With `has_comments`, as in an @ file, '#' before an option
   begins a comment up to the end of the line. Returns false at the end, or when memory ran out. */
bool proc_next_option(struct span *rest, bool has_comments, struct builder *out);

/* proc_variable gets the value of a variable from /proc/PID/environ. Returns false if it is not
   set. */
bool proc_variable(struct span variables, const char *name, struct span *out);

END_C
