#pragma once
/* Bytes in and bytes out. A cursor reads untrusted bytes and a builder collects new ones; both
   remember that something went wrong, so that a caller asks once, at the end. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A piece of somebody else's bytes. Not terminated by a NUL. */
struct span {
  const char *data;
  size_t len;
};

/* span_is tells whether the bytes of `s` are the C string `text`. */
bool span_is(struct span s, const char *text);

/* span_same tells whether two have the same bytes; span_starts and span_ends whether one begins or
   ends with those of a C string. */
bool span_same(struct span a, struct span b);
bool span_starts(struct span s, const char *start);
bool span_ends(struct span s, const char *end);

/* cut takes what stands before the first `separator` off the front of `*rest` into `*out`.
   Without a separator all of it is taken; false only when nothing, not even an empty piece, is
   left (`rest->data` is NULL then). */
bool span_cut(struct span *rest, char separator, struct span *out);

/* Growing bytes. All zero is an empty builder; builder_free gives the memory back.
   Once memory runs out `failed` is set, and every later append does nothing. */
struct builder {
  char *data;
  size_t len, capacity;
  bool failed;
};

/* builder_grow makes room for `n` more bytes; false where there is no memory (and `failed`). For
   the functions below, which do the most frequent case in place: a writer lives on them. */
bool builder_grow(struct builder *b, size_t n);

/* builder_room makes room for `n` more bytes and returns where they go, or NULL (and `failed`).
   The caller then advances `len` by what it used. */
static inline char *builder_room(struct builder *b, size_t n) {
  bool good = (b->capacity - b->len >= n && !b->failed) || builder_grow(b, n);
  return good ? b->data + b->len : NULL;
}

static inline void builder_bytes(struct builder *b, const void *bytes, size_t n) {
  char *to = n == 0 ? NULL : builder_room(b, n);
  if (to == NULL) return;
  memcpy(to, bytes, n);
  b->len += n;
}

static inline void builder_char(struct builder *b, char c) { builder_bytes(b, &c, 1); }

void builder_string(struct builder *b, const char *text);
void builder_free(struct builder *b);

#ifdef __cplusplus
}
#endif
