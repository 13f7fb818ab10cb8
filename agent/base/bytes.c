#include "agent/base/bytes.h"

#include <stdlib.h>
#include <string.h>

bool span_is(struct span s, const char *text) {
  return s.len == strlen(text) && (s.len == 0 || memcmp(s.data, text, s.len) == 0);
}

bool span_cut(struct span *rest, char separator, struct span *out) {
  if (rest->data == NULL) return false;
  const char *hit = rest->len == 0 ? NULL : memchr(rest->data, separator, rest->len);
  if (hit == NULL) {
    *out = *rest;
    *rest = (struct span){NULL, 0};
    return true;
  }
  *out = (struct span){rest->data, (size_t)(hit - rest->data)};
  *rest = (struct span){hit + 1, rest->len - out->len - 1};
  return true;
}

bool builder_grow(struct builder *b, size_t n) {
  if (b->failed) return false;
  size_t capacity = b->capacity ? b->capacity : 256;
  while (capacity - b->len < n && capacity <= SIZE_MAX / 2) capacity *= 2;
  char *data = capacity - b->len < n ? NULL : realloc(b->data, capacity);
  if (data == NULL) {
    b->failed = true;
    return false;
  }
  b->data = data;
  b->capacity = capacity;
  return true;
}

void builder_string(struct builder *b, const char *text) { builder_bytes(b, text, strlen(text)); }

void builder_free(struct builder *b) {
  free(b->data);
  *b = (struct builder){0};
}
