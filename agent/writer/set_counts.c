#include "agent/writer/set_counts.h"

static uint64_t key_of(const struct count_line *line) {
  return (uint64_t)line->kind << 32 | line->object;
}

bool set_counts_line(struct set_counts *c, struct count_line *line) {
  uint64_t before = 0, told = (uint64_t)line->count;
  hashmap_get(&c->before, key_of(line), &before);
  line->count = told > before ? (int64_t)(told - before) : 0;
  return hashmap_put(&c->told, key_of(line), told);
}

bool set_counts_next_set(struct set_counts *c) {
  struct hashmap_slot slot;
  bool good = true;
  for (size_t cursor = 0; hashmap_next(&c->told, &cursor, &slot);) {
    good = good && hashmap_put(&c->before, slot.key, slot.value);
  }
  return good;
}

void set_counts_free(struct set_counts *c) {
  hashmap_free(&c->told);
  hashmap_free(&c->before);
}
