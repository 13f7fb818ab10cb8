#include "agent/event/set_counts.h"

static uint64_t make_count_key(const struct count_line *line) {
  return (uint64_t)line->kind << 32 | line->object;
}

static int64_t get_count_before(const struct set_counts *c, const struct count_line *line) {
  uint64_t count = 0;
  hashmap_get(&c->before, make_count_key(line), &count);
  return (int64_t)count;
}

bool set_counts_subtract_before(struct set_counts *c, struct count_line *line) {
  bool good = hashmap_put(&c->last, make_count_key(line), (uint64_t)line->count);
  line->count -= get_count_before(c, line);
  if (line->count < 0) line->count = 0; /* two objects share a hash: their counts alternate */
  return good;
}

bool set_counts_add_before(struct set_counts *c, struct count_line *line) {
  int64_t earlier = get_count_before(c, line);
  line->count = earlier > INT64_MAX - line->count ? INT64_MAX : line->count + earlier;
  return hashmap_put(&c->last, make_count_key(line), (uint64_t)line->count);
}

bool set_counts_next_set(struct set_counts *c) {
  struct hashmap_slot slot;
  bool good = true;
  for (size_t cursor = 0; hashmap_next(&c->last, &cursor, &slot);) {
    good = good && hashmap_put(&c->before, slot.key, slot.value);
  }
  return good;
}

void set_counts_free(struct set_counts *c) {
  hashmap_free(&c->last);
  hashmap_free(&c->before);
}
