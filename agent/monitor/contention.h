#pragma once
/* Blocking on a monitor: the two JVMTI events of a contention, made into lines. */
#include <jvmti.h>
#include <stdint.h>

#include "agent/monitor/owners.h"
#include "agent/thread/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct contention {
  struct threads *threads;
  struct owners *owners;
  uint64_t orphans; /* Entered without an Enter: counted, not written; atomic */
};

/* contention_enter: the current thread is about to block on `monitor`. Takes the stack now, while
   no lock is held that others wait for. */
void contention_enter(struct contention *c, jvmtiEnv *ti, JNIEnv *jni, jobject monitor);

/* contention_entered: it owns the monitor; others may be waiting for it, so this is short. */
void contention_entered(struct contention *c, jvmtiEnv *ti, JNIEnv *jni, jobject monitor);

#ifdef __cplusplus
}
#endif
