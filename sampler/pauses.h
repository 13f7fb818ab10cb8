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
  /* The thread that sends the events: the VM thread. The rest is its CPU clock. All atomic. */
  uint32_t tid;
  int64_t begun_cpu_ns; /* at the start of the current pause; -1: no pause */
  int64_t cpu_ns;       /* sum of the pauses that have ended */
};

void pauses_init(struct pauses *p, struct recorder *recorder);

/* pauses_begin and pauses_end are called at GarbageCollectionStart and GarbageCollectionFinish, on
   the thread that sends these events. */
void pauses_begin(struct pauses *p);
void pauses_end(struct pauses *p);

/* pauses_cpu returns how much CPU time a thread of the kernel has used in pauses since
   pauses_init, if it is the thread that sends the events; else 0. `cpu_ns` is its CPU clock now,
   for a pause that goes on. Any thread. */
int64_t pauses_cpu(const struct pauses *p, uint32_t tid, int64_t cpu_ns);

END_C
