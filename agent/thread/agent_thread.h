#pragma once
/* A thread of Orca's own that may call the JVM: JVMTI agent threads, hidden from the files. */
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/thread/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct agent_thread {
  void (*run)(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg);
  void *arg;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool running, stopping, woken; /* under lock */
  bool ready;                    /* lock and changed are set up */
};

/* agent_thread_start starts `run` in a daemon thread of this name. VMInit or later. False when the
   JVM refuses, or the last one has not ended; then nothing new runs. `t`, at first all zero, lives
   as long as the process. */
bool agent_thread_start(struct agent_thread *t, const char *name, struct threads *threads,
                        jvmtiEnv *ti, JNIEnv *jni,
                        void (*run)(struct agent_thread *, jvmtiEnv *, JNIEnv *, void *),
                        void *arg);

/* agent_thread_is_running: the last `run` has not ended. */
bool agent_thread_is_running(struct agent_thread *t);

/* agent_thread_sleep, for `run`: sleeps, or until agent_thread_wake; false at once when it is time
   to end. */
bool agent_thread_sleep(struct agent_thread *t, uint64_t ns);
void agent_thread_wake(struct agent_thread *t);

/* agent_thread_stop asks `run` to end and waits for that no longer than `limit_ns`. */
void agent_thread_stop(struct agent_thread *t, uint64_t limit_ns);

#ifdef __cplusplus
}
#endif
