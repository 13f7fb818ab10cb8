#include "agent/meta/meta.h"

#include <stdlib.h>

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
}
