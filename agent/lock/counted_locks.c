#include "agent/lock/counted_locks.h"

#include "agent/jvm/jvm.h"

static bool is_dead(void *jni, void *ref) { return (*(JNIEnv *)jni)->IsSameObject(jni, ref, NULL); }

static void delete_ref(void *jni, void *ref) { (*(JNIEnv *)jni)->DeleteWeakGlobalRef(jni, ref); }

/* Without memory for a reference, the lock stays in the table until the end of the recording. */
static void *new_ref(const struct lock_fields *f, JNIEnv *jni, jobject lock) {
  jobject key = lock_fields_key(f, jni, lock);
  jweak ref = key == NULL ? NULL : (*jni)->NewWeakGlobalRef(jni, key);
  jvm_clear_exception(jni);
  if (key != NULL) (*jni)->DeleteLocalRef(jni, key);
  return ref;
}

/* Only a lock that may be added costs a reference. */
uint32_t counted_locks_add(struct lock_counts *c, const struct lock_fields *f, JNIEnv *jni,
                           jobject lock, const struct lock_look *look) {
  if (look->key == 0 || lock_counts_find(c, look->key) != 0) return look->key;
  if (!lock_counts_has_room(c)) return 0;
  void *ref = new_ref(f, jni, lock);
  uint32_t key = lock_counts_add_lock(c, look->key, look->object, look->has_sides, &ref);
  if (ref != NULL) delete_ref(jni, ref);
  return key;
}

void counted_locks_sweep(struct lock_counts *c, JNIEnv *jni) {
  lock_counts_sweep(c, &(struct lock_refs){is_dead, delete_ref, jni});
}

void counted_locks_end(struct lock_counts *c, JNIEnv *jni) {
  lock_counts_delete_refs(c, &(struct lock_refs){is_dead, delete_ref, jni});
}
