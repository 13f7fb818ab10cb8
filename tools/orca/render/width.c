#include "tools/orca/render/width.h"

#include <stdint.h>

/* Removes the first character from `*rest` and returns it. A byte that starts no UTF-8 sequence
   counts as a character. */
static uint32_t take_character(struct span *rest) {
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

static bool is_in_ranges(uint32_t c, const struct range *ranges, size_t num) {
  for (size_t i = 0; i < num; i++) {
    if (c >= ranges[i].first && c <= ranges[i].last) return true;
  }
  return false;
}

#define FIRST_NOT_NARROW 0x300 /* all characters below it are one column wide */

static size_t count_character_columns(uint32_t c) {
  if (c < FIRST_NOT_NARROW) return 1;
  if (is_in_ranges(c, combining, sizeof combining / sizeof *combining)) return 0;
  return is_in_ranges(c, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

size_t width_measure(struct span text) {
  size_t columns = 0;
  while (text.len > 0) columns += count_character_columns(take_character(&text));
  return columns;
}

/* The longest start of `text` that fits into `columns`. */
static struct span cut_head(struct span text, size_t columns) {
  struct span rest = text;
  while (rest.len > 0) {
    struct span next = rest;
    size_t needed = count_character_columns(take_character(&next));
    if (needed > columns) break;
    columns -= needed;
    rest = next;
  }
  return (struct span){text.data, text.len - rest.len};
}

/* The longest end of `text` that fits into `columns`. */
static struct span cut_tail(struct span text, size_t columns) {
  size_t total = width_measure(text);
  while (text.len > 0 && total > columns) total -= count_character_columns(take_character(&text));
  return text;
}

static void put_span(struct builder *b, struct span s) { builder_bytes(b, s.data, s.len); }

static void cut_text(struct builder *b, struct span text, size_t columns, size_t head_columns) {
  if (width_measure(text) <= columns) {
    put_span(b, text);
  } else if (columns > 0) {
    put_span(b, cut_head(text, head_columns));
    builder_string(b, "…");
    put_span(b, cut_tail(text, columns - 1 - head_columns));
  }
}

/* Finds the first decimal number that is a word of its own. Its `len` is 0 if there is none. */
static struct span find_number(struct span text) {
  struct span word;
  while (span_cut(&text, ' ', &word)) {
    size_t digits = 0;
    while (digits < word.len && word.data[digits] >= '0' && word.data[digits] <= '9') digits++;
    if (digits > 0 && digits == word.len) return word;
  }
  return (struct span){text.data, 0};
}

/* "…12 of Cart.add:7", "…12…t.add:7". Returns false if the number would not be cut out anyway, or
   if there is no room. */
static bool cut_around_number(struct builder *b, struct span text, size_t columns) {
  struct span number = find_number(text);
  if (number.len == 0 || columns < number.len + 6) return false;
  struct span rest = {number.data, (size_t)(text.data + text.len - number.data)};
  size_t before = width_measure(text) - width_measure(rest), tail = width_measure(rest);
  if (before + number.len <= columns / 4 || tail <= columns - 1 - columns / 4) return false;
  builder_string(b, "…");
  if (tail < columns) {
    put_span(b, rest);
  } else {
    put_span(b, number);
    builder_string(b, "…");
    put_span(b, cut_tail(rest, columns - 2 - number.len));
  }
  return true;
}

void width_cut(struct builder *b, struct span text, size_t columns) {
  if (width_measure(text) > columns && cut_around_number(b, text, columns)) return;
  cut_text(b, text, columns, columns / 4);
}

void width_cut_end(struct builder *b, struct span text, size_t columns) {
  cut_text(b, text, columns, columns == 0 ? 0 : columns - 1);
}
