#include "agent/classfile/shortcut.h"

#include "agent/classfile/descriptor.h"

static enum opcode get_load(struct span field) {
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

/* Adds `callee` to the pool. For a method (I)V of the class Made its descriptor is "(LMade;I)Z". */
static uint32_t add_callee(const struct method *m, const struct weave_static *callee,
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
  uint32_t index = b.failed ? 0 : pool_add_method(pool, callee->class_name, callee->name, b.data);
  builder_free(&b);
  return index;
}

enum weave_status shortcut_make(struct snippet *s, const struct method *m,
                                const struct weave_static *callee, struct pool *pool) {
  char return_type = descriptor_return_type(m->descriptor);
  if (return_type == 0) return WEAVE_MALFORMED;
  bool is_plain = !m->is_static && !method_is_special(m);
  if (!is_plain || (return_type != 'V' && return_type != 'Z')) return WEAVE_SHORTCUT;
  snippet_op(s, OPCODE_aload_0, 1);
  struct cursor c = descriptor_open(m->descriptor);
  struct span field;
  for (uint32_t local = 1; descriptor_take_parameter(&c, &field);
       local += descriptor_slots(field)) {
    snippet_load(s, get_load(field), local, descriptor_slots(field));
  }
  snippet_call(s, add_callee(m, callee, pool), 1 - s->height);
  snippet_skip(s, return_type == 'V' ? 1 : 2);
  if (return_type == 'Z') snippet_op(s, OPCODE_iconst_1, 1);
  snippet_op(s, return_type == 'V' ? OPCODE_return : OPCODE_ireturn, 0);
  return WEAVE_WOVEN;
}
