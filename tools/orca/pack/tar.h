#pragma once
/* Runs the program tar, without a shell, and reads its output. The variables TAR_OPTIONS and LC_ALL
   of the user do not reach it. */
#include <sys/types.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A running tar. */
struct tar {
  pid_t pid;
  int output; /* file descriptor: what tar prints */
  int errors; /* file descriptor of a file in memory: its messages */
};

/* tar_start starts tar with these arguments, which end with NULL, at most 12. `input` is a file
   descriptor that becomes its standard input. Returns 0 or an errno. If it returns 0, call tar_end.
 */
int tar_start(struct tar *t, const char *const *arguments, int input);

/* tar_end waits for the end of tar and closes its files. Returns its exit status, or 128 plus the
   signal number. If the status is not 0, it appends the first message of tar, without a newline, to
   `why`. A tar that still writes output is ended by its closed pipe. */
int tar_end(struct tar *t, struct builder *why);

#ifdef __cplusplus
}
#endif
