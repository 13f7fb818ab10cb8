#include "tools/orca/model/base/tally.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

static struct tally_row *find_or_add_tally_row(struct tally *t, uint32_t group, uint64_t key) {
  uint64_t hash = key ^ (group + 1) * UINT64_C(0x9E3779B97F4A7C15);
  uint64_t *head = hashmap_at(&t->heads, hash);
  if (head == NULL) return NULL;
  for (size_t at = *head; at != 0; at = t->rows[at - 1].next) {
    struct tally_row *row = &t->rows[at - 1];
    if (row->group == group && row->key == key) return row;
  }
  size_t number = rows_add(&t->rows, &t->num, &t->capacity, sizeof *t->rows);
  if (number == 0) return NULL;
  t->rows[number - 1] = (struct tally_row){.group = group, .key = key, .next = *head};
  *head = number;
  return &t->rows[number - 1];
}

bool tally_add_sum(struct tally *t, uint32_t group, uint64_t key, uint64_t count, uint64_t total,
                   uint64_t largest) {
  struct tally_row *row = find_or_add_tally_row(t, group, key);
  if (row == NULL) return false;
  row->count += count;
  row->total += total;
  if (largest > row->largest) row->largest = largest;
  return true;
}

bool tally_add(struct tally *t, uint32_t group, uint64_t key, uint64_t count, uint64_t total) {
  return tally_add_sum(t, group, key, count, total, total);
}

static int compare_tally_rows(const void *left, const void *right) {
  const struct tally_row *a = left, *b = right;
  if (a->group != b->group) return compare_numbers(a->group, b->group);
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  if (a->count != b->count) return compare_numbers(b->count, a->count);
  return compare_numbers(a->key, b->key); /* makes the order deterministic */
}

void tally_sort(struct tally *t) {
  hashmap_free(&t->heads); /* its row numbers are about to change */
  if (t->num > 0) qsort(t->rows, t->num, sizeof *t->rows, compare_tally_rows);
}

const struct tally_row *tally_of(const struct tally *t, uint32_t group, size_t *out_num) {
  return rows_of(t->rows, t->num, sizeof *t->rows, group, out_num);
}

const struct tally_row *tally_find(const struct tally *t, uint32_t group, uint64_t key) {
  size_t num;
  const struct tally_row *rows = tally_of(t, group, &num);
  for (size_t i = 0; i < num; i++) {
    if (rows[i].key == key) return &rows[i];
  }
  return NULL;
}

uint64_t tally_best(const struct tally *t, uint32_t group) {
  size_t num;
  const struct tally_row *rows = tally_of(t, group, &num);
  return num == 0 ? 0 : rows[0].key;
}

bool tally_merge(const struct tally *t, const uint32_t *ids, struct tally *into) {
  for (size_t i = 0; i < t->num; i++) {
    const struct tally_row *row = &t->rows[i];
    if (ids[row->group] == TALLY_NO_GROUP) continue;
    if (!tally_add_sum(into, ids[row->group], row->key, row->count, row->total, row->largest))
      return false;
  }
  return true;
}

void tally_free(struct tally *t) {
  hashmap_free(&t->heads);
  free(t->rows);
  *t = (struct tally){0};
}
