#include "agent/lock/lock_fields.h"

#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"
#include "agent/record/intern.h"

#define NUM_PAIRS ((size_t)1 << 16) /* of sync and read-write lock: 512 KiB */

/* A class with a field `sync`. */
struct sync_field {
  const char *class_name, *descriptor;
  bool is_side; /* of a read-write lock, to which it has no reference */
};

static const struct sync_field sync_fields[] = {
    {"java/util/concurrent/locks/ReentrantLock", "Ljava/util/concurrent/locks/ReentrantLock$Sync;",
     false},
    {"java/util/concurrent/locks/ReentrantReadWriteLock",
     "Ljava/util/concurrent/locks/ReentrantReadWriteLock$Sync;", false},
    {"java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock",
     "Ljava/util/concurrent/locks/ReentrantReadWriteLock$Sync;", true},
    {"java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock",
     "Ljava/util/concurrent/locks/ReentrantReadWriteLock$Sync;", true},
};
#define NUM_FIELDS (sizeof sync_fields / sizeof *sync_fields)
#define ROW_REENTRANT 0
#define ROW_READ_WRITE 1

struct lock_fields {
  jclass classes[NUM_FIELDS]; /* global references */
  jfieldID syncs[NUM_FIELDS]; /* NULL: this JVM has no such field */
  jfieldID owner;             /* exclusiveOwnerThread, a field of every sync */
  jfieldID state, long_state; /* of the sync of a read-write lock, as the next ones; one is NULL */
  jfieldID first_reader, first_reader_holds;
  /* Hash of a sync << 32 | hash of its read-write lock; 0: empty. Each sync has one possible index;
     of two with the same index the later one overwrites the earlier. Atomic. */
  uint64_t pairs[NUM_PAIRS];
};

static jfieldID find_field(JNIEnv *jni, jclass klass, const char *name, const char *descriptor) {
  jfieldID field = (*jni)->GetFieldID(jni, klass, name, descriptor);
  return jvm_clear_exception(jni) ? NULL : field;
}

/* Newer JDKs have a longer state. Its upper half is the number of read holds. */
static void find_reader_fields(struct lock_fields *f, JNIEnv *jni) {
  jclass sync = (*jni)->FindClass(jni, "java/util/concurrent/locks/ReentrantReadWriteLock$Sync");
  if (jvm_clear_exception(jni) || sync == NULL) return;
  f->state = find_field(jni, sync, "state", "I");
  f->long_state = f->state != NULL ? NULL : find_field(jni, sync, "state", "J");
  f->first_reader = find_field(jni, sync, "firstReader", "Ljava/lang/Thread;");
  f->first_reader_holds = find_field(jni, sync, "firstReaderHoldCount", "I");
  (*jni)->DeleteLocalRef(jni, sync);
}

struct lock_fields *lock_fields_new(JNIEnv *jni) {
  struct lock_fields *f = memory_new_zeroed(1, sizeof *f);
  if (f == NULL) return NULL;
  for (size_t i = 0; i < NUM_FIELDS; i++) {
    jclass klass = (*jni)->FindClass(jni, sync_fields[i].class_name);
    if (jvm_clear_exception(jni) || klass == NULL) continue;
    f->syncs[i] = find_field(jni, klass, "sync", sync_fields[i].descriptor);
    f->classes[i] = (*jni)->NewGlobalRef(jni, klass);
    if (f->classes[i] == NULL) f->syncs[i] = NULL;
    (*jni)->DeleteLocalRef(jni, klass);
  }
  jclass klass = (*jni)->FindClass(jni, "java/util/concurrent/locks/AbstractOwnableSynchronizer");
  if (!jvm_clear_exception(jni) && klass != NULL) {
    f->owner = find_field(jni, klass, "exclusiveOwnerThread", "Ljava/lang/Thread;");
    (*jni)->DeleteLocalRef(jni, klass);
  }
  find_reader_fields(f, jni);
  return f;
}

/* --- read-write locks ------------------------------------------------------------------------ */

static uint64_t *get_pair(struct lock_fields *f, uint32_t sync) {
  return &f->pairs[hash_word(sync) % NUM_PAIRS];
}

/* The identity hash of an object that need not be defined in the files. */
static uint32_t get_identity_hash(jvmtiEnv *ti, jobject object) {
  jint hash = 0;
  return (*ti)->GetObjectHashCode(ti, object, &hash) == JVMTI_ERROR_NONE ? (uint32_t)hash : 0;
}

/* --- fields ---------------------------------------------------------------------------------- */

