#pragma once
/* Finds monitors that virtual threads hold. From JDK 24 on a virtual thread may hold a monitor
   while no carrier runs it, and GetObjectMonitorUsage returns no virtual thread. But each one can
   be asked what it holds. The thread that is asked stops for some microseconds. There may be very
   many, so a search has a time limit, and all searches together take a small share of the time. The
   thread of the owner watch calls these functions.

   This needs the capability of JVMTI that a JVM grants only at its start. After an attach,
   jdk.internal.vm.ThreadSnapshot could be asked, but that can crash JDK 25 when a virtual thread
   mounts, unmounts or ends (GetThreadSnapshotClosure::do_thread, seen with 25.0.3). */
#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/monitor/acquisition.h"
#include "agent/monitor/credit.h"
#include "agent/thread/context.h"

BEGIN_C

struct virtual_owners {
  struct threads *threads;
  struct acquisitions *acquisitions;
  struct credit credit; /* of CPU time */
  jint next;            /* index of the thread with which the next search starts */
};

/* A monitor whose owner is wanted. */
struct wanted_monitor {
  jobject monitor;
  uint32_t hash;
  bool is_found; /* set by the search */
};

void virtual_owners_init(struct virtual_owners *v, struct threads *threads,
                         struct acquisitions *acquisitions);

/* virtual_owners_next returns from which time on (CLOCK_MONOTONIC) a search is allowed; UINT64_MAX
   if this JVM cannot be asked, or the program has no virtual threads. */
uint64_t virtual_owners_next(const struct virtual_owners *v, jvmtiEnv *ti);

/* virtual_owners_search calls `found` for each of the `num` monitors that a virtual thread holds
   now. It ends when all are found. `owner` is a local reference of the search. */
void virtual_owners_search(struct virtual_owners *v, jvmtiEnv *ti, JNIEnv *jni,
                           struct wanted_monitor *wanted, size_t num,
                           void (*found)(void *arg, const struct wanted_monitor *w, jthread owner),
                           void *arg);

END_C
