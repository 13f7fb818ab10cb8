/* Stacks and line tables: lists of pairs inside of a field. */
#include <string.h>

#include "agent/event/fields.h"

#define PAIR_LEN 18 /* ";XXXXXXXX;XXXXXXXX" */

/* Takes the next pair from the front of `*rest`. False at the end, or when it is malformed. */
static bool take_pair(struct span *rest, uint32_t *first, uint32_t *second) {
  const char *at = rest->data;
  if (rest->len < PAIR_LEN || at[0] != ';' || at[9] != ';') return false;
  if (!text_parse_hash((struct span){at + 1, 8}, first)) return false;
  if (!text_parse_hash((struct span){at + 10, 8}, second)) return false;
  *rest = (struct span){at + PAIR_LEN, rest->len - PAIR_LEN};
  return true;
}

/* Splits a list into its count and its pairs. False when the count is malformed. */
static bool split_list(struct span list, int64_t *out_count, struct span *out_pairs) {
  if (list.data == NULL) list.data = ""; /* pointer arithmetic needs a valid pointer */
  const char *semicolon = list.len == 0 ? NULL : memchr(list.data, ';', list.len);
  size_t head = semicolon == NULL ? list.len : (size_t)(semicolon - list.data);
  *out_pairs = (struct span){list.data + head, list.len - head};
  return text_parse_decimal((struct span){list.data, head}, out_count);
}

/* Returns `bad_pair` or `bad_count` for a list that has such a fault, NULL for a valid one. */
static fault_t check_pairs(struct span pairs, int64_t count, fault_t bad_pair, fault_t bad_count) {
  uint32_t first, second;
  int64_t found = 0;
  for (; pairs.len > 0; found++) {
    if (!take_pair(&pairs, &first, &second)) return bad_pair;
  }
  return found == count ? NULL : bad_count;
}

void stack_write(struct builder *b, const struct frame *frames, size_t num_frames) {
  text_decimal(b, (int64_t)num_frames);
  for (size_t i = 0; i < num_frames; i++) put_pair(b, frames[i].method, frames[i].location);
}

fault_t stack_check(struct span stack, size_t *out_depth) {
  int64_t depth;
  struct span pairs;
  if (!split_list(stack, &depth, &pairs) || depth < 0) {
    return "the stack does not begin with its depth";
  }
  *out_depth = (size_t)depth;
  return check_pairs(pairs, depth, "a frame of the stack is not ;METHODID;LOCATION",
                     "the stack's depth is not the number of its frames");
}

struct span stack_frames(struct span stack) {
  int64_t depth;
  struct span pairs = {NULL, 0};
  split_list(stack, &depth, &pairs);
  return pairs;
}

bool stack_next(struct span *rest, struct frame *out) {
  return take_pair(rest, &out->method, &out->location);
}

fault_t lines_check(struct span lines, size_t *out_entries) {
  int64_t count;
  struct span pairs;
  if (!split_list(lines, &count, &pairs)) return "the line table does not begin with its length";
  *out_entries = count > 0 ? (size_t)count : 0;
  return check_pairs(pairs, (int64_t)*out_entries,
                     "an entry of the line table is not ;LOCATION;LINE",
                     "the line table's length is not the number of its entries");
}

uint32_t lines_find(struct span lines, uint32_t location) {
  struct span pairs = stack_frames(lines);
  uint32_t first, second, line = 0, best = 0;
  bool found = false, swapped = false, start = true;
  while (take_pair(&pairs, &first, &second)) {
    /* The first location is 0, and no source line is 0. */
    if (start) swapped = first != 0 && second == 0;
    start = false;
    struct line_entry e =
        swapped ? (struct line_entry){second, first} : (struct line_entry){first, second};
    if (e.location > location || (found && e.location < best)) continue;
    best = e.location;
    line = e.line;
    found = true;
  }
  return line;
}
