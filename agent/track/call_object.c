#include "agent/track/call_object.h"

#include <string.h>

static struct known_object *find_known(struct context *c, uint32_t hash) {
  return &c->known.objects[hash % CONTEXT_KNOWN];
}

/* Asks for the class of an object only if the thread has not used the object lately. */
static void look_up_object(const struct hooks *h, JNIEnv *jni, struct context *c, jobject object,
                           struct call *call) {
  struct meta *meta = &h->threads->recorder->meta;
  uint32_t epoch = object_set_epoch(meta->objects);
  jint hash = 0;
  if (object == NULL || (*h->ti)->GetObjectHashCode(h->ti, object, &hash) != JVMTI_ERROR_NONE)
    return;
  if (c->known.epoch != epoch) memset(&c->known, 0, sizeof c->known);
  c->known.epoch = epoch;
  struct known_object *known = find_known(c, (uint32_t)hash);
  if (known->hash != (uint32_t)hash || known->class_id == 0) {
    jclass klass = (*jni)->GetObjectClass(jni, object);
    *known = (struct known_object){(uint32_t)hash, class_id(meta, h->ti, klass), false};
    (*jni)->DeleteLocalRef(jni, klass);
  }
  call->object = known->hash;
  call->class_id = known->class_id;
}

uint32_t call_set_object(const struct hooks *h, JNIEnv *jni, struct context *c,
                         const struct tracked *t, jobject object, struct call *call) {
  if (t->brief == BRIEF_NOT) {
    look_up_object(h, jni, c, object, call);
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

void call_define_object(const struct hooks *h, struct context *c, const struct call *call) {
  struct meta *meta = &h->threads->recorder->meta;
  if (call->class_id == 0) return;
  struct known_object *known = find_known(c, call->object);
  bool is_known = known->hash == call->object && known->class_id == call->class_id &&
                  c->known.epoch == object_set_epoch(meta->objects);
  if (is_known && known->is_defined) return;
  object_define(meta, call->object, call->class_id);
  if (is_known) known->is_defined = true;
}
