#include "agent/classfile/big_endian.h"

struct cursor cursor_over(struct span s) {
  return (struct cursor){.data = s.data, .len = s.len};
}

/* The only bounds check of all take_ functions. */
struct span take_span(struct cursor *c, size_t n) {
  if (c->failed || c->len - c->at < n) {
    c->failed = true;
    return (struct span){NULL, 0};
  }
  struct span taken = {c->data + c->at, n};
  c->at += n;
  return taken;
}

bool cursor_is_done(const struct cursor *c) { return !c->failed && c->at == c->len; }

uint32_t take_u1(struct cursor *c) {
  struct span s = take_span(c, 1);
  return s.data == NULL ? 0 : (uint8_t)s.data[0];
}

uint32_t take_u2(struct cursor *c) {
  struct span s = take_span(c, 2);
  return s.data == NULL ? 0 : peek_u2(s.data);
}

uint32_t take_u4(struct cursor *c) {
  struct span s = take_span(c, 4);
  return s.data == NULL ? 0 : peek_u4(s.data);
}

uint32_t peek_u2(const char *from) {
  return (uint32_t)(uint8_t)from[0] << 8 | (uint32_t)(uint8_t)from[1];
}

uint32_t peek_u4(const char *from) { return peek_u2(from) << 16 | peek_u2(from + 2); }

void poke_u2(char *to, uint32_t n) {
  to[0] = (char)(n >> 8);
  to[1] = (char)n;
}

void poke_u4(char *to, uint32_t n) {
  poke_u2(to, n >> 16);
  poke_u2(to + 2, n);
}

void put_u1(struct builder *b, uint32_t n) { builder_char(b, (char)n); }

void put_u2(struct builder *b, uint32_t n) {
  char bytes[2];
  poke_u2(bytes, n);
  builder_bytes(b, bytes, sizeof bytes);
}

void put_u4(struct builder *b, uint32_t n) {
  char bytes[4];
  poke_u4(bytes, n);
  builder_bytes(b, bytes, sizeof bytes);
}
