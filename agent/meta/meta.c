#include "agent/meta/meta.h"

#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/meta/tables.h"

bool meta_init(struct meta *m, struct recording_figures *figures) {
  m->figures = figures;
  outbox_init(&m->class_box);
  outbox_init(&m->method_box);
  outbox_init(&m->object_box);
  m->classes = classes_new();
  m->methods = methods_new();
  m->objects = object_set_new(&m->object_box);
  m->stacks = stacks_new();
  return m->classes != NULL && m->methods != NULL && m->objects != NULL && m->stacks != NULL;
}

static void discard_definitions(struct outbox *box) {
  for (struct definition *d = outbox_take(box), *next; d != NULL; d = next) {
    next = d->next;
    free(d);
  }
}

void meta_begin(struct meta *m, int max_depth) {
  discard_definitions(&m->class_box);
  discard_definitions(&m->method_box);
  discard_definitions(&m->object_box);
  object_set_clear(m->objects);
  stacks_set_depth(m->stacks, max_depth);
  __atomic_add_fetch(&m->recording, 1, __ATOMIC_ACQ_REL);
  __atomic_add_fetch(&m->generation, 1, __ATOMIC_ACQ_REL);
}

/* --- objects ---------------------------------------------------------------------------------- */

void object_define(struct meta *m, uint32_t hash, uint32_t class) {
  if (class != 0) object_set_define(m->objects, hash, class); /* 0: no memory for the class */
}

uint32_t object_class(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jobject object) {
  jclass klass = (*jni)->GetObjectClass(jni, object);
  uint32_t id = class_id(m, ti, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  if (id != 0 && class_is_of_classes(m->classes, id)) class_id(m, ti, object);
  return id;
}

uint32_t object_hash(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jobject object) {
  jint hash = 0;
  if (object == NULL || (*ti)->GetObjectHashCode(ti, object, &hash) != JVMTI_ERROR_NONE) return 0;
  object_define(m, (uint32_t)hash, object_class(m, ti, jni, object));
  return (uint32_t)hash;
}

/* --- unloaded classes ------------------------------------------------------------------------- */

#define MIN_GROWTH 4096 /* new classes or methods */

bool meta_has_grown(const struct meta *m) {
  uint32_t new_classes = classes_count_defined(m->classes) - m->defined_classes;
  return new_classes > MIN_GROWTH || methods_count(m->methods) > 2 * m->kept_methods + MIN_GROWTH;
}

struct living_classes *meta_find_living(struct meta *m, jvmtiEnv *ti, JNIEnv *jni) {
  struct living_classes *l = memory_new_zeroed(1, sizeof *l);
  if (l == NULL) return NULL;
  m->defined_classes = classes_count_defined(m->classes);
  methods_find_living(m, l);
  if (classes_find_living(m->classes, ti, jni, l)) return l;
  living_classes_free(l);
  return NULL;
}

void meta_drop_unloaded(struct meta *m, const struct living_classes *l) {
  bool dropped = methods_drop_unloaded(m, l);
  m->kept_methods = methods_count(m->methods);
  if (dropped) __atomic_add_fetch(&m->generation, 1, __ATOMIC_ACQ_REL);
}
