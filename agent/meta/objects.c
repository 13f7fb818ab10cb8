/* The objects that are already defined in .objects: a hash set of (hash, ClassID) pairs of fixed
   size. When it is full it is emptied. An object that is used again after that gets a second line,
   which is equal to the first. */

#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/intern.h"

#define NUM_SLOTS ((size_t)1 << 20) /* 8 MiB, of which the system provides only what is touched */
#define MAX_USED (NUM_SLOTS / 4 * 3)

struct objects {
  size_t num_used;  /* under the lock of meta.object_box */
  uint64_t slots[]; /* hash << 32 | ClassID; 0: free. Written under that lock, read without */
};

struct objects *objects_new(void) {
  return memory_new_zeroed(1, sizeof(struct objects) + NUM_SLOTS * sizeof(uint64_t));
}

/* Returns the slot that contains `pair`, or else the free slot where it belongs. */
static uint64_t *find_slot(struct objects *o, uint64_t pair) {
  size_t i = hash_word(pair) % NUM_SLOTS;
  for (;; i = (i + 1) % NUM_SLOTS) {
    uint64_t value = __atomic_load_n(&o->slots[i], __ATOMIC_ACQUIRE);
    if (value == pair || value == 0) return &o->slots[i];
  }
}

static bool is_defined(struct objects *o, uint64_t pair) {
  return __atomic_load_n(find_slot(o, pair), __ATOMIC_ACQUIRE) == pair;
}

void objects_forget(struct objects *o) {
  if (o->num_used == 0) return;
  for (size_t i = 0; i < NUM_SLOTS; i++) __atomic_store_n(&o->slots[i], 0, __ATOMIC_RELAXED);
  o->num_used = 0;
}

static void define_pair(struct meta *m, uint32_t hash, uint32_t class, uint64_t pair) {
  struct builder body = {0};
  object_body_write(&body, hash, class);
  outbox_lock(&m->object_box);
  if (m->objects->num_used >= MAX_USED) objects_forget(m->objects);
  uint64_t *slot = find_slot(m->objects, pair);
  /* The line is published first: a thread that finds the pair in its slot may name the object. If
     there is no memory for the line, the next event with the object tries again. */
  if (*slot == 0 && outbox_put(&m->object_box, &body)) {
    __atomic_store_n(slot, pair, __ATOMIC_RELEASE);
    m->objects->num_used++;
  }
  outbox_unlock(&m->object_box);
  builder_free(&body);
}

void object_define(struct meta *m, uint32_t hash, uint32_t class) {
  uint64_t pair = (uint64_t)hash << 32 | class;
  if (class == 0) return; /* there was no memory for the class */
  if (!is_defined(m->objects, pair)) define_pair(m, hash, class, pair);
}

uint32_t object_hash(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jobject object) {
  jint hash = 0;
  if (object == NULL || (*ti)->GetObjectHashCode(ti, object, &hash) != JVMTI_ERROR_NONE) return 0;
  jclass klass = (*jni)->GetObjectClass(jni, object);
  uint32_t class = class_id(m, ti, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  object_define(m, (uint32_t)hash, class);
  return (uint32_t)hash;
}
