#pragma once
/* Which dumps did this run leave behind? */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct new_dump {
  char *prefix;
  uint64_t pid;   /* of the JVM */
  uint64_t bytes; /* of its events */
};

/* All zero is none; new_dumps_free gives the memory back. */
struct new_dumps {
  struct new_dump *dumps; /* most events first */
  size_t num, capacity;
};

/* new_dumps_find looks for the dumps whose prefix `prefix` stands for (with its %p and %t) and
   whose recording began at `since_ns` of the monotonic clock or later. False: memory ran out. */
bool new_dumps_find(struct new_dumps *w, const char *prefix, uint64_t since_ns);

/* new_dumps_keep drops the dumps of other processes than `pid`, if there is one of it: when the
   command is a JVM, another run in the same folder is none of its business. */
void new_dumps_keep(struct new_dumps *w, pid_t pid);

void new_dumps_free(struct new_dumps *w);

#ifdef __cplusplus
}
#endif
