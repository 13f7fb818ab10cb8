#pragma once
/* Runs a program and takes what it prints. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

#define CAPTURE_MAX \
  ((size_t)8 << 20) /* bytes that are taken; then the program's output is closed */

/* When to end the program before it ends by itself. */
struct capture_stop {
  bool (*should_stop)(void *arg); /* is asked several times a second */
  void *arg;
};

#define CAPTURE_STOPPED (-2)

/* capture_run runs the program at `path` with the words as its argv and with no input, and appends
   what it prints to `out`: first stderr, which a reader of the beginning must not miss, then
   stdout. Returns its exit status, 0 if its output was closed, 128 plus the number of a signal that
   ended it, or -1 if it cannot be run; then `out` has a sentence. With a `stop` it can also end the
   program and return CAPTURE_STOPPED. */
int capture_run(const char *path, char **words, const struct capture_stop *stop,
                struct builder *out);

END_C
