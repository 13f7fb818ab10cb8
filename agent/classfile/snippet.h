#pragma once
/* A few instructions that are put together, and how high they stack. */
#include "agent/classfile/opcodes.h"
#include "agent/classfile/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is empty. */
struct snippet {
  struct builder code;
  int32_t height; /* of the stack, over what it had where the snippet began */
  uint32_t top;   /* the most that this has been */
};

/* Each appends an instruction. `grows` is by how much the stack is higher behind it. */
void snippet_op(struct snippet *s, enum opcode op, int32_t grows);
void snippet_load(struct snippet *s, enum opcode op, uint32_t local, uint32_t slots);
void snippet_number(struct snippet *s, int32_t n, struct pool *pool);
void snippet_class(struct snippet *s, uint32_t class_index);
void snippet_call(struct snippet *s, uint32_t method, int32_t grows);

/* snippet_skip appends a jump over the next `length` bytes, for when there is a 0 on the stack. */
void snippet_skip(struct snippet *s, uint32_t length);

void snippet_free(struct snippet *s);

#ifdef __cplusplus
}
#endif
