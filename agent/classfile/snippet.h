#pragma once
/* A short sequence of instructions under construction, and the height of the operand stack in it.
 */
#include "agent/base/extern_c.h"
#include "agent/classfile/opcodes.h"
#include "agent/classfile/pool.h"

BEGIN_C

/* All zero is empty. Heights are in stack slots. */
struct snippet {
  struct builder code;
  int32_t height;      /* of the stack, relative to its height at the start of the snippet */
  uint32_t max_height; /* the largest `height` so far */
};

/* Each appends an instruction. `stack_change` is by how many slots it makes the stack higher; it is
   negative if the stack gets lower. */
void snippet_op(struct snippet *s, enum opcode op, int32_t stack_change);
void snippet_load(struct snippet *s, enum opcode op, uint32_t local, uint32_t slots);
void snippet_number(struct snippet *s, int32_t n, struct pool *pool); /* pushes an int */
void snippet_class(struct snippet *s, uint32_t class_index);          /* pushes a class */
void snippet_call(struct snippet *s, uint32_t method, int32_t stack_change);

/* snippet_skip appends an ifeq over the next `length` bytes: it jumps if the top of the stack is
   0. */
void snippet_skip(struct snippet *s, uint32_t length);

void snippet_free(struct snippet *s);

END_C
