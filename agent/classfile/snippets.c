#include "agent/classfile/snippets.h"

#include "agent/classfile/opcodes.h"

static void put_number(struct builder *b, int32_t n, struct pool *pool) {
  if (n == (int8_t)n) {
    put_u1(b, OPCODE_bipush);
    put_u1(b, (uint32_t)n);
  } else if (n == (int16_t)n) {
    put_u1(b, OPCODE_sipush);
    put_u2(b, (uint32_t)n);
  } else {
    put_u1(b, OPCODE_ldc_w);
    put_u2(b, pool_add_integer(pool, n));
  }
}

static void put_call(struct builder *b, int32_t id, uint32_t hook, struct pool *pool) {
  put_number(b, id, pool);
  put_u1(b, OPCODE_invokestatic);
  put_u2(b, hook);
}

enum weave_status snippets_make(struct snippets *s, const struct weave_hooking *hooking,
                                bool has_this, const struct hook_methods *hooks,
                                struct pool *pool) {
  *s = (struct snippets){0};
  put_u1(&s->enter, has_this ? OPCODE_aload_0 : OPCODE_aconst_null);
  put_call(&s->enter, hooking->id, hooks->enter, pool);
  if (hooking->has_exit) {
    put_call(&s->exit, hooking->id, hooks->exit, pool);
    put_call(&s->handler, hooking->id, hooks->exit_by_exception, pool);
    put_u1(&s->handler, OPCODE_athrow);
  }
  if (pool->full) return WEAVE_POOL_FULL;
  return s->enter.failed || s->exit.failed || s->handler.failed ? WEAVE_NO_MEMORY : WEAVE_WOVEN;
}

void snippets_free(struct snippets *s) {
  builder_free(&s->enter);
  builder_free(&s->exit);
  builder_free(&s->handler);
}
