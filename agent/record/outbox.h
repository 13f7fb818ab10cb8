#pragma once
/* A list of definitions (lines of .classtable, .methods or .objects) on their way to the writer
   thread, in order of time. A table adds a definition before any record can refer to it. The writer
   takes all definitions before it writes the records that may refer to them. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

struct definition {
  struct definition *next;
  uint64_t time_ns;  /* CLOCK_MONOTONIC */
  uint32_t id;       /* ClassID or MethodID; of an object, its identity hash */
  uint32_t class_id; /* ClassID of a method or an object; of a class: 0 */
  size_t len;
  char body[]; /* the text of the line after "timestamp,", with the '\n' */
};

/* The lock also protects the table that fills the outbox: entries are added to the table only under
   it. Nobody calls the JVM under the lock, so a thread that the JVM stops never holds it. */
struct outbox {
  pthread_mutex_t lock;
  struct definition *first, **last; /* under lock; last: where the next one is linked */
};

void outbox_init(struct outbox *box);

/* outbox_lock and outbox_unlock: any thread, for a short time. */
void outbox_lock(struct outbox *box);
void outbox_unlock(struct outbox *box);

/* outbox_put appends a definition with a copy of `body` and the current time. `id` and `class_id`:
   see struct definition; `body` contains the same ids. Returns false without memory, or when `body`
   has failed. The caller holds the lock. */
bool outbox_put(struct outbox *box, uint32_t id, uint32_t class_id, const struct builder *body);

/* outbox_take removes and returns all definitions, the oldest first. The caller frees each of them
   with free(), and does not hold the lock. Any thread. */
struct definition *outbox_take(struct outbox *box);

END_C
