#pragma once
/* The numbers of a class file, most significant byte first: u1, u2 and u4 as the JVM specification
   calls them. A cursor takes them from untrusted bytes; put_ appends them to a builder. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a reader stands. Once it was asked for more than there is, `failed` is set and it gives
   zeros and empty spans only, so that a reader of many fields asks once, at the end. */
struct cursor {
  const char *data;
  size_t len, at;
  bool failed;
};

struct cursor cursor_over(struct span s);

uint32_t take_u1(struct cursor *c);
uint32_t take_u2(struct cursor *c);
uint32_t take_u4(struct cursor *c);

/* take_span takes the next `n` bytes; {NULL, 0} when there are fewer. */
struct span take_span(struct cursor *c, size_t n);

/* cursor_done: all was taken, and never too much. */
bool cursor_done(const struct cursor *c);

/* The number whose first byte is at `from`; the caller knows that it is there. */
uint32_t peek_u2(const char *from);
uint32_t peek_u4(const char *from);

/* poke_u2 writes over the two bytes at `to`, poke_u4 over four. */
void poke_u2(char *to, uint32_t n);
void poke_u4(char *to, uint32_t n);

void put_u1(struct builder *b, uint32_t n);
void put_u2(struct builder *b, uint32_t n);
void put_u4(struct builder *b, uint32_t n);

#ifdef __cplusplus
}
#endif
