#include "agent/track/thrower.h"

#include <string.h>

#include "agent/base/text.h"
#include "agent/jvm/jvm.h"
#include "agent/tracked/orca_classes.h"

static jstring find_thrower(JNIEnv *jni, jclass hook, jobject thrown) {
  jmethodID method = (*jni)->GetStaticMethodID(jni, hook, "findThrower",
                                               "(Ljava/lang/Throwable;)Ljava/lang/String;");
  if (jvm_clear_exception(jni) || method == NULL) return NULL;
  jstring place = (*jni)->CallStaticObjectMethod(jni, hook, method, thrown);
  return jvm_clear_exception(jni) ? NULL : place;
}

void thrower_name(JNIEnv *jni, jobject thrown, struct builder *out) {
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
