#pragma once
/* Records the pauses of the garbage collector. Two JVMTI events report them. Their callbacks run
   while every thread of the program is stopped, so they may neither call JNI or JVMTI nor wait. A
   pause therefore goes directly into the writer's queue, and is dropped if the queue is full. */
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/recorder/recorder.h"

BEGIN_C

struct pauses {
  struct recorder *recorder;
  uint64_t begun_ns; /* start of the current pause (clock_monotonic_ns); 0: no pause. Atomic */
};

void pauses_init(struct pauses *p, struct recorder *recorder);

/* pauses_begin and pauses_end are called at GarbageCollectionStart and GarbageCollectionFinish, on
   the thread that sends these events. */
void pauses_begin(struct pauses *p);
void pauses_end(struct pauses *p);

END_C
