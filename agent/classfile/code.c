#include "agent/classfile/code.h"

struct attribute attribute_take(struct cursor *c, const struct pool *pool) {
  struct attribute a = {.name_index = take_u2(c)};
  a.name = pool_utf8(pool, a.name_index);
  a.body = take_span(c, take_u4(c));
  return a;
}

bool code_read(struct code *code, struct span body, const struct pool *pool) {
  struct cursor c = cursor_over(body);
  *code = (struct code){.max_stack = take_u2(&c)};
  code->max_locals = take_u2(&c);
  code->bytes = take_span(&c, take_u4(&c));
  code->handlers = take_span(&c, HANDLER_LEN * (size_t)take_u2(&c));
  code->num_attributes = take_u2(&c);
  code->attributes = (struct span){c.data + c.at, c.len - c.at};
  for (uint32_t i = 0; i < code->num_attributes && !c.failed; i++) {
    struct attribute a = attribute_take(&c, pool);
    if (!span_is(a.name, "StackMapTable")) continue;
    if (code->frames.data != NULL) return false; /* there are two of them */
    code->frames = a.body;
  }
  return cursor_is_done(&c);
}

bool handler_take(struct cursor *table, struct handler *out) {
  if (table->at == table->len) return false;
  out->start = take_u2(table);
  out->end = take_u2(table);
  out->pc = take_u2(table);
  out->type = take_u2(table);
  return !table->failed;
}

void handler_put(struct builder *out, const struct handler *row) {
  put_u2(out, row->start);
  put_u2(out, row->end);
  put_u2(out, row->pc);
  put_u2(out, row->type);
}
