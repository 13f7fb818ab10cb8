#pragma once
/* A Code attribute (JVM specification 4.7.3), and the rows of its exception table. */
#include "agent/classfile/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct code {
  uint32_t max_stack, max_locals;
  struct span bytes;
  struct span handlers; /* the exception table */
  uint32_t num_attributes;
  struct span attributes;
  struct span frames; /* the body of the StackMapTable; {NULL, 0}: there is none */
};

/* code_read takes the body of the attribute apart; false where it is malformed. What is in its
   parts is not looked at. */
bool code_read(struct code *code, struct span body, const struct pool *pool);

struct attribute {
  uint32_t name_index;
  struct span name, body;
};

struct attribute attribute_take(struct cursor *c, const struct pool *pool);

/* A row of an exception table. */
struct handler {
  uint32_t start, end, pc, type; /* type 0: for any exception */
};

#define HANDLER_LEN 8

/* handler_take takes the next row; false at the end. */
bool handler_take(struct cursor *table, struct handler *out);

void handler_put(struct builder *out, const struct handler *row);

#ifdef __cplusplus
}
#endif
