#pragma once
/* Functions that owners.c and watch.c call in each other. */
#include "agent/monitor/owners.h"

/* owners_query asks the JVM for the owner of `monitor`. Returns a local reference to the thread,
   for the caller to delete. NULL if there is no owner, if it is one of Orca's own threads, or if it
   is a virtual thread, which the JVM does not return. */
jthread owners_query(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor);

/* owners_confirm returns the hash of `owner` if that thread may have owned the monitor, whose hash
   is `hash`, all the time from `since_ns` on. Otherwise 0: a thread that got the monitor later is
   not the reason why another thread began to block at `since_ns`. `owner` may be NULL. */
uint32_t owners_confirm(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jthread owner, uint32_t hash,
                        uint64_t since_ns);

struct watch *watch_new(struct owners *o); /* NULL without memory; never freed */

/* watch_run is the `run` function of the watch's agent_thread. `arg` is the struct watch. */
void watch_run(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg);
