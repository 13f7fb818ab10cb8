#pragma once
/* Contended enters of a monitor: turns the two JVMTI events of each into a pair of events. */
#include <jvmti.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/monitor/owners.h"
#include "agent/thread/context.h"

BEGIN_C

struct contention {
  struct threads *threads;
  struct owners *owners;
};

/* contention_enter: the current thread is about to block on `monitor`. Takes the stack now, because
   the thread does not hold the monitor yet, so nobody waits for it. Does not record a wait whose
   end the JVM may not report: that for the lock of a class. For the callback of
   MonitorContendedEnter. */
void contention_enter(struct contention *c, jvmtiEnv *ti, JNIEnv *jni, jobject monitor);

/* contention_entered: the current thread now owns `monitor`. Other threads may be waiting for it,
   so this is short. For the callback of MonitorContendedEntered. */
void contention_entered(struct contention *c, jvmtiEnv *ti, JNIEnv *jni, jobject monitor);

END_C
