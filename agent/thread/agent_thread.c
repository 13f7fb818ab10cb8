#include "agent/thread/agent_thread.h"

#include <time.h>

#include "agent/base/clock.h"
#include "agent/jvm/jvm.h"

/* Returns the time on CLOCK_MONOTONIC that is `ns` from now. */
static struct timespec deadline_after(uint64_t ns) {
  uint64_t at = clock_monotonic_ns() + ns;
  return (struct timespec){(time_t)(at / NS_PER_S), (long)(at % NS_PER_S)};
}

/* Creates a java.lang.Thread with this name. The JVM makes agent threads daemons of the system
   thread group itself. Returns a local reference, NULL on failure. */
static jthread create_thread(JNIEnv *jni, const char *name) {
  jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
  if (jvm_clear_exception(jni)) return NULL;
  jmethodID init = (*jni)->GetMethodID(jni, klass, "<init>", "(Ljava/lang/String;)V");
  if (jvm_clear_exception(jni)) return NULL;
  jstring text = (*jni)->NewStringUTF(jni, name);
  if (jvm_clear_exception(jni)) return NULL;
  jthread thread = (*jni)->NewObject(jni, klass, init, text);
  return jvm_clear_exception(jni) ? NULL : thread;
}

static void JNICALL run_thread(jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct agent_thread *t = arg;
  t->run(t, ti, jni, t->arg);
  pthread_mutex_lock(&t->lock);
  t->running = false;
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->lock);
}

bool agent_thread_is_running(struct agent_thread *t) {
  pthread_mutex_lock(&t->lock);
  bool running = t->running;
  pthread_mutex_unlock(&t->lock);
  return running;
}

bool agent_thread_start(struct agent_thread *t, const char *name, struct threads *threads,
                        jvmtiEnv *ti, JNIEnv *jni,
                        void (*run)(struct agent_thread *, jvmtiEnv *, JNIEnv *, void *),
                        void *arg) {
  if (!t->ready) {
    t->ready = true;
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&t->changed, &attr);
    pthread_condattr_destroy(&attr);
    pthread_mutex_init(&t->lock, NULL);
  }
  if (agent_thread_is_running(t)) return false;
  t->run = run;
  t->arg = arg;
  t->running = true;
  t->stopping = t->woken = false;
  jthread thread = create_thread(jni, name);
  bool started = thread != NULL && threads_hide(threads, jni, thread) &&
                 (*ti)->RunAgentThread(ti, thread, run_thread, t, JVMTI_THREAD_NORM_PRIORITY) ==
                     JVMTI_ERROR_NONE;
  if (!started) t->running = false; /* if it started, it clears `running` itself */
  return started;
}

bool agent_thread_sleep(struct agent_thread *t, uint64_t ns) {
  struct timespec until = deadline_after(ns);
  bool time_left = true;
  pthread_mutex_lock(&t->lock);
  while (time_left && !t->stopping && !t->woken) {
    time_left = pthread_cond_timedwait(&t->changed, &t->lock, &until) == 0;
  }
  t->woken = false;
  bool stopping = t->stopping;
  pthread_mutex_unlock(&t->lock);
  return !stopping;
}

void agent_thread_wake(struct agent_thread *t) {
  pthread_mutex_lock(&t->lock);
  t->woken = true;
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->lock);
}

void agent_thread_stop(struct agent_thread *t, uint64_t limit_ns) {
  if (!t->ready) return; /* never started */
  struct timespec until = deadline_after(limit_ns);
  pthread_mutex_lock(&t->lock);
  t->stopping = true;
  pthread_cond_broadcast(&t->changed);
  while (t->running && pthread_cond_timedwait(&t->changed, &t->lock, &until) == 0) continue;
  pthread_mutex_unlock(&t->lock);
}
