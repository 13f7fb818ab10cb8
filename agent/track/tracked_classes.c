#include "agent/track/tracked_classes.h"

#include <stdbool.h>

static bool is_boot_class(jvmtiEnv *ti, JNIEnv *jni, jclass klass) {
  jobject loader = NULL;
  if ((*ti)->GetClassLoader(ti, klass, &loader) != JVMTI_ERROR_NONE) return false;
  if (loader != NULL) (*jni)->DeleteLocalRef(jni, loader);
  return loader == NULL;
}

static int row_of(jvmtiEnv *ti, const char *class_signature, jmethodID method) {
  char *name = NULL, *descriptor = NULL;
  if ((*ti)->GetMethodName(ti, method, &name, &descriptor, NULL) != JVMTI_ERROR_NONE) return -1;
  int row = tracked_find(class_signature, name, descriptor);
  (*ti)->Deallocate(ti, (unsigned char *)name);
  (*ti)->Deallocate(ti, (unsigned char *)descriptor);
  return row;
}

/* The signature of a class that rows name, to be given back; NULL for any other. */
static char *tracked_signature(jvmtiEnv *ti, JNIEnv *jni, jclass klass) {
  char *signature = NULL;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) return NULL;
  if (tracked_has_class(signature) && is_boot_class(ti, jni, klass)) return signature;
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  return NULL;
}

void tracked_methods(jvmtiEnv *ti, JNIEnv *jni, jclass klass,
                     void (*visit)(void *arg, jmethodID method, int row), void *arg) {
  jint n = 0;
  jmethodID *methods = NULL;
  char *signature = tracked_signature(ti, jni, klass);
  if (signature == NULL) return;
  if ((*ti)->GetClassMethods(ti, klass, &n, &methods) != JVMTI_ERROR_NONE) n = 0;
  for (jint i = 0; i < n; i++) {
    int row = row_of(ti, signature, methods[i]);
    if (row >= 0) visit(arg, methods[i], row);
  }
  (*ti)->Deallocate(ti, (unsigned char *)methods);
  (*ti)->Deallocate(ti, (unsigned char *)signature);
}

void tracked_classes(jvmtiEnv *ti, JNIEnv *jni, void (*visit)(void *arg, jclass klass), void *arg) {
  jint n = 0;
  jclass *classes = NULL;
  if ((*ti)->GetLoadedClasses(ti, &n, &classes) != JVMTI_ERROR_NONE) return;
  /* They are local references; -Xcheck:jni counts them. */
  if ((*jni)->EnsureLocalCapacity(jni, n) != JNI_OK) (*jni)->ExceptionClear(jni);
  for (jint i = 0; i < n; i++) {
    char *signature = tracked_signature(ti, jni, classes[i]);
    if (signature != NULL) visit(arg, classes[i]);
    (*ti)->Deallocate(ti, (unsigned char *)signature);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)classes);
}
