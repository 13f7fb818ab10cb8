#pragma once
/* The one thread that writes: takes records from the queue, puts them in order of time, and writes
   the six files. The JVM does not know it and it never calls the JVM; all signals are blocked in
   it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/meta/outbox.h"
#include "agent/queue/queue.h"
#include "agent/writer/info.h"

#ifdef __cplusplus
extern "C" {
#endif

struct writer;

/* Where the writer's input comes from, and whom it tells. All of it lives as long as the process.
 */
struct writer_source {
  struct queue *queue;
  struct outbox *classes, *methods, *objects;
  const uint64_t *dropped; /* records lost so far for want of room; atomic */
  uint64_t hold_ns;        /* lines wait this long, so that a late owner finds its line unwritten */
  void (*failed)(void *);  /* a file does not take any more: recording is over. Writer thread */
  void (*end)(void *, struct builder *info); /* adds lines to the end of .info. Writer thread */
  void *arg;                                 /* of both */
};

/* writer_open makes the files. NULL when that fails; one sentence in `error` says why. */
struct writer *writer_open(const char *prefix, char *error, size_t error_size);

/* writer_start writes the start of .info and starts the thread. False without memory or thread. */
bool writer_start(struct writer *w, const struct writer_source *source,
                  const struct info_start *start);

/* writer_wake makes the thread look at once. Any thread; cheap. `w` is a struct writer. */
void writer_wake(void *w);

/* writer_stop: all that was pushed before it is written, then the end of .info with this reason.
   Waits no longer than `limit_ns`; false when that was too short. Once. */
bool writer_stop(struct writer *w, const char *reason, uint64_t limit_ns);

#ifdef __cplusplus
}
#endif
