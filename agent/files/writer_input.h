#pragma once
/* Where the writer's input comes from, and its settings. It is data only: the writer calls no
   function of the producers. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/options/options.h"
#include "agent/queue/queue.h"
#include "agent/record/figures.h"
#include "agent/record/firings.h"
#include "agent/record/left_out.h"
#include "agent/record/living_classes.h"
#include "agent/record/lock_counts.h"
#include "agent/record/object_set.h"
#include "agent/record/outbox.h"
#include "agent/record/short_calls.h"
#include "agent/record/stall.h"
#include "agent/record/suspects.h"

BEGIN_C

/* Everything that it points to, but `options`, lives as long as the process. */
struct writer_input {
  struct queue *queue;
  struct outbox *classes, *methods, *objects;
  struct object_set *defined_objects; /* of `objects`; the writer clears it when it drops objects */
  struct living_classes **living_classes; /* slot: what it contains tells which classes the writer
                                             may forget */
  struct lock_counts *lock_counts;        /* the writer writes the counts that change */
  struct recording_figures *figures;      /* the writer writes them to the end of .info */
  struct stall *stall;                    /* of the producers */
  const struct left_out *left_out;        /* by the producers; NULL: nothing */
  struct short_calls *short_calls;        /* of the producers; NULL: none */
  uint32_t recording;                     /* the number of this recording in them */
  const uint64_t *decided_ns;             /* atomic; of struct recorder. NULL: no event is late */
  bool *is_recording; /* atomic; the writer sets it to false when a file cannot be written */
  const struct options *options; /* with which the recording begins; then a copy in the writer */
  uint64_t hold_ns;          /* a record waits this long, so that its owner may still be found */
  double cpus;               /* that the process may use; 0: not known */
  struct suspects *suspects; /* for the trigger `deadlock` */
  const unsigned *signals;   /* atomic: how often the signal of a trigger came */
  struct firings *firings;   /* the writer notes triggers that have fired; NULL: nobody waits */
};

END_C
