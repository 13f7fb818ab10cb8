#include "tools/orca/dump/set_counts.h"

static uint64_t make_count_key(const struct count_line *line) {
  return (uint64_t)line->kind << 32 | line->object;
}

bool set_counts_add_before(struct set_counts *c, struct count_line *line) {
  uint64_t count = 0, key = make_count_key(line);
  hashmap_get(line->is_more ? &c->last : &c->before, key, &count);
  int64_t earlier = (int64_t)count;
  line->count = earlier > INT64_MAX - line->count ? INT64_MAX : line->count + earlier;
  line->is_more = false;
  return hashmap_put(&c->last, key, (uint64_t)line->count);
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
