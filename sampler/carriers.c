#include "sampler/carriers.h"

#include <string.h>

#define FUNCTION_ID "com.sun.hotspot.functions.GetVirtualThread"
#define CARRIER_CLASS "jdk/internal/misc/CarrierThread"

void carriers_init(struct carriers *c, jvmtiEnv *ti) {
  jint n = 0;
  jvmtiExtensionFunctionInfo *functions = NULL;
  if ((*ti)->GetExtensionFunctions(ti, &n, &functions) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < n; i++) {
    jvmtiExtensionFunctionInfo *f = &functions[i];
    if (strcmp(f->id, FUNCTION_ID) == 0) c->get_virtual_thread = f->func;
    for (jint j = 0; j < f->param_count; j++) {
      (*ti)->Deallocate(ti, (unsigned char *)f->params[j].name);
    }
    (*ti)->Deallocate(ti, (unsigned char *)f->id);
    (*ti)->Deallocate(ti, (unsigned char *)f->short_description);
    (*ti)->Deallocate(ti, (unsigned char *)f->params);
    (*ti)->Deallocate(ti, (unsigned char *)f->errors);
  }
  (*ti)->Deallocate(ti, (unsigned char *)functions);
}

void carriers_note_virtual_thread(struct carriers *c) {
  if (!__atomic_load_n(&c->has_virtual_threads, __ATOMIC_RELAXED))
    __atomic_store_n(&c->has_virtual_threads, true, __ATOMIC_RELAXED);
}

jthread carriers_find_mounted(struct carriers *c, jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  jthread mounted = NULL;
  if (c->carrier_class == NULL) {
    /* FindClass initializes the class, so this waits for the first virtual thread. */
    if (c->get_virtual_thread == NULL ||
        !__atomic_load_n(&c->has_virtual_threads, __ATOMIC_RELAXED))
      return NULL;
    jclass klass = (*jni)->FindClass(jni, CARRIER_CLASS);
    if (klass == NULL) {
      (*jni)->ExceptionClear(jni);
      c->get_virtual_thread = NULL;
      return NULL;
    }
    c->carrier_class = (*jni)->NewGlobalRef(jni, klass);
    (*jni)->DeleteLocalRef(jni, klass);
    if (c->carrier_class == NULL) return NULL;
  }
  if (!(*jni)->IsInstanceOf(jni, thread, c->carrier_class)) return NULL;
  return c->get_virtual_thread(ti, thread, &mounted) == JVMTI_ERROR_NONE ? mounted : NULL;
}
