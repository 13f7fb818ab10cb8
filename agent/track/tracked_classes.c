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

/* Only a class that may be changed; arrays, primitives and hidden classes may not. */
static bool is_wanted(jvmtiEnv *ti, JNIEnv *jni, jclass klass,
                      bool (*wants)(void *arg, const char *signature, bool is_boot), void *arg) {
  char *signature = NULL;
  jboolean modifiable = JNI_FALSE;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) return false;
  bool wanted = signature[0] == 'L' && wants(arg, signature, is_boot_class(ti, jni, klass)) &&
                (*ti)->IsModifiableClass(ti, klass, &modifiable) == JVMTI_ERROR_NONE && modifiable;
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  return wanted;
}

void loaded_classes(jvmtiEnv *ti, JNIEnv *jni,
                    bool (*wants)(void *arg, const char *signature, bool is_boot),
                    void (*visit)(void *arg, jclass klass), void *arg) {
  jint n = 0;
  jclass *classes = NULL;
  if ((*ti)->GetLoadedClasses(ti, &n, &classes) != JVMTI_ERROR_NONE) return;
  /* They are local references; -Xcheck:jni counts them. */
  if ((*jni)->EnsureLocalCapacity(jni, n) != JNI_OK) (*jni)->ExceptionClear(jni);
  for (jint i = 0; i < n; i++) {
    if (is_wanted(ti, jni, classes[i], wants, arg)) visit(arg, classes[i]);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)classes);
}

/* --- tracked ones ---------------------------------------------------------------------------- */

static bool is_tracked_class(void *arg, const char *signature, bool is_boot) {
  (void)arg;
  return is_boot && tracked_has_class(signature);
}

void tracked_classes(jvmtiEnv *ti, JNIEnv *jni, void (*visit)(void *arg, jclass klass), void *arg) {
  loaded_classes(ti, jni, is_tracked_class, visit, arg);
}
