#include "agent/classfile/hooks.h"

static const struct row {
  size_t name_offset; /* in struct weave_hooks */
  const char *descriptor;
  int32_t slots;
} rows[] = {
#define HOOK(id, name, descriptor, slots) {offsetof(struct weave_hooks, name), descriptor, slots},
#include "agent/classfile/hooks.def"
#undef HOOK
};

static const char *get_name(const struct weave_hooks *names, const struct row *row) {
  return *(const char *const *)((const char *)names + row->name_offset);
}

void hook_call(struct hook_methods *hooks, enum hook hook, int32_t id, struct snippet *s,
               struct pool *pool) {
  const struct row *row = &rows[hook];
  const struct weave_hooks *names = hooks->names;
  uint32_t *index = &hooks->indices[hook];
  if (*index == 0) {
    *index = pool_add_method(pool, names->class_name, get_name(names, row), row->descriptor);
  }
  snippet_number(s, id, pool);
  snippet_call(s, *index, -row->slots);
}
