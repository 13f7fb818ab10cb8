#pragma once
/* Runs the program tar or unzip, without a shell, and reads its output. The variables of the user
   that hold options or a language do not reach it. */
#include <sys/types.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

enum tool_program { TOOL_TAR, TOOL_UNZIP };

/* A running program. */
struct tool {
  pid_t pid;
  int output; /* file descriptor: what it prints */
  int errors; /* file descriptor of a file in memory: its messages */
};

/* tool_start starts the program with these arguments, which end with NULL, at most 12. `input` is a
   file descriptor that becomes its standard input. Returns 0 or an errno. If it returns 0, call
   tool_end. */
int tool_start(struct tool *t, enum tool_program program, const char *const *arguments, int input);

/* tool_end waits for the end of the program and closes its files. Returns its exit status, or 128
   plus the signal number. If the status is not 0, it appends the first message, without a newline,
   to `why`. A program that still writes output is ended by its closed pipe. */
int tool_end(struct tool *t, struct builder *why);

END_C
