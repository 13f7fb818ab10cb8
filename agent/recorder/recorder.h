#pragma once
/* The interface for producers: hooks, JVMTI callbacks and the sampler hand their records to the
   recorder, which puts them into the queue. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/meta/meta.h"
#include "agent/options/options.h"
#include "agent/queue/queue.h"
#include "agent/record/figures.h"
#include "agent/record/left_out.h"
#include "agent/record/record.h"
#include "agent/record/short_calls.h"
#include "agent/record/stall.h"
#include "agent/record/waiters.h"

BEGIN_C

/* The lane of Orca's own threads. All samples use one lane, so that they stay in order. */
#define RECORDER_OWN_LANE 0

struct recorder {
  /* recorder_change changes it during a recording, atomically for any thread; but what
     options_copy_changing excepts is for the caller of recorder_change only. */
  struct options options;
  bool counts_locks; /* atomic; acquisitions of locks are counted: with locks=waits, and after it */
  bool leaves_out_wakes; /* atomic; there is a threshold: hooks leave out calls that wake nobody */
  struct waiters waiters;
  struct left_out left_out;        /* by hooks */
  struct short_calls *short_calls; /* that hooks left out */
  uint64_t decided_ns; /* atomic; every event before this time has been handed in, or never will
                          be (agent/track/young_watch.h). UINT64_MAX: no event is late */
  struct meta meta;
  struct queue *queue;
  struct recording_figures figures;
  struct stall stall;
  bool on; /* atomic; while it is false nothing is recorded and no thread waits. The writer sets it
              to false when a file cannot be written */
};

/* recorder_init makes the tables and the queue, which are never freed. `wake`: see queue_new.
   Returns false without memory. Call it once. */
bool recorder_init(struct recorder *r, void (*wake)(void *), void *wake_arg);

/* recorder_begin prepares the next recording, with these options. The recorder is off, and stays
   off. */
void recorder_begin(struct recorder *r, const struct options *options);

/* recorder_change changes options of the current recording. The caller makes the parts follow. One
   thread at a time. */
void recorder_change(struct recorder *r, const struct options *options);

/* recorder_switch switches the recorder on or off. Any thread. */
void recorder_switch(struct recorder *r, bool on);

static inline bool recorder_is_on(const struct recorder *r) {
  return __atomic_load_n(&r->on, __ATOMIC_RELAXED);
}

/* recorder_wants returns whether events of this kind are recorded now. Any thread. */
static inline bool recorder_wants(const struct recorder *r, enum event_kind kind) {
  uint32_t events = __atomic_load_n(&r->options.events, __ATOMIC_RELAXED);
  return (events >> event_infos[kind].group & 1) != 0 && recorder_is_on(r);
}

/* recorder_put puts a copy of `record` into the lane. When the lane is full, the option `overflow`
   decides: the thread waits for room, or the record is dropped. A thread that waits for longer than
   the option `patience` begins a stall, in which no thread waits (agent/record/stall.h). Returns
   false when the record was dropped or the recorder is off; record_release has been called then.
   Any thread except the writer. */
bool recorder_put(struct recorder *r, unsigned lane, const struct record *record);

/* recorder_try_put is recorder_put for a caller that must not wait. When the lane is full it
   returns false, calls record_release, and does not count the record as dropped. Any thread except
   the writer. */
bool recorder_try_put(struct recorder *r, unsigned lane, const struct record *record);

END_C
