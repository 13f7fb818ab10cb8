#pragma once
/* Where the writer's input comes from, its settings, and the functions that it calls back. */
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/event/event.h"
#include "agent/queue/queue.h"
#include "agent/record/outbox.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Everything that it points to lives as long as the process. The writer thread alone calls the
   functions, each with `arg`. */
struct writer_source {
  struct queue *queue;
  struct outbox *classes, *methods, *objects;
  const uint64_t *dropped; /* records dropped so far because their lane was full; atomic */
  uint64_t hold_ns;        /* a record waits this long, so that its owner may still be found */
  uint64_t threshold_ns;   /* pairs that took less are left out; 0: no pair is left out */
  /* Calls `tell` for each count that changed since the last call. `count`: how often this event
     has happened to the object since the recording began. */
  void (*counts)(void *arg,
                 void (*tell)(void *tell_arg, enum event_kind, uint32_t object, uint64_t count),
                 void *tell_arg);
  void (*failed)(void *);                    /* a file cannot be written: the recording is over */
  void (*end)(void *, struct builder *info); /* adds lines to the end of .info */
  uint64_t maxsize;                          /* bytes of a set of files; 0: there is only one set */
  unsigned keep;                             /* sets that are kept; 0: all */
  void (*forget_objects)(void *);            /* see definitions.h; not NULL if maxsize is set */
  void *arg;
};

#ifdef __cplusplus
}
#endif
