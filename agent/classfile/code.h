#pragma once
/* The parts of a Code attribute (JVM specification 4.7.3), and the rows of its exception table. */
#include "agent/base/extern_c.h"
#include "agent/classfile/pool.h"

BEGIN_C

/* All spans point into the body of the attribute. */
struct code {
  uint32_t max_stack, max_locals;
  struct span bytes;
  struct span handlers; /* the exception table */
  uint32_t num_attributes;
  struct span attributes;
  struct span frames; /* the body of the StackMapTable; {NULL, 0}: the code has none */
};

/* code_read splits the body of a Code attribute into its parts. It does not check the contents of
   the parts. Returns false if the body is malformed. */
bool code_read(struct code *code, struct span body, const struct pool *pool);

struct attribute {
  uint32_t name_index;
  struct span name, body;
};

/* attribute_take takes the attribute at the cursor. */
struct attribute attribute_take(struct cursor *c, const struct pool *pool);

/* A row of an exception table: the range of code [start, end), and the handler at `pc`. */
struct handler {
  uint32_t start, end, pc, type; /* type 0: handles every exception */
};

#define HANDLER_LEN 8 /* bytes of a row */

/* handler_take takes the next row. Returns false at the end of the table. */
bool handler_take(struct cursor *table, struct handler *out);

/* handler_put appends a row. */
void handler_put(struct builder *out, const struct handler *row);

END_C
