#include "agent/track/pool_sizes.h"

#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"
#include "agent/record/intern.h"

/* Each executor has a set of entries, in one of which it is. 16 KiB in all. */
#define NUM_SETS ((size_t)1 << 7)
#define NUM_ENTRIES ((size_t)1 << 3)
#define REPLACE_NS NS_PER_MS

/* Of two threads that change an entry at the same time, one may write a line again. Atomic. */
struct entry {
  uint64_t key;   /* hash of an executor << 32 | epoch; 0: empty */
  uint64_t sizes; /* core << 32 | maximum */
};

struct pool_sizes {
  jfieldID core, maximum, queue; /* NULL: not found yet. Atomic; `queue` is written last. */
  uint64_t replaced_ns;          /* when an entry of this epoch was last overwritten. Atomic. */
  struct entry sets[NUM_SETS][NUM_ENTRIES];
};

struct pool_sizes *pool_sizes_new(void) {
  return memory_new_zeroed(1, sizeof(struct pool_sizes));
}

/* --- known executors ------------------------------------------------------------------------- */

/* More executors than a set has entries would overwrite each other at every task. */
static bool may_replace(struct pool_sizes *p, uint64_t now_ns) {
  uint64_t last = __atomic_load_n(&p->replaced_ns, __ATOMIC_RELAXED);
  return now_ns >= last + REPLACE_NS &&
         __atomic_compare_exchange_n(&p->replaced_ns, &last, now_ns, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

/* Returns the entry of the executor, else one that it may have; NULL: none now. */
static struct entry *find_entry(struct pool_sizes *p, uint64_t key) {
  struct entry *set = p->sets[hash_word(key >> 32) % NUM_SETS], *unused = NULL;
  for (size_t i = 0; i < NUM_ENTRIES; i++) {
    uint64_t other = __atomic_load_n(&set[i].key, __ATOMIC_ACQUIRE);
    if (other == key) return &set[i];
    if ((uint32_t)other != (uint32_t)key || other == 0) unused = &set[i];
  }
  if (unused != NULL) return unused;
  uint64_t now_ns = clock_monotonic_ns();
  return may_replace(p, now_ns) ? &set[now_ns / REPLACE_NS % NUM_ENTRIES] : NULL;
}

bool pool_sizes_add(struct pool_sizes *p, uint32_t executor, uint32_t epoch,
                    const struct pool_size *size) {
  uint64_t key = (uint64_t)executor << 32 | epoch;
  uint64_t sizes = (uint64_t)(uint32_t)size->core << 32 | (uint32_t)size->maximum;
  struct entry *entry = find_entry(p, key);
  if (entry == NULL) return false;
  bool is_known = __atomic_load_n(&entry->key, __ATOMIC_RELAXED) == key;
  if (is_known && __atomic_load_n(&entry->sizes, __ATOMIC_RELAXED) == sizes) return false;
  __atomic_store_n(&entry->sizes, sizes, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
  return true;
}

/* --- queues ---------------------------------------------------------------------------------- */

/* What tells the room of a queue. A subclass may refuse a task that would fit. */
struct queue_class {
  const char *signature;
  const char *field, *type; /* a number, or an array with that length; NULL: `capacity` */
  int32_t capacity;
};

static const struct queue_class queue_classes[] = {
    {"Ljava/util/concurrent/LinkedBlockingQueue;", "capacity", "I", 0},
    {"Ljava/util/concurrent/LinkedBlockingDeque;", "capacity", "I", 0},
    {"Ljava/util/concurrent/ArrayBlockingQueue;", "items", "[Ljava/lang/Object;", 0},
    {"Ljava/util/concurrent/SynchronousQueue;", NULL, NULL, 0},
    {"Ljava/util/concurrent/LinkedTransferQueue;", NULL, NULL, POOL_ENDLESS},
    {"Ljava/util/concurrent/PriorityBlockingQueue;", NULL, NULL, POOL_ENDLESS},
    {"Ljava/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue;", NULL, NULL,
     POOL_ENDLESS},
};

static const struct queue_class *find_queue_class(jvmtiEnv *ti, jclass klass) {
  const struct queue_class *found = NULL;
  char *signature = NULL;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) return NULL;
  for (size_t i = 0; i < sizeof queue_classes / sizeof *queue_classes; i++) {
    if (strcmp(signature, queue_classes[i].signature) == 0) found = &queue_classes[i];
  }
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  return found;
}

/* --- fields ---------------------------------------------------------------------------------- */

static jfieldID find_field(JNIEnv *jni, jclass klass, const char *name, const char *type) {
  jfieldID field = (*jni)->GetFieldID(jni, klass, name, type);
  return jvm_clear_exception(jni) ? NULL : field;
}

static int32_t read_int(JNIEnv *jni, jclass klass, jobject object, const char *name) {
  jfieldID field = find_field(jni, klass, name, "I");
  return field == NULL ? -1 : (*jni)->GetIntField(jni, object, field);
}

static int32_t read_length(JNIEnv *jni, jclass klass, jobject object, const char *name,
                           const char *type) {
  jfieldID field = find_field(jni, klass, name, type);
  jobject array = field == NULL ? NULL : (*jni)->GetObjectField(jni, object, field);
  if (array == NULL) return -1;
  int32_t length = (*jni)->GetArrayLength(jni, array);
  (*jni)->DeleteLocalRef(jni, array);
  return length;
}

static int32_t read_capacity(jvmtiEnv *ti, JNIEnv *jni, jobject queue) {
  jclass klass = (*jni)->GetObjectClass(jni, queue);
  const struct queue_class *c = find_queue_class(ti, klass);
  int32_t capacity = c == NULL ? -1 : c->capacity;
  if (c != NULL && c->field != NULL) {
    capacity = c->type[0] == 'I' ? read_int(jni, klass, queue, c->field)
                                 : read_length(jni, klass, queue, c->field, c->type);
  }
  (*jni)->DeleteLocalRef(jni, klass);
  return capacity;
}

static bool find_fields(struct pool_sizes *p, JNIEnv *jni) {
  if (__atomic_load_n(&p->queue, __ATOMIC_ACQUIRE) != NULL) return true;
  jclass klass = (*jni)->FindClass(jni, "java/util/concurrent/ThreadPoolExecutor");
  if (jvm_clear_exception(jni) || klass == NULL) return false;
  jfieldID core = find_field(jni, klass, "corePoolSize", "I");
  jfieldID maximum = find_field(jni, klass, "maximumPoolSize", "I");
  jfieldID queue = find_field(jni, klass, "workQueue", "Ljava/util/concurrent/BlockingQueue;");
  (*jni)->DeleteLocalRef(jni, klass);
  if (core == NULL || maximum == NULL || queue == NULL) return false;
  __atomic_store_n(&p->core, core, __ATOMIC_RELAXED);
  __atomic_store_n(&p->maximum, maximum, __ATOMIC_RELAXED);
  __atomic_store_n(&p->queue, queue, __ATOMIC_RELEASE);
  return true;
}

static int32_t read_number(JNIEnv *jni, jobject pool, const jfieldID *field) {
  return (*jni)->GetIntField(jni, pool, __atomic_load_n(field, __ATOMIC_RELAXED));
}

bool pool_sizes_read(struct pool_sizes *p, JNIEnv *jni, jobject pool, struct pool_size *out) {
  if (pool == NULL || !find_fields(p, jni)) return false;
  *out =
      (struct pool_size){read_number(jni, pool, &p->core), read_number(jni, pool, &p->maximum), -1};
  return out->core >= 0 && out->maximum > 0;
}

int32_t pool_sizes_read_capacity(struct pool_sizes *p, jvmtiEnv *ti, JNIEnv *jni, jobject pool) {
  if (pool == NULL || !find_fields(p, jni)) return -1;
  jfieldID field = __atomic_load_n(&p->queue, __ATOMIC_RELAXED);
  jobject queue = (*jni)->GetObjectField(jni, pool, field);
  int32_t capacity = queue == NULL ? -1 : read_capacity(ti, jni, queue);
  if (queue != NULL) (*jni)->DeleteLocalRef(jni, queue);
  return capacity;
}
