#include "agent/base/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"

bool span_same(struct span a, struct span b) {
  return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

bool span_is(struct span s, const char *text) {
  return span_same(s, (struct span){text, strlen(text)});
}

bool span_starts(struct span s, const char *start) {
  size_t len = strlen(start);
  return s.len >= len && span_is((struct span){s.data, len}, start);
}

bool span_ends(struct span s, const char *end) {
  size_t len = strlen(end);
  return s.len >= len && span_is((struct span){s.data + s.len - len, len}, end);
}

char *span_copy(struct span s) {
  char *copy = malloc(s.len + 1);
  if (copy == NULL) return NULL;
  if (s.len > 0) memcpy(copy, s.data, s.len);
  copy[s.len] = '\0';
  return copy;
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
  char *data = capacity - b->len < n ? NULL : memory_resize(b->data, capacity);
  if (data == NULL) {
    b->failed = true;
    return false;
  }
  b->data = data;
  b->capacity = capacity;
  return true;
}

void builder_string(struct builder *b, const char *text) { builder_bytes(b, text, strlen(text)); }

/* The first call of vsnprintf measures the text; it fits in most cases. */
void builder_format(struct builder *b, const char *format, ...) {
  va_list args, again;
  size_t room = b->failed ? 0 : b->capacity - b->len;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(room == 0 ? NULL : b->data + b->len, room, format, args);
  if (len < 0) {
    b->failed = true;
  } else if ((size_t)len >= room && builder_room(b, (size_t)len + 1) != NULL) {
    len = vsnprintf(b->data + b->len, (size_t)len + 1, format, again);
  }
  va_end(again);
  va_end(args);
  if (!b->failed) b->len += (size_t)len;
}

void builder_free(struct builder *b) {
  free(b->data);
  *b = (struct builder){0};
}
