#include "agent/track/pool_sizes.h"

#include <string.h>

#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"
#include "agent/record/intern.h"

#define NUM_SEEN ((size_t)1 << 10) /* 8 KiB */

struct pool_sizes {
  /* Hash of an executor << 32 | epoch; 0: empty. Each executor has one possible index; of two with
     the same index the later one overwrites the earlier. Atomic. */
  uint64_t seen[NUM_SEEN];
};

struct pool_sizes *pool_sizes_new(void) {
  return memory_new_zeroed(1, sizeof(struct pool_sizes));
}

bool pool_sizes_add(struct pool_sizes *p, uint32_t executor, uint32_t epoch) {
  uint64_t *at = &p->seen[hash_word(executor) % NUM_SEEN];
  uint64_t seen = (uint64_t)executor << 32 | epoch;
  if (__atomic_load_n(at, __ATOMIC_RELAXED) == seen) return false;
  return __atomic_exchange_n(at, seen, __ATOMIC_RELAXED) != seen;
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

bool pool_sizes_read(jvmtiEnv *ti, JNIEnv *jni, jobject executor, struct pool_size *out) {
  jclass klass = (*jni)->FindClass(jni, "java/util/concurrent/ThreadPoolExecutor");
  if (jvm_clear_exception(jni) || klass == NULL) return false;
  bool is_pool = executor != NULL && (*jni)->IsInstanceOf(jni, executor, klass);
  *out = (struct pool_size){-1, -1, -1};
  if (is_pool) {
    out->core = read_int(jni, klass, executor, "corePoolSize");
    out->maximum = read_int(jni, klass, executor, "maximumPoolSize");
    jfieldID field = find_field(jni, klass, "workQueue", "Ljava/util/concurrent/BlockingQueue;");
    jobject queue = field == NULL ? NULL : (*jni)->GetObjectField(jni, executor, field);
    if (queue != NULL) {
      out->capacity = read_capacity(ti, jni, queue);
      (*jni)->DeleteLocalRef(jni, queue);
    }
  }
  (*jni)->DeleteLocalRef(jni, klass);
  return out->core >= 0 && out->maximum > 0;
}
