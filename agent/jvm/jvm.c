#include "agent/jvm/jvm.h"

#include <stdio.h>
#include <string.h>

bool jvm_clear_exception(JNIEnv *jni) {
  if (!(*jni)->ExceptionCheck(jni)) return false;
  (*jni)->ExceptionClear(jni);
  return true;
}

void jvm_reserve_references(JNIEnv *jni, jint n) {
  if ((*jni)->EnsureLocalCapacity(jni, n) != JNI_OK) (*jni)->ExceptionClear(jni);
}

jclass jvm_define_class(JNIEnv *jni, const char *name, const unsigned char *bytes, size_t len) {
  jclass klass = (*jni)->DefineClass(jni, name, NULL, (const jbyte *)bytes, (jsize)len);
  if (!jvm_clear_exception(jni) && klass != NULL) return klass;
  klass = (*jni)->FindClass(jni, name);
  return jvm_clear_exception(jni) ? NULL : klass;
}

/* JVMTI's GetThreadState is not safe for a thread that may just end (agent/thread/ends.h). */
bool jvm_is_alive(JNIEnv *jni, jthread thread) {
  jclass klass = (*jni)->GetObjectClass(jni, thread);
  jmethodID is_alive = (*jni)->GetMethodID(jni, klass, "isAlive", "()Z");
  bool is_known = !jvm_clear_exception(jni);
  bool alive = is_known && (*jni)->CallBooleanMethod(jni, thread, is_alive);
  is_known = is_known && !jvm_clear_exception(jni);
  (*jni)->DeleteLocalRef(jni, klass);
  return alive || !is_known;
}

bool jvm_is_program_class(jvmtiEnv *ti, JNIEnv *jni, jclass klass) {
  jobject loader = NULL;
  (*ti)->GetClassLoader(ti, klass, &loader);
  if (loader != NULL) (*jni)->DeleteLocalRef(jni, loader);
  return loader != NULL;
}

bool jvm_is_program_method(jvmtiEnv *ti, JNIEnv *jni, jmethodID method) {
  jclass klass = NULL;
  if ((*ti)->GetMethodDeclaringClass(ti, method, &klass) != JVMTI_ERROR_NONE) return false;
  bool is_program = jvm_is_program_class(ti, jni, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  return is_program;
}

static const struct {
  const char *word, *reason;
} refused[] = {
#define PRODUCT(word, reason) {word, reason},
#include "agent/jvm/product.def"
};

bool jvm_is_supported(jvmtiEnv *ti, char *error, size_t error_size) {
  char *name = NULL;
  bool good = true;
  if ((*ti)->GetSystemProperty(ti, "java.vm.name", &name) != JVMTI_ERROR_NONE) return true;
  for (size_t i = 0; i < sizeof refused / sizeof *refused && good && name != NULL; i++) {
    good = strstr(name, refused[i].word) == NULL;
    if (!good) {
      snprintf(error, error_size, "this JVM is %.100s; Orca needs HotSpot, because %s", name,
               refused[i].reason);
    }
  }
  (*ti)->Deallocate(ti, (unsigned char *)name);
  return good;
}
