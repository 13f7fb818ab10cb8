#pragma once
/* Between owners.c and watch.c. */
#include "agent/monitor/owners.h"

/* owners_now asks the JVM: a local reference to the thread that owns `monitor`; NULL for none, for
   a virtual one (the JVM does not say), and for one of Orca's own. */
jthread owners_now(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor);

/* owners_since is its hash, if it has owned the monitor with this hash since then: one that got it
   later did not make a thread block that has blocked since. Else 0. `owner` may be NULL. */
uint32_t owners_since(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jthread owner, uint32_t hash,
                      uint64_t since_ns);

struct watch *watch_new(struct owners *o); /* NULL without memory; never freed */

/* watch_run is the watch of owners=late, until it is told to end: the `run` of an agent_thread,
   `arg` is the struct watch. */
void watch_run(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg);
