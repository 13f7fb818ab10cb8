#pragma once
/* Which dumps did this run leave behind? */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct written_dump {
  char *prefix;
  uint64_t pid;   /* of the JVM */
  uint64_t bytes; /* of its events */
};

/* All zero is none; written_free gives the memory back. */
struct written {
  struct written_dump *dumps; /* most events first */
  size_t num, capacity;
};

/* written_find looks for the dumps whose prefix `prefix` stands for (with its %p and %t) and whose
   recording began at `since_ns` of the monotonic clock or later. False: memory ran out. */
bool written_find(struct written *w, const char *prefix, uint64_t since_ns);

/* written_keep drops the dumps of other processes than `pid`, if there is one of it: when the
   command is a JVM, another run in the same folder is none of its business. */
void written_keep(struct written *w, pid_t pid);

void written_free(struct written *w);

#ifdef __cplusplus
}
#endif
