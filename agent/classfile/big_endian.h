#pragma once
/* The numbers of a class file, most significant byte first: u1, u2 and u4 in the terms of the JVM
   specification. The take_ functions read them from untrusted bytes through a cursor. The put_
   functions append them to a builder. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* A position in bytes that are being read. A read beyond the end sets `failed`; from then on all
   reads return zeros and empty spans. So a reader of many fields checks `failed` once, at the
   end. */
struct cursor {
  const char *data;
  size_t len, at;
  bool failed;
};

/* cursor_over returns a cursor at the start of `s`. */
struct cursor cursor_over(struct span s);

uint32_t take_u1(struct cursor *c);
uint32_t take_u2(struct cursor *c);
uint32_t take_u4(struct cursor *c);

/* take_span takes the next `n` bytes. Returns {NULL, 0} if fewer bytes are left. */
struct span take_span(struct cursor *c, size_t n);

/* cursor_is_done tells whether every byte was taken and no read failed. */
bool cursor_is_done(const struct cursor *c);

/* peek_u2 and peek_u4 return the number at `from`. The caller has checked the bounds. */
uint32_t peek_u2(const char *from);
uint32_t peek_u4(const char *from);

/* poke_u2 overwrites the two bytes at `to`, poke_u4 the four bytes. */
void poke_u2(char *to, uint32_t n);
void poke_u4(char *to, uint32_t n);

void put_u1(struct builder *b, uint32_t n);
void put_u2(struct builder *b, uint32_t n);
void put_u4(struct builder *b, uint32_t n);

END_C
