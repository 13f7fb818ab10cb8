#pragma once
/* Two types for bytes: a span refers to bytes that others own, a builder collects bytes in memory
   of its own. One thread at a time. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* Bytes that the span does not own. Not terminated by a NUL. */
struct span {
  const char *data;
  size_t len;
};

/* span_is returns whether `s` consists of exactly the bytes of the C string `text`. */
bool span_is(struct span s, const char *text);

/* span_same returns whether two spans contain the same bytes. */
bool span_same(struct span a, struct span b);

/* span_starts and span_ends return whether `s` begins or ends with the C string. */
bool span_starts(struct span s, const char *start);
bool span_ends(struct span s, const char *end);

/* span_copy returns the bytes with a NUL after them, or NULL without memory. The caller frees it.
   Unlike strndup it reads nothing after the span, which AddressSanitizer checks. */
char *span_copy(struct span s);

/* span_cut splits `*rest` at the first `separator`: `*out` becomes the part before it, `*rest` the
   part after it. Without a separator `*out` becomes all of `*rest`, and `rest->data` becomes NULL.
   Returns false when `rest->data` is NULL; `*out` is unchanged then. A span that ends with a
   separator has an empty last part. */
bool span_cut(struct span *rest, char separator, struct span *out);

/* A growing byte array. All zero is an empty builder; builder_free releases the memory. When memory
   runs out, `failed` becomes true and later appends do nothing, so a caller may check once, at the
   end. */
struct builder {
  char *data;
  size_t len, capacity;
  bool failed;
};

/* builder_grow makes room for `n` more bytes. Returns false, and sets `failed`, without memory.
   It is the rare case of the inline functions below; call builder_room instead. */
bool builder_grow(struct builder *b, size_t n);

/* builder_room makes room for `n` more bytes and returns a pointer to them, or NULL when `failed`.
   The caller adds to `len` the number of bytes that it wrote. Inline, because the writer spends
   much of its time here. */
static inline char *builder_room(struct builder *b, size_t n) {
  bool good = (b->capacity - b->len >= n && !b->failed) || builder_grow(b, n);
  return good ? b->data + b->len : NULL;
}

/* builder_bytes, builder_char and builder_string append; they do nothing when `failed`. */
static inline void builder_bytes(struct builder *b, const void *bytes, size_t n) {
  char *to = n == 0 ? NULL : builder_room(b, n);
  if (to == NULL) return;
  memcpy(to, bytes, n);
  b->len += n;
}

static inline void builder_char(struct builder *b, char c) { builder_bytes(b, &c, 1); }

void builder_string(struct builder *b, const char *text);

/* builder_format appends text like printf. An argument of %s must not point into the builder. If
   memory runs out or the text has an encoding error, it appends nothing and sets `failed`. */
__attribute__((format(printf, 2, 3))) void builder_format(struct builder *b, const char *format,
                                                          ...);

/* builder_free releases the memory and leaves an empty builder. */
void builder_free(struct builder *b);

END_C
