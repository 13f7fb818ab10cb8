#include "agent/track/tracked_classes.h"

#include <stdbool.h>

#include "agent/jvm/jvm.h"

static bool is_boot_class(jvmtiEnv *ti, JNIEnv *jni, jclass klass) {
  jobject loader = NULL;
  if ((*ti)->GetClassLoader(ti, klass, &loader) != JVMTI_ERROR_NONE) return false;
  if (loader != NULL) (*jni)->DeleteLocalRef(jni, loader);
  return loader == NULL;
}

/* Returns the signature of a tracked class; NULL for any other class. The caller deallocates it. */
static char *find_tracked_signature(jvmtiEnv *ti, JNIEnv *jni, jclass klass) {
  char *signature = NULL;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) return NULL;
  if (tracked_has_class(signature) && is_boot_class(ti, jni, klass)) return signature;
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  return NULL;
}

void visit_tracked_methods(jvmtiEnv *ti, JNIEnv *jni, jclass klass,
                           void (*visit)(void *arg, jmethodID method, int row), void *arg) {
  jint n = 0;
  jmethodID *methods = NULL;
  char *signature = find_tracked_signature(ti, jni, klass);
  if (signature == NULL) return;
  if ((*ti)->GetClassMethods(ti, klass, &n, &methods) != JVMTI_ERROR_NONE) n = 0;
  for (jint i = 0; i < n; i++) {
    char *name = NULL, *descriptor = NULL;
    jvmtiError error = (*ti)->GetMethodName(ti, methods[i], &name, &descriptor, NULL);
    if (error != JVMTI_ERROR_NONE) continue;
    int row = tracked_find(signature, name, descriptor);
    (*ti)->Deallocate(ti, (unsigned char *)name);
    (*ti)->Deallocate(ti, (unsigned char *)descriptor);
    if (row >= 0) visit(arg, methods[i], row);
  }
  (*ti)->Deallocate(ti, (unsigned char *)methods);
  (*ti)->Deallocate(ti, (unsigned char *)signature);
}

/* Is the class modifiable, and wanted? Arrays, primitives and hidden classes are not modifiable. */
static bool is_wanted_class(jvmtiEnv *ti, JNIEnv *jni, jclass klass,
                            bool (*wants)(void *arg, const char *signature, bool is_boot),
                            void *arg) {
  char *signature = NULL;
  jboolean modifiable = JNI_FALSE;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) return false;
  bool is_wanted = signature[0] == 'L' && wants(arg, signature, is_boot_class(ti, jni, klass)) &&
                   (*ti)->IsModifiableClass(ti, klass, &modifiable) == JVMTI_ERROR_NONE &&
                   modifiable;
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  return is_wanted;
}

void visit_loaded_classes(jvmtiEnv *ti, JNIEnv *jni,
                          bool (*wants)(void *arg, const char *signature, bool is_boot),
                          void (*visit)(void *arg, jclass klass), void *arg) {
  jint n = 0;
  jclass *classes = NULL;
  if ((*ti)->GetLoadedClasses(ti, &n, &classes) != JVMTI_ERROR_NONE) return;
  /* The classes are local references, and -Xcheck:jni warns if their number exceeds the capacity.
   */
  jvm_reserve_references(jni, n);
  for (jint i = 0; i < n; i++) {
    if (is_wanted_class(ti, jni, classes[i], wants, arg)) visit(arg, classes[i]);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)classes);
}

/* --- tracked classes ------------------------------------------------------------------------- */

static bool is_tracked_class(void *arg, const char *signature, bool is_boot) {
  (void)arg;
  return is_boot && tracked_has_class(signature);
}

void visit_tracked_classes(jvmtiEnv *ti, JNIEnv *jni, void (*visit)(void *arg, jclass klass),
                           void *arg) {
  visit_loaded_classes(ti, jni, is_tracked_class, visit, arg);
}