/* Returns the row of sync_fields for a lock; NUM_FIELDS: none. */
static size_t find_row(const struct lock_fields *f, JNIEnv *jni, jobject lock) {
  size_t i = 0;
  while (i < NUM_FIELDS &&
         (f->syncs[i] == NULL || !(*jni)->IsInstanceOf(jni, lock, f->classes[i]))) {
    i++;
  }
  return i;
}

static uint32_t read_thread(jfieldID field, struct meta *meta, jvmtiEnv *ti, JNIEnv *jni,
                            jobject sync) {
  jobject thread = field == NULL ? NULL : (*jni)->GetObjectField(jni, sync, field);
  if (thread == NULL) return 0;
  uint32_t hash = object_hash(meta, ti, jni, thread);
  (*jni)->DeleteLocalRef(jni, thread);
  return hash;
}

/* The lock knows the thread that first got its free read lock, until this thread has released it.
   If that one has all read holds, there is no other reader. */
static uint32_t read_only_reader(const struct lock_fields *f, struct meta *meta, jvmtiEnv *ti,
                                 JNIEnv *jni, jobject sync) {
  if (f->first_reader == NULL || f->first_reader_holds == NULL) return 0;
  uint64_t holds = f->state != NULL ? (uint32_t)(*jni)->GetIntField(jni, sync, f->state) >> 16
                   : f->long_state != NULL
                       ? (uint64_t)(*jni)->GetLongField(jni, sync, f->long_state) >> 32
                       : 0;
  bool is_only = (uint64_t)(*jni)->GetIntField(jni, sync, f->first_reader_holds) == holds;
  if (holds == 0 || !is_only) return 0;
  return read_thread(f->first_reader, meta, ti, jni, sync);
}

struct lock_look lock_look(struct lock_fields *f, struct meta *meta, jvmtiEnv *ti, JNIEnv *jni,
                           jobject lock) {
  struct lock_look look = {0};
  if (lock == NULL) return look;
  size_t row = find_row(f, jni, lock);
  bool is_side = row < NUM_FIELDS && sync_fields[row].is_side;
  look.has_sides = row != ROW_REENTRANT; /* a StampedLock has sides, but no row */
  if (!is_side) look.key = look.object = object_hash(meta, ti, jni, lock);
  jobject sync = row == NUM_FIELDS ? NULL : (*jni)->GetObjectField(jni, lock, f->syncs[row]);
  if (sync == NULL) return look;
  look.owner = read_thread(f->owner, meta, ti, jni, sync);
  if (is_side) {
    look.reader = look.owner != 0 ? 0 : read_only_reader(f, meta, ti, jni, sync);
    look.key = get_identity_hash(ti, sync);
    uint64_t pair = __atomic_load_n(get_pair(f, look.key), __ATOMIC_RELAXED);
    look.object = pair >> 32 == look.key ? (uint32_t)pair : 0;
    if (look.object != 0) {
      object_define(meta, look.object, class_id(meta, ti, f->classes[ROW_READ_WRITE]));
    } else {
      look.object = object_hash(meta, ti, jni, sync);
    }
  }
  (*jni)->DeleteLocalRef(jni, sync);
  return look;
}

jobject lock_fields_key(const struct lock_fields *f, JNIEnv *jni, jobject lock) {
  if (lock == NULL) return NULL;
  size_t row = find_row(f, jni, lock);
  bool is_side = row < NUM_FIELDS && sync_fields[row].is_side;
  return is_side ? (*jni)->GetObjectField(jni, lock, f->syncs[row])
                 : (*jni)->NewLocalRef(jni, lock);
}

static bool has_class(JNIEnv *jni, jobject object, jclass klass) {
  jclass own = (*jni)->GetObjectClass(jni, object);
  bool has = (*jni)->IsSameObject(jni, own, klass);
  (*jni)->DeleteLocalRef(jni, own);
  return has;
}

/* Many locks never have an event, so lock_look defines the lock at its first one. Only here the
   class is known if it is a subclass. */
void lock_fields_note_constructed(struct lock_fields *f, struct meta *meta, jvmtiEnv *ti,
                                  JNIEnv *jni, jobject lock) {
  size_t row = find_row(f, jni, lock);
  jobject sync = row == NUM_FIELDS ? NULL : (*jni)->GetObjectField(jni, lock, f->syncs[row]);
  if (sync == NULL) return;
  uint32_t key = get_identity_hash(ti, sync);
  uint32_t object = has_class(jni, lock, f->classes[row]) ? get_identity_hash(ti, lock)
                                                          : object_hash(meta, ti, jni, lock);
  __atomic_store_n(get_pair(f, key), (uint64_t)key << 32 | object, __ATOMIC_RELAXED);
  (*jni)->DeleteLocalRef(jni, sync);
}
