#pragma once
/* A progress line on a terminal: "reading  █████░░░░░   45 %  1.2 GB of 2.7 GB". It appears after
   one second; progress_hide erases it. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* Not thread-safe. */
struct progress {
  int fd; /* -1: not a terminal */
  bool shown;
  uint64_t done, total;    /* bytes */
  uint64_t started, drawn; /* nanoseconds of the monotonic clock */
};

/* progress_start begins to count. If `fd` is not a terminal, no line is ever drawn. */
void progress_start(struct progress *p, int fd, uint64_t total);

/* progress_add adds bytes to `done`. It draws the line at most ten times per second. */
void progress_add(struct progress *p, uint64_t bytes);

/* progress_hide erases the line. A later progress_add may draw it again. */
void progress_hide(struct progress *p);

/* progress_write appends the text of the line to a builder. */
struct builder;
void progress_write(struct builder *b, const struct progress *p);

END_C
