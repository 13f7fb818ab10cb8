#include "tools/orca/render/width.h"

#include <stdint.h>

/* One character of `*rest`, taken off it; a byte that starts none counts as one character. */
static uint32_t take(struct span *rest) {
  unsigned char first = (unsigned char)rest->data[0];
  size_t len = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (len > rest->len) len = rest->len;
  uint32_t c = len == 1 ? first : first & (0xFFu >> (len + 1));
  for (size_t i = 1; i < len; i++) c = c << 6 | ((unsigned char)rest->data[i] & 0x3Fu);
  *rest = (struct span){rest->data + len, rest->len - len};
  return c;
}

struct range {
  uint32_t first, last;
};

static const struct range combining[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},
                                         {0x610, 0x61A},   {0x64B, 0x65F},   {0x200B, 0x200F},
                                         {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xE0100, 0xE01EF}};

static const struct range wide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
                                    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                                    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
                                    {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};

static bool is_in(uint32_t c, const struct range *ranges, size_t num) {
  for (size_t i = 0; i < num; i++) {
    if (c >= ranges[i].first && c <= ranges[i].last) return true;
  }
  return false;
}

#define FIRST_ODD 0x300 /* every character before it is one column wide */

static size_t width(uint32_t c) {
  if (c < FIRST_ODD) return 1;
  if (is_in(c, combining, sizeof combining / sizeof *combining)) return 0;
  return is_in(c, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

size_t width_of(struct span text) {
  size_t columns = 0;
  while (text.len > 0) columns += width(take(&text));
  return columns;
}

/* The longest start of `text` that fits. */
static struct span head(struct span text, size_t columns) {
  struct span rest = text;
  while (rest.len > 0) {
    struct span behind = rest;
    size_t needed = width(take(&behind));
    if (needed > columns) break;
    columns -= needed;
    rest = behind;
  }
  return (struct span){text.data, text.len - rest.len};
}

/* The longest end of `text` that fits. */
static struct span tail(struct span text, size_t columns) {
  size_t total = width_of(text);
  while (text.len > 0 && total > columns) total -= width(take(&text));
  return text;
}

static void put(struct builder *b, struct span s) { builder_bytes(b, s.data, s.len); }

static void cut(struct builder *b, struct span text, size_t columns, size_t head_columns) {
  if (width_of(text) <= columns) {
    put(b, text);
  } else if (columns > 0) {
    put(b, head(text, head_columns));
    builder_string(b, "…");
    put(b, tail(text, columns - 1 - head_columns));
  }
}

void width_cut(struct builder *b, struct span text, size_t columns) {
  cut(b, text, columns, columns / 4);
}

void width_cut_end(struct builder *b, struct span text, size_t columns) {
  cut(b, text, columns, columns == 0 ? 0 : columns - 1);
}
