#include "agent/classfile/shortcut.h"

#include "agent/classfile/descriptor.h"

static enum opcode load_of(struct span field) {
  switch (field.data[0]) {
    case 'J':
      return OPCODE_lload;
    case 'F':
      return OPCODE_fload;
    case 'D':
      return OPCODE_dload;
    case 'L':
    case '[':
      return OPCODE_aload;
    default:
      return OPCODE_iload;
  }
}

/* Loads `this` and the arguments. */
static void put_loads(struct snippet *s, struct span descriptor) {
  struct cursor c = descriptor_open(descriptor);
  struct span field;
  snippet_op(s, OPCODE_aload_0, 1);
  for (uint32_t local = 1; descriptor_next(&c, &field); local += descriptor_slots(field)) {
    snippet_load(s, load_of(field), local, descriptor_slots(field));
  }
}

/* "(LMade;I)Z" for a method (I)V of Made. */
static uint32_t method_asked(const struct method *m, const struct weave_static *asked,
                             struct pool *pool) {
  struct builder b = {0};
  struct span parameters = m->descriptor;
  while (parameters.data[parameters.len - 1] != ')') parameters.len--;
  builder_string(&b, "(L");
  builder_bytes(&b, m->class_name.data, m->class_name.len);
  builder_char(&b, ';');
  builder_bytes(&b, parameters.data + 1, parameters.len - 1);
  builder_string(&b, "Z");
  builder_char(&b, '\0');
  if (b.failed) pool->failed = true;
  uint32_t index = b.failed ? 0 : pool_add_method(pool, asked->class_name, asked->name, b.data);
  builder_free(&b);
  return index;
}

enum weave_status shortcut_make(struct snippet *s, const struct method *m,
                                const struct weave_static *asked, struct pool *pool) {
  char returns = descriptor_returns(m->descriptor);
  if (returns == 0) return WEAVE_MALFORMED;
  bool is_plain = !m->is_static && !method_is_special(m);
  if (!is_plain || (returns != 'V' && returns != 'Z')) return WEAVE_SHORTCUT;
  put_loads(s, m->descriptor);
  snippet_call(s, method_asked(m, asked, pool), 1 - s->height);
  snippet_skip(s, returns == 'V' ? 1 : 2);
  if (returns == 'Z') snippet_op(s, OPCODE_iconst_1, 1);
  snippet_op(s, returns == 'V' ? OPCODE_return : OPCODE_ireturn, 0);
  return WEAVE_WOVEN;
}
