#pragma once
/* Where everything that is seen becomes a record: hooks, callbacks and the sampler call this and
   nothing behind it. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/meta/meta.h"
#include "agent/options/options.h"
#include "agent/queue/queue.h"
#include "agent/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lane of Orca's own threads: samples keep to one, so that they stay in order. */
#define RECORDER_OWN_LANE 0

struct recorder {
  struct options options; /* constant during a recording */
  struct meta meta;
  struct queue *queue;
  bool on;          /* atomic; while it is off nothing is recorded and nobody waits */
  uint64_t waited;  /* times that a thread had to wait for room; atomic */
  uint64_t dropped; /* records lost for want of room; atomic */
};

/* recorder_init makes the tables and the queue; `wake` as for queue_new. False without memory.
 * Once. */
bool recorder_init(struct recorder *r, void (*wake)(void *), void *wake_arg);

/* recorder_begin begins the next recording with these options; it is still off. */
void recorder_begin(struct recorder *r, const struct options *options);

void recorder_switch(struct recorder *r, bool on);

static inline bool recorder_is_on(const struct recorder *r) {
  return __atomic_load_n(&r->on, __ATOMIC_RELAXED);
}

/* recorder_wants tells whether events of this kind are recorded now. Any thread. */
static inline bool recorder_wants(const struct recorder *r, enum event_kind kind) {
  return (r->options.events >> event_infos[kind].group & 1) != 0 && recorder_is_on(r);
}

/* recorder_put brings a record to the writer. When the lane is full the thread waits, or the record
   is dropped, as the option `overflow` says. False: it was dropped, or recording is off; what the
   record owned (its stack's use, its name) has then been given back. Any thread but the writer. */
bool recorder_put(struct recorder *r, unsigned lane, const struct record *record);

/* recorder_try is recorder_put for a caller that must not wait: false also where the lane is full,
   which is not counted as dropped. Any thread but the writer. */
bool recorder_try(struct recorder *r, unsigned lane, const struct record *record);

#ifdef __cplusplus
}
#endif
