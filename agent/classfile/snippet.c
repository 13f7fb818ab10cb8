#include "agent/classfile/snippet.h"

void snippet_op(struct snippet *s, enum opcode op, int32_t stack_change) {
  put_u1(&s->code, op);
  s->height += stack_change;
  if (s->height > (int32_t)s->max_height) s->max_height = (uint32_t)s->height;
}

/* The number of an argument's local variable fits into a byte (JVM specification 4.11). */
void snippet_load(struct snippet *s, enum opcode op, uint32_t local, uint32_t slots) {
  snippet_op(s, op, (int32_t)slots);
  put_u1(&s->code, local);
}

void snippet_number(struct snippet *s, int32_t n, struct pool *pool) {
  if (n == (int8_t)n) {
    snippet_op(s, OPCODE_bipush, 1);
    put_u1(&s->code, (uint32_t)n);
  } else if (n == (int16_t)n) {
    snippet_op(s, OPCODE_sipush, 1);
    put_u2(&s->code, (uint32_t)n);
  } else {
    snippet_op(s, OPCODE_ldc_w, 1);
    put_u2(&s->code, pool_add_integer(pool, n));
  }
}

void snippet_class(struct snippet *s, uint32_t class_index) {
  snippet_op(s, OPCODE_ldc_w, 1);
  put_u2(&s->code, class_index);
}

void snippet_call(struct snippet *s, uint32_t method, int32_t stack_change) {
  snippet_op(s, OPCODE_invokestatic, stack_change);
  put_u2(&s->code, method);
}

#define IFEQ_LEN 3

void snippet_skip(struct snippet *s, uint32_t length) {
  snippet_op(s, OPCODE_ifeq, -1);
  put_u2(&s->code, IFEQ_LEN + length);
}

void snippet_free(struct snippet *s) {
  builder_free(&s->code);
  *s = (struct snippet){0};
}
