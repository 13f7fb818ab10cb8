#include "sampler/carriers.h"

#include <string.h>

#define FUNCTION "com.sun.hotspot.functions.GetVirtualThread"
#define CARRIER "jdk/internal/misc/CarrierThread"

static void give_back(jvmtiEnv *ti, jvmtiExtensionFunctionInfo *f) {
  for (jint i = 0; i < f->param_count; i++) {
    (*ti)->Deallocate(ti, (unsigned char *)f->params[i].name);
  }
  (*ti)->Deallocate(ti, (unsigned char *)f->id);
  (*ti)->Deallocate(ti, (unsigned char *)f->short_description);
  (*ti)->Deallocate(ti, (unsigned char *)f->params);
  (*ti)->Deallocate(ti, (unsigned char *)f->errors);
}

void carriers_init(struct carriers *m, jvmtiEnv *ti) {
  jint n = 0;
  jvmtiExtensionFunctionInfo *functions = NULL;
  if ((*ti)->GetExtensionFunctions(ti, &n, &functions) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < n; i++) {
    if (strcmp(functions[i].id, FUNCTION) == 0) m->get = functions[i].func;
    give_back(ti, &functions[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)functions);
}

void carriers_expect(struct carriers *m) {
  if (!__atomic_load_n(&m->any, __ATOMIC_RELAXED))
    __atomic_store_n(&m->any, true, __ATOMIC_RELAXED);
}

/* Not before there is one: to find the class initializes it. */
static bool find_carriers(struct carriers *m, JNIEnv *jni) {
  if (m->carriers != NULL) return true;
  if (m->get == NULL || !__atomic_load_n(&m->any, __ATOMIC_RELAXED)) return false;
  jclass klass = (*jni)->FindClass(jni, CARRIER);
  if (klass == NULL) {
    (*jni)->ExceptionClear(jni);
    m->get = NULL;
    return false;
  }
  m->carriers = (*jni)->NewGlobalRef(jni, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  return m->carriers != NULL;
}

jthread carriers_mounted(struct carriers *m, jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  jthread found = NULL;
  if (!find_carriers(m, jni) || !(*jni)->IsInstanceOf(jni, thread, m->carriers)) return NULL;
  return m->get(ti, thread, &found) == JVMTI_ERROR_NONE ? found : NULL;
}
