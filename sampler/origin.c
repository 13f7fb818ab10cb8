#include "sampler/origin.h"

#include <time.h>

#include "agent/base/clock.h"
#include "agent/jvm/jvm.h"

/* A kernel thread that used less than this counts as new, whoever made it: the error is small. */
#define NEW_THREAD_NS (5 * NS_PER_MS)

void origin_init(struct origin *o, JNIEnv *jni) {
  if (o->is_ready) return;
  jclass thread = (*jni)->FindClass(jni, "java/lang/Thread"), holder = NULL;
  if (thread != NULL) o->target = (*jni)->GetFieldID(jni, thread, "target", "Ljava/lang/Runnable;");
  jvm_clear_exception(jni);
  if (thread != NULL && o->target == NULL) {
    o->holder = (*jni)->GetFieldID(jni, thread, "holder", "Ljava/lang/Thread$FieldHolder;");
    jvm_clear_exception(jni);
  }
  if (o->holder != NULL) holder = (*jni)->FindClass(jni, "java/lang/Thread$FieldHolder");
  if (holder != NULL) o->task = (*jni)->GetFieldID(jni, holder, "task", "Ljava/lang/Runnable;");
  jvm_clear_exception(jni);
  if (thread != NULL) o->thread = (*jni)->NewGlobalRef(jni, thread);
  if (holder != NULL) (*jni)->DeleteLocalRef(jni, holder);
  if (thread != NULL) (*jni)->DeleteLocalRef(jni, thread);
  __atomic_store_n(&o->is_ready, true, __ATOMIC_RELEASE);
}

static bool is_set(JNIEnv *jni, jobject object, jfieldID field) {
  jobject value =
      object != NULL && field != NULL ? (*jni)->GetObjectField(jni, object, field) : NULL;
  if (value != NULL) (*jni)->DeleteLocalRef(jni, value);
  return value != NULL;
}

static bool has_task(const struct origin *o, JNIEnv *jni, jthread thread) {
  if (o->holder == NULL) return is_set(jni, thread, o->target);
  jobject holder = (*jni)->GetObjectField(jni, thread, o->holder);
  bool has = is_set(jni, holder, o->task);
  if (holder != NULL) (*jni)->DeleteLocalRef(jni, holder);
  return has;
}

static bool is_of_subclass(const struct origin *o, JNIEnv *jni, jthread thread) {
  jclass own = o->thread == NULL ? NULL : (*jni)->GetObjectClass(jni, thread);
  bool is = own != NULL && !(*jni)->IsSameObject(jni, o->thread, own);
  if (own != NULL) (*jni)->DeleteLocalRef(jni, own);
  return is;
}

static bool has_used_much(void) {
  struct timespec t;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0 &&
         (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec >= NEW_THREAD_NS;
}

/* The JVM gives a native thread that attaches a plain java.lang.Thread without a task
   (JavaThread::allocate_threadObj of HotSpot). Thread.start makes a kernel thread for a Thread with
   a task, or of a subclass with its own run(). The first start on a kernel thread counts only: a
   native thread can attach and detach many times. */
bool origin_is_java(const struct origin *o, JNIEnv *jni, jthread thread) {
  static __thread bool was_java;
  bool is_first = !was_java;
  was_java = true;
  if (!is_first) return false;
  if (!has_used_much()) return true;
  return __atomic_load_n(&o->is_ready, __ATOMIC_ACQUIRE) &&
         (has_task(o, jni, thread) || is_of_subclass(o, jni, thread));
}
