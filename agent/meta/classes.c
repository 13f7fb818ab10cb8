/* Classes. The JVMTI tag of a class object contains its ClassID and the recording in which the
   class was last defined. So the lookup needs no table of Orca's, and the JVM itself drops the
   entry when it unloads the class. */
#include <stdlib.h>
#include <string.h>

#include "agent/base/bounded_lock.h"
#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/jvm/jvm.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"

/* Identity hashes have 31 bits. Greater numbers are free for other ClassIDs. */
#define FIRST_OTHER_ID UINT32_C(0x80000000)

/* The marks of used hashes: hashes that are equal modulo this number share one. */
#define NUM_MARKS ((size_t)1 << 23)

/* The memory is constant, because a program may load and unload classes without limit. */
struct classes {
  uint32_t num_other_ids;   /* under the lock of meta.class_box, as `marks` */
  uint32_t num_ids;         /* under the same lock; atomic */
  uint32_t num_defined;     /* definitions up to now; atomic */
  uint32_t of_classes;      /* the ClassID of java.lang.Class; 0: not known yet; atomic */
  struct semaphore tagging; /* see define_and_tag */
  bool is_ambiguous;        /* a class may have two ClassIDs; atomic */
  uint8_t marks[NUM_MARKS / 8];
};

struct classes *classes_new(void) {
  struct classes *c = memory_new_zeroed(1, sizeof *c);
  if (c != NULL) bounded_lock_init(&c->tagging);
  return c;
}

/* Returns a ClassID that no class had before: the identity hash of the class, unless an earlier
   class has or had the same hash, or one with the same mark. */
static uint32_t reserve_id(struct classes *c, uint32_t hash) {
  uint8_t *byte = &c->marks[hash % NUM_MARKS / 8], mark = (uint8_t)(1 << hash % 8);
  __atomic_store_n(&c->num_ids, c->num_ids + 1, __ATOMIC_RELAXED);
  bool is_used = (*byte & mark) != 0 || hash == 0 || hash >= FIRST_OTHER_ID;
  if (is_used) return FIRST_OTHER_ID + c->num_other_ids++;
  *byte |= mark;
  return hash;
}

bool class_define(struct meta *m, uint32_t *id, uint32_t hash, const char *signature,
                  const char *source) {
  struct builder body = {0};
  outbox_lock(&m->class_box);
  if (*id == 0) *id = reserve_id(m->classes, hash);
  class_body_write(&body, *id, signature, source);
  bool good = outbox_put(&m->class_box, *id, 0, &body);
  outbox_unlock(&m->class_box);
  builder_free(&body);
  if (strcmp(signature, "Ljava/lang/Class;") == 0) {
    __atomic_store_n(&m->classes->of_classes, *id, __ATOMIC_RELAXED);
  }
  if (good) __atomic_fetch_add(&m->classes->num_defined, 1, __ATOMIC_RELAXED);
  return good;
}

bool class_is_of_classes(const struct classes *c, uint32_t id) {
  return id == __atomic_load_n(&c->of_classes, __ATOMIC_RELAXED);
}

struct tag {
  uint32_t id, recording; /* both 0: the class has no tag yet */
};

static struct tag get_tag(jvmtiEnv *ti, jclass klass) {
  jlong tag = 0;
  (*ti)->GetTag(ti, klass, &tag);
  return (struct tag){(uint32_t)tag, (uint32_t)((uint64_t)tag >> 32)};
}

static void set_tag(jvmtiEnv *ti, jclass klass, struct tag tag) {
  (*ti)->SetTag(ti, klass, (jlong)((uint64_t)tag.recording << 32 | tag.id));
}

/* The lock `tagging` makes reading and setting the tag one step. If the thread does not get the
   lock in time (bounded_lock.h), a class may be defined twice, with two ClassIDs. */
static uint32_t define_and_tag(struct meta *m, jvmtiEnv *ti, jclass klass, const char *signature,
                               const char *source) {
  jint hash = 0;
  (*ti)->GetObjectHashCode(ti, klass, &hash);
  bool locked = bounded_lock(&m->classes->tagging);
  if (!locked) __atomic_store_n(&m->classes->is_ambiguous, true, __ATOMIC_RELAXED);
  struct tag tag = get_tag(ti, klass);
  bool good = tag.recording == meta_recording(m);
  if (!good) {
    good = class_define(m, &tag.id, (uint32_t)hash, signature, source);
    if (good) tag.recording = meta_recording(m); /* else the next use of the class tries again */
    set_tag(ti, klass, tag);
  }
  bounded_unlock(&m->classes->tagging, locked);
  return good ? tag.id : 0;
}

uint32_t class_id(struct meta *m, jvmtiEnv *ti, jclass klass) {
  if (klass == NULL) return 0;
  struct tag tag = get_tag(ti, klass);
  if (tag.recording == meta_recording(m)) return tag.id;
  char *signature = NULL, *source = NULL;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) signature = NULL;
  if ((*ti)->GetSourceFileName(ti, klass, &source) != JVMTI_ERROR_NONE) source = NULL;
  uint32_t id = define_and_tag(m, ti, klass, signature ? signature : "", source ? source : "");
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*ti)->Deallocate(ti, (unsigned char *)source);
  return id;
}

/* --- classes that are loaded ------------------------------------------------------------------ */

uint32_t classes_count_defined(const struct classes *c) {
  return __atomic_load_n(&c->num_defined, __ATOMIC_RELAXED);
}

/* The tag of a class follows its definition under the lock. So each class that was defined before
   this time has its tag. Returns 0 if the lock is held for too long. */
static uint64_t take_time(struct classes *c) {
  bool locked = bounded_lock(&c->tagging);
  uint64_t now = clock_monotonic_ns();
  bounded_unlock(&c->tagging, locked);
  return locked ? now : 0;
}

bool classes_find_living(struct classes *c, jvmtiEnv *ti, JNIEnv *jni, struct living_classes *out) {
  jint n = 0;
  jclass *loaded = NULL;
  out->time_ns = take_time(c);
  bool good = out->time_ns != 0 && !__atomic_load_n(&c->is_ambiguous, __ATOMIC_RELAXED);
  if (!good || (*ti)->GetLoadedClasses(ti, &n, &loaded) != JVMTI_ERROR_NONE) return false;
  jvm_reserve_references(jni, n);
  for (jint i = 0; i < n; i++) {
    uint32_t id = get_tag(ti, loaded[i]).id;
    good = good && (id == 0 || hashmap_put(&out->ids, id, 1));
    (*jni)->DeleteLocalRef(jni, loaded[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)loaded);
  return good;
}

struct table_size classes_size(const struct classes *c) {
  return (struct table_size){__atomic_load_n(&c->num_ids, __ATOMIC_RELAXED), sizeof *c};
}
