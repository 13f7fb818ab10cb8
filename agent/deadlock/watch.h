#pragma once
/* A thread of Orca's own that looks for deadlocks when the writer asks (trigger=deadlock). It
   sleeps until then. */
#include "agent/base/extern_c.h"
#include "agent/record/suspects.h"
#include "agent/thread/agent_thread.h"

BEGIN_C

struct deadlock_watch {
  struct threads *threads;
  struct suspects suspects; /* the writer's questions */
  void (*answered)(void *); /* called after each answer */
  void *answered_arg;
  struct agent_thread thread;
};

/* deadlock_watch_init sets up a watch that does not run. Call it once. */
void deadlock_watch_init(struct deadlock_watch *w, struct threads *threads,
                         void (*answered)(void *), void *answered_arg);

/* deadlock_watch_start starts the thread. False if the JVM refuses, or if the thread of an earlier
   recording still hangs in a search. VMInit or later. */
bool deadlock_watch_start(struct deadlock_watch *w, jvmtiEnv *ti, JNIEnv *jni);

/* deadlock_watch_stop ends the thread, if it runs. Waits at most a second for its end. */
void deadlock_watch_stop(struct deadlock_watch *w);

END_C
