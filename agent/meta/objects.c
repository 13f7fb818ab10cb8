/* Which objects have their line in .objects: a set of (hash, class) pairs in a table of fixed size.
   When it is full it forgets all; an object that comes again then gets a second, equal line. */

#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/intern.h"

#define NUM_SLOTS ((size_t)1 << 20) /* 8 MiB, of which the system gives only what is touched */
#define MAX_USED (NUM_SLOTS / 4 * 3)

struct objects {
  size_t used;      /* under the lock of meta.object_box */
  uint64_t slots[]; /* hash << 32 | class; 0 is empty; written under that lock, read without */
};

struct objects *objects_new(void) {
  return memory_new_zeroed(1, sizeof(struct objects) + NUM_SLOTS * sizeof(uint64_t));
}

/* The slot of `pair`: where it is or, if it is not there, where it belongs. */
static uint64_t *find(struct objects *o, uint64_t pair) {
  size_t i = hash_word(pair) % NUM_SLOTS;
  for (;; i = (i + 1) % NUM_SLOTS) {
    uint64_t value = __atomic_load_n(&o->slots[i], __ATOMIC_ACQUIRE);
    if (value == pair || value == 0) return &o->slots[i];
  }
}

static bool is_known(struct objects *o, uint64_t pair) {
  return __atomic_load_n(find(o, pair), __ATOMIC_ACQUIRE) == pair;
}

void objects_forget(struct objects *o) {
  if (o->used == 0) return;
  for (size_t i = 0; i < NUM_SLOTS; i++) __atomic_store_n(&o->slots[i], 0, __ATOMIC_RELAXED);
  o->used = 0;
}

static void define(struct meta *m, uint32_t hash, uint32_t class, uint64_t pair) {
  struct builder body = {0};
  object_body_write(&body, hash, class);
  outbox_lock(&m->object_box);
  if (m->objects->used >= MAX_USED) objects_forget(m->objects);
  uint64_t *slot = find(m->objects, pair);
  if (*slot == 0 &&
      outbox_put(&m->object_box, &body)) {          /* else the next that names it tries again */
    __atomic_store_n(slot, pair, __ATOMIC_RELEASE); /* who sees it may name it: after the line */
    m->objects->used++;
  }
  outbox_unlock(&m->object_box);
  builder_free(&body);
}

void object_define(struct meta *m, uint32_t hash, uint32_t class) {
  uint64_t pair = (uint64_t)hash << 32 | class;
  if (class == 0) return; /* there was no memory for it */
  if (!is_known(m->objects, pair)) define(m, hash, class, pair);
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
