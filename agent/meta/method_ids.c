#include "agent/meta/method_ids.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "agent/base/hashmap.h"
#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"

#define MIN_GROWTH 16384 /* jmethodIDs */

struct method_ids {
  pthread_mutex_t lock;
  struct hashmap ids; /* jmethodID -> the round in which it was last added; under lock */
  uint64_t round;     /* counts the calls of method_ids_drop_unloaded; under lock */
  size_t num_kept;    /* by the last of them; under lock */
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
    for (jint i = 0; i < n; i++) hashmap_put(&s->ids, (uintptr_t)methods[i], s->round);
    pthread_mutex_unlock(&s->lock);
  }
  (*ti)->Deallocate(ti, (unsigned char *)methods);
}

bool method_ids_add_all(struct method_ids *s, jvmtiEnv *ti, JNIEnv *jni) {
  jint n = 0;
  jclass *classes = NULL;
  if ((*ti)->GetLoadedClasses(ti, &n, &classes) != JVMTI_ERROR_NONE) return false;
  jvm_reserve_references(jni, n);
  for (jint i = 0; i < n; i++) {
    method_ids_add_class(s, ti, classes[i]);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)classes);
  return true;
}

static bool begin_round(struct method_ids *s) {
  pthread_mutex_lock(&s->lock);
  bool has_grown = hashmap_size(&s->ids) > 2 * s->num_kept + MIN_GROWTH;
  if (has_grown) s->round++;
  pthread_mutex_unlock(&s->lock);
  return has_grown;
}

/* Keeps those that were added in this round. Without memory it keeps all. */
static void keep_round(struct method_ids *s) {
  struct hashmap kept = {0};
  struct hashmap_slot slot;
  bool good = true;
  pthread_mutex_lock(&s->lock);
  for (size_t cursor = 0; hashmap_next(&s->ids, &cursor, &slot);) {
    if (slot.value == s->round) good = good && hashmap_put(&kept, slot.key, slot.value);
  }
  struct hashmap unused = good ? s->ids : kept;
  if (good) s->ids = kept;
  s->num_kept = hashmap_size(&s->ids);
  pthread_mutex_unlock(&s->lock);
  hashmap_free(&unused);
}

void method_ids_drop_unloaded(struct method_ids *s, jvmtiEnv *ti, JNIEnv *jni) {
  if (begin_round(s) && method_ids_add_all(s, ti, jni)) keep_round(s);
}

bool method_ids_has(struct method_ids *s, jmethodID id) {
  uint64_t value = 0;
  pthread_mutex_lock(&s->lock);
  bool has = hashmap_get(&s->ids, (uintptr_t)id, &value);
  pthread_mutex_unlock(&s->lock);
  return has;
}

struct table_size method_ids_size(struct method_ids *s) {
  pthread_mutex_lock(&s->lock);
  struct table_size size = {hashmap_size(&s->ids), sizeof *s + hashmap_bytes(&s->ids)};
  pthread_mutex_unlock(&s->lock);
  return size;
}
