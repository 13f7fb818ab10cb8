#include "agent/track/call_object.h"

#include "agent/base/os_thread.h"

#define MAX_KNOWN 16 /* a power of two */

/* The objects of the last calls of a thread of the operating system. Virtual threads are often too
   short to use an object twice. */
struct known_objects {
  struct known_object {
    uint32_t hash; /* 0: none */
    uint32_t class_id;
    bool is_defined; /* in the files */
  } at[MAX_KNOWN];
  uint32_t epoch; /* object_set_epoch, in which those that are defined are so */
};

/* Returns the place of the object. NULL without memory. */
static struct known_object *find_known(const struct meta *meta, uint32_t hash) {
  struct known_objects *known = os_thread_buffer(OS_THREAD_OBJECTS, sizeof *known);
  uint32_t epoch = object_set_epoch(meta->objects);
  if (known == NULL) return NULL;
  if (known->epoch != epoch) *known = (struct known_objects){.epoch = epoch};
  return &known->at[hash % MAX_KNOWN];
}

/* Asks for the class of an object only if the thread has not used the object lately. */
static void look_up_object(const struct hooks *h, JNIEnv *jni, jobject object, struct call *call) {
  jint hash = 0;
  if (object == NULL || (*h->ti)->GetObjectHashCode(h->ti, object, &hash) != JVMTI_ERROR_NONE)
    return;
  struct meta *meta = &h->threads->recorder->meta;
  struct known_object *known = find_known(meta, (uint32_t)hash);
  bool is_known = known != NULL && known->hash == (uint32_t)hash && known->class_id != 0;
  call->object = (uint32_t)hash;
  call->class_id = is_known ? known->class_id : object_class(meta, h->ti, jni, object);
  if (!is_known && known != NULL)
    *known = (struct known_object){call->object, call->class_id, false};
}

uint32_t call_set_object(const struct hooks *h, JNIEnv *jni, const struct tracked *t,
                         jobject object, struct call *call) {
  if (t->brief == BRIEF_NOT) {
    look_up_object(h, jni, object, call);
    return 0;
  }
  struct recorder *r = h->threads->recorder;
  struct lock_look look = lock_look(h->lock_fields, &r->meta, h->ti, jni, object);
  bool is_acquisition = t->brief == BRIEF_TRY || t->brief == BRIEF_COUNT;
  bool is_counted = is_acquisition && __atomic_load_n(&r->counts_locks, __ATOMIC_RELAXED);
  call->object = look.object;
  call->lock =
      is_counted ? counted_locks_add(h->lock_counts, h->lock_fields, jni, object, &look) : 0;
  return look.owner;
}

void call_define_object(const struct hooks *h, const struct call *call) {
  struct meta *meta = &h->threads->recorder->meta;
  if (call->class_id == 0) return;
  struct known_object *known = find_known(meta, call->object);
  bool is_known = known != NULL && known->hash == call->object && known->class_id == call->class_id;
  if (is_known && known->is_defined) return;
  object_define(meta, call->object, call->class_id);
  if (is_known) known->is_defined = true;
}
