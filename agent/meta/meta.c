#include "agent/meta/meta.h"

#include "agent/meta/tables.h"

bool meta_init(struct meta *m, int max_depth) {
  outbox_init(&m->class_box);
  outbox_init(&m->method_box);
  outbox_init(&m->object_box);
  m->classes = classes_new();
  m->methods = methods_new();
  m->objects = objects_new();
  m->stacks = stacks_new(max_depth);
  return m->classes != NULL && m->methods != NULL && m->objects != NULL && m->stacks != NULL;
}
