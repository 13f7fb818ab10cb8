#include "agent/track/thrower.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "agent/base/text.h"
#include "agent/jvm/jvm.h"
#include "agent/tracked/orca_classes.h"

/* A stack costs time for each of its frames, and stays in the exception. Programs that fail often
   do it on purpose, so only the first exceptions have a place. */
#define MOST_PLACES 100

static bool takes_place(void) {
  static atomic_int taken;
  return atomic_load_explicit(&taken, memory_order_relaxed) < MOST_PLACES &&
         atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed) < MOST_PLACES;
}

/* The class of the exception can override this method: then it is not called. */
static bool has_own_stack(JNIEnv *jni, jobject thrown) {
  jclass base = (*jni)->FindClass(jni, "java/lang/Throwable"), class = NULL;
  jmethodID of_base = NULL, of_class = NULL;
  static const char name[] = "getStackTrace", signature[] = "()[Ljava/lang/StackTraceElement;";
  if (base != NULL) of_base = (*jni)->GetMethodID(jni, base, name, signature);
  if (of_base != NULL) class = (*jni)->GetObjectClass(jni, thrown);
  if (class != NULL) of_class = (*jni)->GetMethodID(jni, class, name, signature);
  bool failed = jvm_clear_exception(jni);
  if (class != NULL) (*jni)->DeleteLocalRef(jni, class);
  if (base != NULL) (*jni)->DeleteLocalRef(jni, base);
  return failed || of_class != of_base;
}

static jstring find_thrower(JNIEnv *jni, jclass hook, jobject thrown) {
  jmethodID method = (*jni)->GetStaticMethodID(jni, hook, "findThrower",
                                               "(Ljava/lang/Throwable;)Ljava/lang/String;");
  if (jvm_clear_exception(jni) || method == NULL) return NULL;
  jstring place = (*jni)->CallStaticObjectMethod(jni, hook, method, thrown);
  return jvm_clear_exception(jni) ? NULL : place;
}

void thrower_name(JNIEnv *jni, jobject thrown, struct builder *out) {
  if (!takes_place() || has_own_stack(jni, thrown)) return;
  jclass hook = (*jni)->FindClass(jni, ORCA_HOOK_CLASS);
  if (jvm_clear_exception(jni) || hook == NULL) return;
  jstring place = find_thrower(jni, hook, thrown);
  const char *text = place == NULL ? NULL : (*jni)->GetStringUTFChars(jni, place, NULL);
  if (text != NULL) {
    text_name(out, text, strlen(text));
    (*jni)->ReleaseStringUTFChars(jni, place, text);
  }
  jvm_clear_exception(jni);
  if (place != NULL) (*jni)->DeleteLocalRef(jni, place);
  (*jni)->DeleteLocalRef(jni, hook);
}
