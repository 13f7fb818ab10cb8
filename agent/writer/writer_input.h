#pragma once
/* What the writer writes from, and how. */
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/event/event.h"
#include "agent/queue/queue.h"
#include "agent/record/outbox.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the writer's input comes from, and whom it tells. All of it lives as long as the process.
 */
struct writer_source {
  struct queue *queue;
  struct outbox *classes, *methods, *objects;
  const uint64_t *dropped; /* records lost so far for want of room; atomic */
  uint64_t hold_ns;        /* lines wait this long, so that a late owner finds its line unwritten */
  uint64_t threshold_ns;   /* pairs that took less are left out; 0: none */
  /* Tells each count that changed since the last time: so often this happened to the object in
     all. Writer thread. */
  void (*counts)(void *arg,
                 void (*tell)(void *tell_arg, enum event_kind, uint32_t object, uint64_t count),
                 void *tell_arg);
  void (*failed)(void *); /* a file does not take any more: recording is over. Writer thread */
  void (*end)(void *, struct builder *info); /* adds lines to the end of .info. Writer thread */
  uint64_t maxsize; /* bytes of a set of files, 0: there is one set; and how many are kept, */
  unsigned keep;    /* 0: all */
  void (*forget_objects)(void *); /* see known.h; needed where there is a maxsize. Writer thread */
  void *arg;                      /* of all four */
};

#ifdef __cplusplus
}
#endif
