#pragma once
/* Finds the dumps that a run has written. */
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
  uint64_t bytes; /* size of its .orca */
};

/* All zero is empty; free it with new_dumps_free. */
struct new_dumps {
  struct new_dump *rows; /* largest .orca first */
  size_t num, capacity;
};

/* new_dumps_find finds the dumps that match `prefix`, with any text for its %p and %t. It ignores
   recordings that began before `since_ns` of the monotonic clock. Returns false if memory ran out.
 */
bool new_dumps_find(struct new_dumps *dumps, const char *prefix, uint64_t since_ns);

/* new_dumps_keep keeps only the dump of the process `pid`, if there is one. If the command is a
   JVM, this removes the dumps of other runs in the same folder. */
void new_dumps_keep(struct new_dumps *dumps, pid_t pid);

void new_dumps_free(struct new_dumps *dumps);

#ifdef __cplusplus
}
#endif
