#include "sampler/carriers.h"

#include <string.h>

#define FUNCTION_ID "com.sun.hotspot.functions.GetVirtualThread"
#define CARRIER_CLASS "jdk/internal/misc/CarrierThread"

static void release_function(jvmtiEnv *ti, jvmtiExtensionFunctionInfo *f) {
  for (jint i = 0; i < f->param_count; i++) {
    (*ti)->Deallocate(ti, (unsigned char *)f->params[i].name);
  }
  (*ti)->Deallocate(ti, (unsigned char *)f->id);
  (*ti)->Deallocate(ti, (unsigned char *)f->short_description);
  (*ti)->Deallocate(ti, (unsigned char *)f->params);
  (*ti)->Deallocate(ti, (unsigned char *)f->errors);
}

void carriers_init(struct carriers *c, jvmtiEnv *ti) {
  jint n = 0;
  jvmtiExtensionFunctionInfo *functions = NULL;
  if ((*ti)->GetExtensionFunctions(ti, &n, &functions) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < n; i++) {
    if (strcmp(functions[i].id, FUNCTION_ID) == 0) c->get_virtual_thread = functions[i].func;
    release_function(ti, &functions[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)functions);
}

void carriers_note_virtual_thread(struct carriers *c) {
  if (!__atomic_load_n(&c->has_virtual_threads, __ATOMIC_RELAXED))
    __atomic_store_n(&c->has_virtual_threads, true, __ATOMIC_RELAXED);
}

/* Waits for the first virtual thread, since FindClass initializes the class. */
static bool find_carrier_class(struct carriers *c, JNIEnv *jni) {
  if (c->carrier_class != NULL) return true;
  if (c->get_virtual_thread == NULL || !__atomic_load_n(&c->has_virtual_threads, __ATOMIC_RELAXED))
    return false;
  jclass klass = (*jni)->FindClass(jni, CARRIER_CLASS);
  if (klass == NULL) {
    (*jni)->ExceptionClear(jni);
    c->get_virtual_thread = NULL;
    return false;
  }
  c->carrier_class = (*jni)->NewGlobalRef(jni, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  return c->carrier_class != NULL;
}

jthread carriers_find_mounted(struct carriers *c, jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  jthread mounted = NULL;
  if (!find_carrier_class(c, jni)) return NULL;
  if (!(*jni)->IsInstanceOf(jni, thread, c->carrier_class)) return NULL;
  return c->get_virtual_thread(ti, thread, &mounted) == JVMTI_ERROR_NONE ? mounted : NULL;
}
