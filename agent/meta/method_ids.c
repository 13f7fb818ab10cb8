#include "agent/meta/method_ids.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "agent/base/hashmap.h"
#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"

struct method_ids {
  pthread_mutex_t lock;
  struct hashmap ids; /* under lock */
};

struct method_ids *method_ids_new(void) {
  struct method_ids *s = memory_new_zeroed(1, sizeof *s);
  if (s != NULL) pthread_mutex_init(&s->lock, NULL);
  return s;
}

void method_ids_add_class(struct method_ids *s, jvmtiEnv *ti, jclass klass) {
  jint n = 0;
  jmethodID *methods = NULL;
  if ((*ti)->GetClassMethods(ti, klass, &n, &methods) != JVMTI_ERROR_NONE) return;
  if (s != NULL) {
    pthread_mutex_lock(&s->lock);
    for (jint i = 0; i < n; i++) hashmap_put(&s->ids, (uintptr_t)methods[i], 1);
    pthread_mutex_unlock(&s->lock);
  }
  (*ti)->Deallocate(ti, (unsigned char *)methods);
}

void method_ids_add_all(struct method_ids *s, jvmtiEnv *ti, JNIEnv *jni) {
  jint n = 0;
  jclass *classes = NULL;
  if ((*ti)->GetLoadedClasses(ti, &n, &classes) != JVMTI_ERROR_NONE) return;
  jvm_reserve_references(jni, n);
  for (jint i = 0; i < n; i++) {
    method_ids_add_class(s, ti, classes[i]);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)classes);
}

bool method_ids_has(struct method_ids *s, jmethodID id) {
  uint64_t value = 0;
  pthread_mutex_lock(&s->lock);
  bool has = hashmap_get(&s->ids, (uintptr_t)id, &value);
  pthread_mutex_unlock(&s->lock);
  return has;
}
