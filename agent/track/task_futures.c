#include "agent/track/task_futures.h"

#include <string.h>

#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"
#include "agent/record/intern.h"

#define NUM_OTHERS ((size_t)1 << 10)
#define NUM_KNOWN 64 /* the JDK has about 20 such classes */

static const char prefix[] = "Ljava/util/concurrent/CompletableFuture$";

struct task_futures {
  /* Classes without the field. Each has one possible index; a later one overwrites an earlier one.
     Atomic. */
  uint32_t others[NUM_OTHERS];
  /* Classes of the JDK, which are never unloaded. Each word is written once; the field comes before
     the ClassID. Atomic. */
  struct {
    uint32_t class_id; /* 0: none */
    jfieldID field;
  } known[NUM_KNOWN];
  uint32_t num_known; /* reserved rows; more than NUM_KNOWN: there was no room */
};

struct task_futures *task_futures_new(void) {
  return memory_new_zeroed(1, sizeof(struct task_futures));
}

static jfieldID find_known(struct task_futures *t, uint32_t class_id) {
  for (size_t i = 0; i < NUM_KNOWN; i++) {
    uint32_t known = __atomic_load_n(&t->known[i].class_id, __ATOMIC_ACQUIRE);
    if (known == class_id) return t->known[i].field;
    if (known == 0) return NULL;
  }
  return NULL;
}

static void add_known(struct task_futures *t, uint32_t class_id, jfieldID field) {
  uint32_t at = __atomic_fetch_add(&t->num_known, 1, __ATOMIC_RELAXED);
  if (at >= NUM_KNOWN) return;
  t->known[at].field = field;
  __atomic_store_n(&t->known[at].class_id, class_id, __ATOMIC_RELEASE);
}

static bool is_of_future(jvmtiEnv *ti, jclass klass) {
  char *signature = NULL;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) return false;
  bool is = strncmp(signature, prefix, strlen(prefix)) == 0;
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  return is;
}

static jfieldID find_field(jvmtiEnv *ti, JNIEnv *jni, jobject task) {
  jclass klass = (*jni)->GetObjectClass(jni, task);
  jfieldID field = NULL;
  if (is_of_future(ti, klass)) {
    field = (*jni)->GetFieldID(jni, klass, "dep", "Ljava/util/concurrent/CompletableFuture;");
    if (jvm_clear_exception(jni)) field = NULL;
  }
  (*jni)->DeleteLocalRef(jni, klass);
  return field;
}

jobject task_futures_find(struct task_futures *t, jvmtiEnv *ti, JNIEnv *jni, jobject task,
                          uint32_t class_id) {
  if (task == NULL || class_id == 0) return NULL;
  uint32_t *other = &t->others[hash_word(class_id) % NUM_OTHERS];
  if (__atomic_load_n(other, __ATOMIC_RELAXED) == class_id) return NULL;
  jfieldID field = find_known(t, class_id);
  if (field == NULL) {
    field = find_field(ti, jni, task);
    if (field == NULL) {
      __atomic_store_n(other, class_id, __ATOMIC_RELAXED);
    } else {
      add_known(t, class_id, field);
    }
  }
  return field == NULL ? NULL : (*jni)->GetObjectField(jni, task, field);
}
