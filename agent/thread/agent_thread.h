#pragma once
/* A JVMTI agent thread: a thread of Orca's own that may call the JVM. It does not appear in the
   files. The JVM ends it some time after `run` has returned. */
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/thread/context.h"

BEGIN_C

struct agent_thread {
  void (*run)(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg);
  void *arg;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool running, stopping, woken; /* under lock */
  bool ready;                    /* lock and changed are initialized */
};

/* agent_thread_start runs `run` in a new daemon thread with this name. False if the JVM refuses, or
   if the last thread of `t` still runs. `t` must be all zero at first, and lives as long as the
   process. VMInit or later. */
bool agent_thread_start(struct agent_thread *t, const char *name, struct threads *threads,
                        jvmtiEnv *ti, JNIEnv *jni,
                        void (*run)(struct agent_thread *, jvmtiEnv *, JNIEnv *, void *),
                        void *arg);

/* agent_thread_is_running returns whether the last `run` has not ended yet. Any thread. */
bool agent_thread_is_running(struct agent_thread *t);

/* agent_thread_sleep sleeps for `ns`, or until agent_thread_wake. It returns false immediately when
   the thread shall end. Only `run` calls it. */
bool agent_thread_sleep(struct agent_thread *t, uint64_t ns);

/* agent_thread_wake ends the current or the next agent_thread_sleep. Any thread. */
void agent_thread_wake(struct agent_thread *t);

/* agent_thread_stop requests `run` to end, and waits for its end for at most `limit_ns`. */
void agent_thread_stop(struct agent_thread *t, uint64_t limit_ns);

END_C
