#pragma once
/* Definitions on their way to a file: lines whose text is ready-made, in order of time. A table
   (classes, methods, objects) publishes a definition here before anything can name it, and the
   writer takes all there is before it writes the events that may name them. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct definition {
  struct definition *next;
  uint64_t time_ns;
  size_t len;
  char body[]; /* what stands behind "timestamp,", with the '\n' */
};

/* The lock is also the one of the table that fills the outbox: only under it may the table grow.
   No JVM function is called under it, so a thread that the JVM stops never holds it. */
struct outbox {
  pthread_mutex_t lock;
  struct definition *first, **last; /* under lock */
};

void outbox_init(struct outbox *box);

/* outbox_lock, outbox_unlock: any thread, for moments. */
void outbox_lock(struct outbox *box);
void outbox_unlock(struct outbox *box);

/* outbox_put appends a copy of `body`, stamped now. Under the lock. False without memory. */
bool outbox_put(struct outbox *box, const struct builder *body);

/* outbox_take gives all definitions so far, oldest first; the caller frees each. Any thread. */
struct definition *outbox_take(struct outbox *box);

#ifdef __cplusplus
}
#endif
